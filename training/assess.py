#!/usr/bin/env python3
"""Train the assessment of pages (page type, confidence): labelled archives -> src/clean/assessment/model.bin.

    venv/bin/python training/train.py DATA_DIR                  (leaves the out-of-fold scores of blocks in target/training)
    cargo build --release --example assessment
    venv/bin/python training/assess.py DATA_DIR --out src/clean/assessment/model.bin

1. The decisions about blocks are those of models that were not trained with the host of the page (`train.py`).
2. The program (examples/assessment.rs) describes each page: features, and tokens.
3. Page type: WCXB's labels, `service` counting as `other`, and sets of articles. A ridge regression over tokens gives a
   sum for each type; inside the training part its sums are out of fold, too. Boosted trees on features and sums.
4. Confidence: whether the F1 of the kept words is at least .8 on pages with a gold text. Boosted trees, and an isotonic
   curve from their out-of-fold scores to probabilities.
What is reported is out of fold, by host; the curve of a fold is fitted without the fold.
"""
import argparse
import collections
import glob
import hashlib
import json
import os
import struct
import subprocess
import sys

import lightgbm
import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.stats import rankdata

import train

TYPES = ["article", "collection", "documentation", "forum", "listing", "other", "product"]
FOLDS, INNER = 10, 5
LEAST_HOSTS, RIDGE = 5, 3.0
COMMON = dict(min_data_in_leaf=8, bagging_fraction=0.8, bagging_freq=1, lambda_l2=3.0, max_bin=63, verbose=-1, num_threads=1,
              deterministic=True, force_row_wise=True, seed=7, use_missing=False)
TYPE_TREES = dict(COMMON, objective="multiclass", num_class=len(TYPES), learning_rate=0.1, num_leaves=4, feature_fraction=0.2)
TYPE_ROUNDS = 150
CONFIDENCE_TREES = dict(COMMON, objective="binary", learning_rate=0.05, num_leaves=6, feature_fraction=0.3,
                        min_data_in_leaf=20)
CONFIDENCE_ROUNDS = 120
GOOD = 0.8
# Sets of articles: WCXB has only pages of today. They are trained with, and not measured.
ARTICLES, ARTICLE_WEIGHT = ("l3s-gn1", "scrapinghub", "newspaper", "newspaper4k", "goose3", "readability"), 0.3
MAGIC = b"wcpage01"


def fold(host, folds, salt):
    return int(hashlib.md5((salt + host).encode()).hexdigest(), 16) % folds


def margins(data, scores, lengths):
    """threshold.rs: log-odds less the threshold of the page"""
    out = np.zeros(len(scores), np.float32)
    for number in range(len(data.pages)):
        rows = slice(data.start[number], data.start[number + 1])
        p, weight, asked = train.probability(scores[rows]), lengths[rows] + 20, 0.47
        for _ in range(6):
            kept = p > asked
            good, length = (p[kept] * weight[kept]).sum(), weight[kept].sum()
            asked = np.clip((2 * good / (length + (p * weight).sum()) if length else 0) / 2, 0.25, 0.47)
        low, high = -6.0, 6.0
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if train.probability(middle) < asked else (low, middle)
        out[rows] = scores[rows] - (low + high) / 2
    return out


def ridge(matrix, labels):
    """Ridge regression of -1 and 1 for each type, all types of equal weight, solved by the pages, which are fewer than the
    tokens -> coefficients, intercepts"""
    counts = np.bincount(labels, minlength=len(TYPES))
    weight = len(labels) / (len(TYPES) * counts[labels])
    targets = np.where(labels[:, None] == np.arange(len(TYPES)), 1.0, -1.0)
    share = weight / weight.sum()
    mean, target_mean = np.asarray(matrix.T @ share).ravel(), share @ targets
    products, along = (matrix @ matrix.T).toarray(), np.asarray(matrix @ mean).ravel()
    products += mean @ mean - along[:, None] - along[None, :]
    dual = np.linalg.solve(products + RIDGE * np.diag(1 / weight), targets - target_mean)
    coefficients = (matrix.T @ dual).T - np.outer(dual.sum(0), mean)
    return coefficients, target_mean - coefficients @ mean


class Tokens:
    """Ridge regression over the tokens of pages; `presence` has a row for each page and a column for each of all tokens"""

    def __init__(self, presence, hosts, labels):
        numbers = np.unique(hosts, return_inverse=True)[1]
        of_hosts = csr_matrix((np.ones(len(hosts)), (numbers, np.arange(len(hosts))))) @ presence
        self.known = np.flatnonzero(np.bincount(of_hosts.indices, minlength=presence.shape[1]) >= LEAST_HOSTS)
        coefficients, bias = ridge(self.matrix(presence), labels)
        self.unit = float(np.abs(coefficients).max()) / 127
        self.weights = np.round(coefficients / self.unit).astype(np.int8)
        self.bias = bias.astype(np.float32)

    def matrix(self, presence):
        """The known tokens, each row divided by the root of their number"""
        matrix = presence[:, self.known]
        return (diags(1 / np.sqrt(np.maximum(np.asarray(matrix.sum(1)).ravel(), 1))) @ matrix).tocsr()

    def sums(self, presence):
        return (self.matrix(presence) @ self.weights.T.astype(float)) * self.unit + self.bias

    def packed(self, tokens):
        out = [struct.pack("<f7fI", self.unit, *self.bias, len(self.known))]
        rows = zip(tokens[self.known], self.weights.T)
        return b"".join(out + [struct.pack("<Q7b", int(token), *weights) for token, weights in rows])


def token_sums(presence, hosts, labels, others):
    """-> sums of the pages, out of fold; sums of `others`; the model"""
    sums, parts = np.zeros((len(labels), len(TYPES))), np.array([fold(h, INNER, "inner") for h in hosts])
    for part in range(INNER):
        rest, own = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        sums[own] = Tokens(presence[rest], hosts[rest], labels[rest]).sums(presence[own])
    model = Tokens(presence, hosts, labels)
    return sums, model.sums(others), model


def type_model(features, labels, factor):
    counts = np.bincount(labels, weights=factor, minlength=len(TYPES))
    weight = factor * (counts.max() / counts[labels]) ** 0.5
    return lightgbm.train(TYPE_TREES, lightgbm.Dataset(features, labels, weight=weight), TYPE_ROUNDS)


def page_types(features, presence, hosts, labels, factor, without, salt=""):
    """-> out-of-fold sums of tokens and predictions"""
    sums, scores = np.zeros((len(labels), len(TYPES))), np.zeros((len(labels), len(TYPES)))
    parts = np.array([fold(h, FOLDS, salt) for h in hosts])
    for part in range(FOLDS):
        rest, own = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        inner, sums[own], _ = token_sums(presence[rest], hosts[rest], labels[rest], presence[own])
        with_sums = without(features).copy()
        with_sums[rest, :len(TYPES)], with_sums[own, :len(TYPES)] = inner, sums[own]
        scores[own] = type_model(with_sums[rest], labels[rest], factor[rest]).predict(with_sums[own], raw_score=True)
    return sums, scores


def calibrated(scores, labels):
    """The isotonic curve as a list of points, each step between the middles of its ends"""
    steps = []  # sum of labels, number, sum of scores
    for at in np.argsort(scores, kind="stable"):
        steps.append((float(labels[at]), 1, float(scores[at])))
        while len(steps) > 1 and steps[-2][0] * steps[-1][1] >= steps[-1][0] * steps[-2][1]:
            last = steps.pop()
            steps[-1] = tuple(a + b for a, b in zip(steps[-1], last))
    points = {np.float32(place / n): np.float32(min(max(good / n, 0.01), 0.99)) for good, n, place in steps}
    return sorted(points.items())


def report_types(labels, found):
    """Prints precision, recall and F1 of each type"""
    figures = []
    for number, name in enumerate(TYPES):
        right, of_type = ((found == number) & (labels == number)).sum(), (labels == number).sum()
        precision, recall = right / max((found == number).sum(), 1), right / of_type
        figures.append((precision, recall, 2 * right / ((found == number).sum() + of_type)))
        print(f"  {name:<14}{of_type:>5}" + "".join(f"{figure:>8.3f}" for figure in figures[-1]))
    print(f"  {'macro':<14}{len(labels):>5}" + "".join(f"{figure:>8.3f}" for figure in np.mean(figures, 0)))


def area_under_curve(labels, scores):
    good = labels == 1
    return (rankdata(scores)[good].sum() - good.sum() * (good.sum() + 1) / 2) / (good.sum() * (~good).sum())


def error_of_calibration(p, labels, bins=10):
    at = np.minimum((p * bins).astype(int), bins - 1)
    rows = [(b, (at == b).sum(), p[at == b].mean(), labels[at == b].mean()) for b in range(bins) if (at == b).any()]
    return sum(n * abs(mean - share) for _, n, mean, share in rows) / len(p), rows


def trees(model, classes=1):
    """As trees.rs reads them, one list for each class"""
    all_trees = model.dump_model()["tree_info"]
    out = b""
    for number in range(classes):
        own = all_trees[number::classes]
        out += struct.pack("<I", len(own))
        for tree in own:
            rows = train.nodes(tree["tree_structure"])
            out += struct.pack("<H", len(rows)) + b"".join(struct.pack("<ffHH", *row) for row in rows)
    return out


def page_type_labels(folder, data):
    """The label of each page, also of those whose gold text is not on the page"""
    labels = {}
    for path in glob.glob(folder + "/*.gold.jsonl"):
        with open(path, encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row.get("page_type"):
                    labels[os.path.basename(path).split(".")[0], train.identity(row["record_id"])] = row["page_type"]
    with open(data.path("blocks.jsonl"), encoding="utf-8") as lines:
        return [labels.get((row["set"], train.identity(row["id"]))) for row in map(json.loads, lines)]


def read_tokens(path):
    """-> all tokens, ascending; a matrix with a row for each page and a column for each token"""
    numbers, at, starts = np.fromfile(path, "<u8"), 0, []
    while at < len(numbers):
        starts.append(at)
        at += 1 + int(numbers[at])
    is_token = np.ones(len(numbers), bool)
    is_token[starts] = False
    sizes = numbers[starts].astype(np.int64)
    tokens, columns = np.unique(numbers[is_token], return_inverse=True)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return tokens, csr_matrix((np.ones(len(columns)), columns, ends), (len(sizes), len(tokens)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--program", default="target/release/examples/assessment")
    parser.add_argument("--blocks-program", default="target/release/examples/training")
    parser.add_argument("--work", default="target/training", help="folder that train.py filled")
    parser.add_argument("--scores", default="scores2.f32", help="out-of-fold scores of blocks in that folder")
    parser.add_argument("--out", help="write the model here")
    args = parser.parse_args()
    blocks = argparse.Namespace(data=args.data, work=args.work, program=args.blocks_program)
    data = train.Data(blocks)
    with open(data.path("features.names"), encoding="utf-8") as lines:
        names = lines.read().split("\n")
    lengths = np.fromfile(data.path("features.f32"), "<f4").reshape(-1, len(names))[:, names.index("length")].copy()
    decided = margins(data, np.fromfile(data.path(args.scores), "<f4"), lengths)
    decided.astype("<f4").tofile(data.path("margins.f32"))
    environment = {**os.environ, "MARGINS": data.path("margins.f32")}
    subprocess.run([args.program, data.path("pages")] + data.archives, env=environment, check=True)
    with open(data.path("pages.names"), encoding="utf-8") as lines:
        names = lines.read().split("\n")
    features = np.fromfile(data.path("pages.f32"), "<f4").reshape(-1, len(names))
    tokens, presence = read_tokens(data.path("pages.tokens"))
    hosts = np.array([page.host for page in data.pages])
    assert len(features) == presence.shape[0] == len(data.pages)

    # The type does not depend on how sure the cleaner is.
    certainty = [i for i, name in enumerate(names) if name.startswith("margin_")]

    def without(rows):
        rows = rows.copy()
        rows[:, certainty] = 0
        return rows

    kinds = page_type_labels(args.data, data)
    kinds = [kind or ("article" if page.set in ARTICLES else None) for kind, page in zip(kinds, data.pages)]
    typed = np.array([i for i, kind in enumerate(kinds) if kind])
    factor = np.array([ARTICLE_WEIGHT if data.pages[i].set in ARTICLES else 1.0 for i in typed])
    measured = factor == 1.0
    label = np.array([TYPES.index("other" if kinds[i] == "service" else kinds[i]) for i in typed])
    own, rows = presence[typed], features[typed]
    print(f"{len(data.pages)} pages, {len(names)} features, {measured.sum()} with a type, {(~measured).sum()} articles")
    for salt in ("", "again", "third"):
        sums, scores = page_types(rows, own, hosts[typed], label, factor, without, salt)
        found, of_found = scores.argmax(1)[measured], label[measured]
        print(f"folds {salt or 'first'}: accuracy {(of_found == found).mean():.3f}; precision, recall, F1")
        report_types(of_found, found)
        print(f"  articles elsewhere: {(scores.argmax(1)[~measured] == 0).mean():.3f} are found")
    inner, all_sums, token_model = token_sums(own, hosts[typed], label, presence)
    all_features = features.copy()
    all_features[:, :len(TYPES)] = all_sums
    all_features[typed, :len(TYPES)] = inner
    types = type_model(without(all_features)[typed], label, factor)

    f1 = np.full(len(data.pages), np.nan)
    for number, page in enumerate(data.pages):
        if page.gold and page.gold.get("gold_text"):
            kept = decided[data.start[number]:data.start[number + 1]] > 0
            f1[number] = train.measure(page, "\n".join(t for t, k in zip(page.texts, kept) if k))["word"]
    known = np.flatnonzero(~np.isnan(f1))
    good, of_known = (f1[known] >= GOOD).astype(int), all_features[known]
    parts = np.array([fold(h, FOLDS, "") for h in hosts[known]])
    raw = np.zeros(len(known))
    for part in range(FOLDS):
        rest = parts != part
        model = lightgbm.train(CONFIDENCE_TREES, lightgbm.Dataset(of_known[rest], good[rest]), CONFIDENCE_ROUNDS)
        raw[~rest] = model.predict(of_known[~rest], raw_score=True)
    probability = np.zeros(len(known))
    for part in range(FOLDS):
        rest = parts != part
        curve = calibrated(raw[rest], good[rest])
        probability[~rest] = np.interp(raw[~rest], [x for x, _ in curve], [y for _, y in curve])
    error, table = error_of_calibration(probability, good)
    print(f"\nconfidence: {len(known)} pages with a gold text, {good.mean():.3f} good; expected calibration error {error:.4f}, "
          f"area under the curve {area_under_curve(good, probability):.3f}, Brier score {((probability - good) ** 2).mean():.4f} "
          f"(of the mean alone {good.mean() * (1 - good.mean()):.4f})")
    for b, n, mean, share in table:
        print(f"  {b / 10:.1f}-{(b + 1) / 10:.1f}  {n:>5}  {mean:.3f}  {share:.3f}")
    sets = np.array([page.set for page in data.pages])[known]
    for name in sorted(set(sets)):
        here = sets == name
        print(f"  {name:<18}{here.sum():>5}  {probability[here].mean():.3f}  {good[here].mean():.3f}")
    confidence = lightgbm.train(CONFIDENCE_TREES, lightgbm.Dataset(of_known, good), CONFIDENCE_ROUNDS)
    curve = calibrated(raw, good)
    print("types by gain:", ", ".join(names[i] for i in np.argsort(-types.feature_importance("gain"))[:30]))
    print("confidence by gain:", ", ".join(names[i] for i in np.argsort(-confidence.feature_importance("gain"))[:30]))
    if args.out:
        points = struct.pack("<H", len(curve)) + b"".join(struct.pack("<ff", x, y) for x, y in curve)
        body = MAGIC + struct.pack("<H", len(names)) + token_model.packed(tokens)
        body += trees(types, len(TYPES)) + trees(confidence) + points
        with open(args.out, "wb") as out:
            out.write(body)
        print(f"\n{args.out}: {len(body)} bytes, sha256 {hashlib.sha256(body).hexdigest()}")


if __name__ == "__main__":
    sys.exit(main())
