#!/usr/bin/env python3
"""Train the `main` cleaner: labelled archives -> src/clean/main_content/model.bin, with cross-validated figures.

    python -m venv venv && venv/bin/pip install --require-hashes -r training/requirements.txt
    cargo build --release --example training
    venv/bin/python training/train.py DATA_DIR --out src/clean/main_content/model.bin

DATA_DIR holds pairs NAME.warc.gz + NAME.gold.jsonl (url, record_id; gold_text, or segments `with` and `without`;
`gold_on_page`: pages below 0.5 are left out). The same data give the same file.

1. Labels: the words of a page are aligned with the words of its gold text (longest common subsequence; runs of three
   words, or whole blocks, count). A block's label is the share of its words that are in the gold; its weight is its
   share of the page's gold, so that every page counts alike. Where there are only segments, the blocks that hold one
   are labelled, and no others.
2. The program (examples/training.rs) describes the blocks. Lexica and folds go by host: no host is on both sides.
3. First stage: boosted trees on the features. Its out-of-fold scores describe the context of each block; second
   stage: boosted trees on features and context.
4. What is reported is out of fold in both stages; what is written is trained on everything.
"""
import argparse
import collections
import glob
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
from urllib.parse import urlsplit

import lightgbm
import numpy as np
from rapidfuzz.distance import LCSseq

WORD = re.compile(r"\w+", re.UNICODE)
FOLDS = 5
STAGES = ({"trees": 110, "leaves": 24}, {"trees": 80, "leaves": 24})
PARAMETERS = dict(objective="cross_entropy", learning_rate=0.12, min_sum_hessian_in_leaf=0.5, min_data_in_leaf=60,
                  feature_fraction=0.5, bagging_fraction=0.8, bagging_freq=1, lambda_l2=2.0, max_bin=63, max_depth=6, verbose=-1,
                  num_threads=2, deterministic=True, force_row_wise=True, seed=7, use_missing=False)
# Sets whose gold is another program's output count less, small human sets more.
SET_WEIGHT = {"newspaper": 0.5, "newspaper4k": 0.5, "readability": 0.7, "goose3": 0.3, "wcxb": 1.2,
              "scrapinghub": 2.0}
SEGMENT_WEIGHT = 0.15
GOLD_FLOOR, BLOCK_FLOOR, MOST_WEIGHT = 60, 3, 1.5
EARLY, HOPELESS = 16, -2.6
MAGIC = b"wcmain02"


def squash(text):
    return " ".join((text or "").split())


def identity(record):
    return str(record or "").strip("<>").removeprefix("urn:uuid:")


class Page:
    def __init__(self, row, gold):
        self.set, self.url, self.texts, self.gold = row["set"], row["url"], row["blocks"], gold
        host = urlsplit(self.url).hostname or ""
        self.host = host if host != "unknown.invalid" else self.set + row["id"]
        self.label = np.full(len(self.texts), -1.0, np.float32)
        self.weight = np.zeros(len(self.texts), np.float32)
        if gold and gold.get("gold_text"):
            self.by_text(gold["gold_text"])
        elif gold:
            self.by_segments(gold.get("with") or [], gold.get("without") or [])
        self.weight *= SET_WEIGHT.get(self.set, 1.0)

    def by_text(self, text):
        blocks, gold = [WORD.findall(t) for t in self.texts], WORD.findall(text)
        numbers = {}
        ours = [numbers.setdefault(w, len(numbers)) for b in blocks for w in b]
        theirs = [numbers.setdefault(w, len(numbers)) for w in gold]
        run = np.zeros(len(ours), np.int32)
        if len(ours) < 60_000:
            for op in LCSseq.opcodes(ours, theirs):
                if op.tag == "equal":
                    run[op.src_start:op.src_end] = op.src_end - op.src_start
        shingles = {tuple(gold[i:i + 4]) for i in range(len(gold) - 3)}
        at = 0
        for i, words in enumerate(blocks):
            own, at = run[at:at + len(words)], at + len(words)
            if words:
                least = len(words) if len(words) <= 3 else 3
                self.label[i] = (own >= min(least, 3)).mean()
                self.weight[i] = min((len(words) + BLOCK_FLOOR) / (len(gold) + GOLD_FLOOR), MOST_WEIGHT)
        kept = {t for t, y in zip(self.texts, self.label) if y >= 0.5}
        for i, words in enumerate(blocks):  # moved text, which the alignment misses
            if len(words) >= 8 and self.label[i] < 0.5 and self.texts[i] not in kept:
                share = np.mean([tuple(words[k:k + 4]) in shingles for k in range(len(words) - 3)])
                if share > 0.8:
                    self.label[i] = share

    def by_segments(self, wanted, unwanted):
        flat = [squash(t) for t in self.texts]
        for segment in map(squash, unwanted):
            for i, text in enumerate(flat):
                if segment and segment in text and len(segment) >= min(len(text), 20) * 0.5:
                    self.label[i] = 0.0
        for segment in map(squash, wanted):
            for i, text in enumerate(flat):
                if segment and segment in text:
                    self.label[i] = 1.0
        self.weight[self.label >= 0] = SEGMENT_WEIGHT


def read_gold(folder):
    gold = {}
    for path in glob.glob(folder + "/*.gold.jsonl"):
        name = os.path.basename(path).split(".")[0]
        with open(path, encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if not isinstance(row.get("in_warc"), str) and row.get("gold_on_page", 1.0) >= 0.5:
                    gold[name, identity(row.get("record_id"))] = row
    return gold


class Data:
    def __init__(self, args):
        self.args = args
        self.archives = sorted(glob.glob(args.data + "/*.warc.gz"))
        os.makedirs(args.work, exist_ok=True)
        self.call("blocks", self.path("blocks.jsonl"), {})
        gold = read_gold(args.data)
        with open(self.path("blocks.jsonl"), encoding="utf-8") as lines:
            self.pages = [Page(row, gold.get((row["set"], identity(row["id"])))) for row in map(json.loads, lines)]
        hosts = {}
        fold = lambda host: int(hashlib.md5(host.encode()).hexdigest(), 16) % FOLDS
        numbers = [hosts.setdefault(p.host, len(hosts)) * FOLDS + fold(p.host) for p in self.pages]
        sizes = [len(p.texts) for p in self.pages]
        self.start = np.concatenate([[0], np.cumsum(sizes)])
        self.fold = np.repeat(np.array([n % FOLDS for n in numbers]), sizes)
        self.label = np.concatenate([p.label for p in self.pages])
        self.weight = np.concatenate([p.weight for p in self.pages])
        np.array(numbers, "<f4").tofile(self.path("hosts.f32"))
        np.stack([self.label, self.weight], 1).astype("<f4").tofile(self.path("labels.f32"))

    def path(self, name):
        return os.path.join(self.args.work, name)

    def call(self, command, out, environment):
        environment = {**os.environ, "FOLDS": str(FOLDS), "LABELS": self.path("labels.f32"),
                       "HOSTS": self.path("hosts.f32"), **environment}
        subprocess.run([self.args.program, command, out] + self.archives, env=environment, check=True)

    def matrix(self, command, environment):
        self.call(command, self.path(command), environment)
        with open(self.path(command + ".names"), encoding="utf-8") as lines:
            names = lines.read().split("\n")
        return np.fromfile(self.path(command + ".f32"), "<f4").reshape(-1, len(names)), names


def score(model, rows):
    """forest.rs: rows that the first trees leave no hope stop there"""
    early = model.predict(rows, raw_score=True, num_iteration=EARLY)
    return np.where(early < HOPELESS, early, model.predict(rows, raw_score=True))


def train(data, matrix, stage):
    """-> out-of-fold scores of all blocks, the model of all blocks"""
    parameters = {**PARAMETERS, "num_leaves": stage["leaves"]}
    used = np.flatnonzero(data.weight > 0)
    whole = lightgbm.Dataset(matrix[used], data.label[used], weight=data.weight[used], params=parameters).construct()
    scores = np.zeros(len(matrix), np.float32)
    for fold in range(FOLDS):
        part = whole.subset(np.flatnonzero(data.fold[used] != fold))
        model = lightgbm.train(parameters, part, stage["trees"])
        rows = np.flatnonzero(data.fold == fold)
        scores[rows] = score(model, matrix[rows])
    return scores, lightgbm.train(parameters, whole, stage["trees"])


def probability(score):
    y = np.clip(score / 2, -3, 3)
    return 0.5 + 0.5 * y * (27 + y * y) / (27 + 9 * y * y)


def stays(scores, lengths):
    """verdict.rs: a block stays if it is content with more than half of the F1 that can be expected"""
    p, weight, asked = probability(scores), lengths + 20, 0.47
    for _ in range(6):
        kept = p > asked
        good, length = (p[kept] * weight[kept]).sum(), weight[kept].sum()
        asked = np.clip((2 * good / (length + (p * weight).sum()) if length else 0) / 2, 0.25, 0.47)
    return p > asked


def shingles(text):
    words = WORD.findall(text)
    if len(words) < 4:
        return collections.Counter([tuple(words)] if words else [])
    return collections.Counter(zip(words, words[1:], words[2:], words[3:]))


def measure(page, text):
    """Figures of a page: shingle precision and recall, word F1; found and missed segments"""
    gold, out = page.gold, {}
    if gold.get("gold_text"):
        want, got = shingles(gold["gold_text"]), shingles(text)
        both = sum((want & got).values())
        if got:
            out["P"] = both / sum(got.values())
        out["R"] = both / sum(want.values())
        a = collections.Counter(w.lower() for w in WORD.findall(text))
        b = collections.Counter(w.lower() for w in WORD.findall(gold["gold_text"]))
        out["word"] = 2 * sum((a & b).values()) / max(sum(a.values()) + sum(b.values()), 1)
    if gold.get("with") or gold.get("without"):
        flat, wanted = squash(text), gold.get("with") or []
        hits = sum(squash(s) in flat for s in wanted)
        out["segments"] = (hits, len(wanted) - hits, sum(squash(s) in flat for s in gold.get("without") or []))
    return out


def report(data, scores, lengths):
    groups = collections.defaultdict(list)
    for number, page in enumerate(data.pages):
        if not page.gold:
            continue
        rows = slice(data.start[number], data.start[number + 1])
        kept = stays(scores[rows], lengths[rows])
        figures = measure(page, "\n".join(t for t, k in zip(page.texts, kept) if k))
        groups[page.set].append(figures)
        if page.gold.get("page_type"):
            groups[f"{page.set}: {page.gold['page_type']}"].append(figures)
    print(f"{'set':<22}{'pages':>6}{'P':>8}{'R':>8}{'F1':>8}{'word-F1':>9}{'seg-F1':>8}")
    mean = lambda pages, key: np.mean([p[key] for p in pages if key in p]) if any(key in p for p in pages) else None
    for name, pages in sorted(groups.items()):
        p, r, word = (mean(pages, key) for key in ("P", "R", "word"))
        hit, miss, bad = map(sum, zip(*[q["segments"] for q in pages if "segments" in q] or [(0, 0, 0)]))
        f1 = 2 * p * r / (p + r) if p and r else None
        cells = [p, r, f1, word, 2 * hit / (2 * hit + miss + bad) if hit else None]
        print(f"{name:<22}{len(pages):>6}" + "".join(f"{'' if c is None else format(c, '.3f'):>8}" for c in cells))


def nodes(tree):
    """A tree as rows (threshold, value, feature, left), breadth first, so that children follow their parents"""
    rows, queue = [], [tree]
    for node in queue:
        if "split_feature" in node:
            threshold = np.float32(node["threshold"])
            if float(threshold) > node["threshold"]:
                threshold = np.nextafter(threshold, np.float32(-np.inf))
            rows.append((threshold, node["internal_value"], node["split_feature"], len(queue)))
            queue += [node["left_child"], node["right_child"]]
        else:
            rows.append((0.0, node["leaf_value"], 0xFFFF, 0))
    return rows


def forest(model):
    out = [struct.pack("<I", model.num_trees())]
    for tree in model.dump_model()["tree_info"]:
        rows = nodes(tree["tree_structure"])
        out += [struct.pack("<H", len(rows))] + [struct.pack("<ffHH", *row) for row in rows]
    return b"".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--program", default="target/release/examples/training")
    parser.add_argument("--work", default="target/training", help="folder for intermediate files")
    parser.add_argument("--out", help="write the model here")
    args = parser.parse_args()
    data = Data(args)
    features, names = data.matrix("features", {})
    used = data.weight > 0
    print(f"{len(data.pages)} pages, {len(features)} blocks, {used.sum()} labelled, {len(names)} features", flush=True)
    first_scores, first = train(data, features, STAGES[0])
    first_scores.astype("<f4").tofile(data.path("scores.f32"))
    lengths = features[:, names.index("length")]
    print("\nfirst stage, out of fold")
    report(data, first_scores, lengths)
    context, context_names = data.matrix("context", {"SCORES": data.path("scores.f32")})
    both = np.hstack([features, context])
    second_scores, second = train(data, both, STAGES[1])
    second_scores.astype("<f4").tofile(data.path("scores2.f32"))
    print("\nboth stages, out of fold")
    report(data, second_scores, lengths)
    gain = second.feature_importance("gain")
    order = np.argsort(-gain)[:40]
    print("\nfeatures of the second stage by gain:", ", ".join((names + context_names)[i] for i in order))
    gain = first.feature_importance("gain")
    print("of the first:", ", ".join(names[i] for i in np.argsort(-gain)[:60]))
    print("never used:", ", ".join(n for n, g in zip(names, gain) if g == 0))
    if args.out:
        with open(data.path(f"features.lexica{FOLDS}"), "rb") as lexica:
            widths = struct.pack("<HH", len(names), len(context_names))
            body = MAGIC + widths + lexica.read() + forest(first) + forest(second)
        with open(args.out, "wb") as out:
            out.write(body)
        print(f"\n{args.out}: {len(body)} bytes, sha256 {hashlib.sha256(body).hexdigest()}")


if __name__ == "__main__":
    sys.exit(main())
