#!/usr/bin/env python3
"""Near-duplicate detection on labelled texts: recall by similarity, precision, containment.

    neardup.py NEARDUP.jsonl.gz [--warcorpus BIN] [--set KEY=VALUE]... [--thresholds]
               [--methods [M,M...]] [--peers]

NEARDUP.jsonl.gz: one object a line with id, text and edit (how it was made from its source). Each text
becomes a WET record, so that no cleaner comes between, and all of them a corpus. Truth is the exact
Jaccard similarity J of all pairs, computed here from words and shingles as the program defines them;
the file's own figures are not used. Prints Markdown:

expected     Mean of the S-curve 1 - (1 - J^r)^b over the pairs.
found        Pairs at or above the threshold of which not both are kept. One of the two may have gone in
             favour of a third, so this is what a user sees, and flatters the S-curve.
in one cluster  Both have the same representative, or one is the representative of the other.
no others    Found, of the pairs of documents that resemble no other: here it measures the S-curve.

--thresholds adds a run at each of several thresholds. --methods compares the methods of near.method, or
those named, with and without verification. --peers gives the same shingles to the Python packages
datasketch and rensa, with the same bands and rows. Times are user CPU. Needs duckdb and warcio.
"""
import argparse
import collections
import gzip
import io
import json
import pathlib
import re
import resource
import subprocess
import tempfile
import tomllib
import unicodedata
import uuid

import duckdb
from warcio.warcwriter import WARCWriter

METHODS = "bands,exact,tf,tfidf,long_sent,heavy_sent,lex_rand,descr_words,megashingles"
THRESHOLDS = [(0.45, 3), (0.5, 5), (0.6, 5), (0.7, 5), (0.75, 5), (0.8, 5), (0.9, 5)]  # and words in a shingle
BINS = [0.45, 0.5, 0.6, 0.7, 0.8, 0.9]
LEAST = 0.3  # J of the pairs that are looked at
CONTAINED = 0.8  # share of a text's shingles from which another one contains it
SHARES = ["found", "in one cluster", "no others"]
COMMON = 200  # documents with a shingle, above which it brings no pairs together
SETS = ["overlap.enabled=false", "language.min_letters=1000000", "sites.enabled=false"]

# As in src/text/words.rs. Circled letters are alphabetic for Unicode, but not for Python.
UNSPACED = ("\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff"
            "\uf900-\ufaff\U00020000-\U0003ffff")
CIRCLED = "\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189"
MARKS = "_\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0980-\u0dff"
WORD = re.compile(rf"[{UNSPACED}]|(?:[^\W_{UNSPACED}]|[{CIRCLED}])(?:[^\W{UNSPACED}]|[{CIRCLED}{MARKS}])*")
INVISIBLE = re.compile("[\u00ad\u200c\u200d\u2060]")

# `inside`: share of the smaller one's shingles that the other one has.
Pair = collections.namedtuple("Pair", "a b j inside")


def words(text):
    # Letter by letter, as the program does: a sigma at the end of a word is no other letter.
    return WORD.findall("".join(map(str.lower, INVISIBLE.sub("", unicodedata.normalize("NFC", text)))))


def shingles(text, w):
    return {" ".join(text[i:i + w]) for i in range(max(1, len(text) - w + 1))} if text else set()


class Truth:
    """Shingle sets of w words, and the pairs of documents (by place) that resemble or contain each other."""

    def __init__(self, documents, w):
        self.documents, self.w = documents, w
        self.strings = [shingles(document["words"], w) for document in documents]
        numbers = {}
        self.sets = [{numbers.setdefault(s, len(numbers)) for s in strings} for strings in self.strings]
        holders = [[] for _ in numbers]
        for place, numbered in enumerate(self.sets):
            for number in numbered:
                holders[number].append(place)
        self.pairs = []
        for b, numbered in enumerate(self.sets):
            met = collections.Counter(a for n in numbered if len(holders[n]) <= COMMON for a in holders[n] if a < b)
            # Somewhat below both limits, for the common shingles.
            near = (a for a, shared in met.items() if shared >= 0.2 * min(len(self.sets[a]), len(numbered)))
            self.pairs += [p for p in (self.pair(a, b) for a in sorted(near)) if p.j >= LEAST or p.inside >= CONTAINED]

    def pair(self, a, b):
        shared, sizes = len(self.sets[a] & self.sets[b]), (len(self.sets[a]), len(self.sets[b]))
        return Pair(a, b, shared / max(1, sum(sizes) - shared), shared / max(1, min(sizes)))

    def identical(self, pair):
        return self.documents[pair.a]["words"] == self.documents[pair.b]["words"]

    def above(self, threshold):
        return [pair for pair in self.pairs if pair.j >= threshold]

    def alone(self, threshold):
        """Pairs at or above the threshold whose documents have no other partner there."""
        partners = collections.Counter(place for pair in self.above(threshold) for place in pair[:2])
        return {pair for pair in self.above(threshold) if partners[pair.a] == partners[pair.b] == 1}

    def bins(self, threshold):
        """Name and pairs of each bin of J; the bin that the threshold falls into is cut there."""
        edges = sorted({*BINS, threshold, 1.01})
        different = [pair for pair in self.pairs if not self.identical(pair)]
        for low, high in zip(edges, edges[1:]):
            yield f"{low:g} to {min(high, 1):g}", [pair for pair in different if low <= pair.j < high]
        yield "identical", [pair for pair in self.pairs if self.identical(pair)]


class Stars:
    """For each document the one it went in favour of, or itself; both by place."""

    def __init__(self, keepers, seconds):
        self.keepers, self.seconds = keepers, seconds
        self.dropped = [(place, keeper) for place, keeper in enumerate(keepers) if place != keeper]

    def found(self, pair):
        return self.keepers[pair.a] != pair.a or self.keepers[pair.b] != pair.b

    def together(self, pair):
        return self.keepers[pair.a] == self.keepers[pair.b]


class Corpus(Stars):
    """What the program made of the documents."""

    def __init__(self, rows, banding, documents, seconds):
        places = {document["id"]: place for place, document in enumerate(documents)}
        place = {doc: places[url.rsplit("/", 1)[1]] for doc, url, *_ in rows}
        keepers = list(range(len(documents)))
        self.similarities, self.contained, self.words = {}, {}, {}
        for doc, _, keeper, similarity, reason, container, count in rows:
            self.words[place[doc]] = count
            if reason in ("near_duplicate", "exact_duplicate"):
                keepers[place[doc]], self.similarities[place[doc]] = place[keeper], similarity
            if container is not None:
                self.contained[place[doc]] = place[container]
        self.bands, self.rows = (banding["bands"], banding["rows"]) if banding else (None, None)
        self.banding = f"{self.bands} x {self.rows}" if banding else "no bands"
        super().__init__(keepers, seconds)

    def promise(self, *similarities):
        return mean([1 - (1 - j ** self.rows) ** self.bands for j in similarities]) if self.bands else None


class Program:
    """The binary with the settings of all runs, and the documents as an archive."""

    def __init__(self, path, sets, documents, folder):
        self.path, self.documents, self.folder, self.sets = path, documents, folder, []
        self.settings = self.config()
        self.sets = [setting for setting in SETS if self.knows(setting)] + sets
        self.settings = self.config()
        write_warc(documents, f"{folder}/neardup.warc.gz")

    def run(self, arguments, sets=()):
        flags = [flag for setting in [*self.sets, *sets] for flag in ("--set", setting)]
        return subprocess.run([self.path, *arguments, *flags], check=True, stdout=subprocess.PIPE, text=True).stdout

    def config(self):
        return tomllib.loads(self.run(["config"]))

    def knows(self, setting):
        section, key = setting.split("=")[0].split(".")
        return key in self.settings.get(section, {})

    def build(self, *sets):
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            arguments = ["build", f"{self.folder}/neardup.warc.gz", "--out", out, "--quiet"]
            _, seconds = timed(lambda: self.run(arguments, sets), resource.RUSAGE_CHILDREN)
            banding = json.loads(pathlib.Path(out, "stats.json").read_text()).get("banding")
            rows = duckdb.sql(f"""SELECT doc, url, keeper, similarity, drop_reason, contained_in, words
                FROM '{out}/documents/*.parquet' ORDER BY doc""").fetchall()
        return Corpus(rows, banding, self.documents, seconds)


def write_warc(documents, path):
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for n, document in enumerate(documents):
            headers = {"WARC-Date": f"2026-01-{1 + n // 86400:02}T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}Z",
                       "WARC-Record-ID": f"<{uuid.UUID(int=n + 1).urn}>"}
            writer.write_record(writer.create_warc_record(
                f"http://neardup.example/{document['id']}", "conversion", io.BytesIO(document["text"].encode()),
                warc_content_type="text/plain", warc_headers_dict=headers))


def timed(function, who=resource.RUSAGE_SELF):
    before = resource.getrusage(who).ru_utime
    return function(), resource.getrusage(who).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("neardup", metavar="NEARDUP.jsonl.gz")
    parser.add_argument("--warcorpus", metavar="BIN", default="target/release/warcorpus")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument("--thresholds", action="store_true")
    parser.add_argument("--methods", metavar="M,M...", nargs="?", const=METHODS)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    documents = [json.loads(line) for line in gzip.open(options.neardup, "rt", encoding="utf-8")]
    for document in documents:
        document["words"] = words(document["text"])
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.warcorpus, options.set, documents, folder)
        threshold, w = program.settings["near"]["threshold"], program.settings["near"]["shingle"]
        truth, corpus, plain = Truth(documents, w), program.build(), program.build("near.enabled=false")
        equal = share(plain.words.get(place) == len(document["words"]) for place, document in enumerate(documents))
        print(f"Texts that have as many words in the corpus: {equal}. Shingles of {w} words, threshold {threshold:g}, "
              f"{corpus.banding}. {corpus.seconds:.1f} s; {plain.seconds:.1f} s without duplicate detection.\n")
        peers = run_peers(truth, corpus) if options.peers else {}
        print_recall(truth, corpus, threshold, peers)
        print_containment(truth, corpus, threshold)
        if options.thresholds:
            print_thresholds(program, truth)
        if options.methods or peers:
            print_methods(program, truth, corpus, threshold, (options.methods or "").split(","), peers)


def print_recall(truth, corpus, threshold, peers):
    print_head("J", "pairs", "expected", *SHARES, *(f"candidates of {name}" for name in peers))
    for name, pairs in [*truth.bins(threshold), ("threshold and above", truth.above(threshold))]:
        candidates = [share(pair[:2] in found for pair in pairs) for found, _ in peers.values()]
        expected = corpus.promise(*(pair.j for pair in pairs))
        print_row(name, len(pairs), expected, *shares(truth, corpus, threshold, pairs), *candidates)
    similarity = {place: truth.pair(place, keeper).j for place, keeper in corpus.dropped}
    error = max((abs(similarity[place] - s) for place, s in corpus.similarities.items() if s is not None), default=0)
    print(f"\nDropped in favour of a text with J >= {threshold:g}: {share(j >= threshold for j in similarity.values())}. "
          f"Greatest error of `similarity`: {error:.0e}.\n")


def shares(truth, corpus, threshold, pairs):
    above, alone = [pair for pair in pairs if pair.j >= threshold], truth.alone(threshold)
    return (share(map(corpus.found, above)), share(map(corpus.together, pairs)),
            share(corpus.found(pair) for pair in above if pair in alone))


def print_containment(truth, corpus, threshold):
    if not corpus.contained:
        print("No document has `contained_in`.\n")
        return
    size = [len(numbered) for numbered in truth.sets]
    true = {place: len(truth.sets[place] & truth.sets[container]) >= CONTAINED * size[place]
            for place, container in corpus.contained.items()}
    pairs = [sorted(pair[:2], key=lambda place: size[place]) for pair in truth.pairs
             if pair.inside >= CONTAINED and pair.j < threshold and not corpus.found(pair)]
    print_head("edit", "contained texts", "named one that contains it", "named this very one")
    for edit in ("first_half", "concat", "any"):
        some = [ab for ab in pairs if edit in ("any", *(truth.documents[place]["edit"] for place in ab))]
        very = share(corpus.contained.get(a) == b for a, b in some)
        print_row(edit, len(some), share(true.get(a, False) for a, _ in some), very)
    print(f"\nPairs with {CONTAINED:g} or more of the shorter one's shingles in the longer, J < {threshold:g}, neither "
          f"dropped as a duplicate. True `contained_in`: {share(true.values())}.\n")


def print_thresholds(program, truth):
    print_head("threshold", "shingle", "banding", "expected at the threshold", "expected", *SHARES, "true drops")
    for threshold, w in THRESHOLDS:
        truth = truth if truth.w == w else Truth(truth.documents, w)
        corpus = program.build(f"near.threshold={threshold}", f"near.shingle={w}")
        expected = corpus.promise(*(pair.j for pair in truth.above(threshold)))
        print_row(f"{threshold:g}", w, corpus.banding, corpus.promise(threshold), expected,
                  *shares(truth, corpus, threshold, truth.above(threshold)), share(true_drops(truth, corpus, threshold)))
    print()


def true_drops(truth, clusters, threshold):
    return [truth.pair(*pair).j >= threshold for pair in clusters.dropped]


def print_methods(program, truth, corpus, threshold, methods, peers):
    print_head("method", "verification", "pairs", "precision", "recall", "F", "true drops", "user CPU")
    for method in methods:
        for verify in ("none", "exact"):
            sets = [s for s in (f"near.method={method}", f"near.verify={verify}") if program.knows(s)]
            if len(sets) == 2:
                print_clusters(truth, threshold, (method, verify), program.build(*sets))
    true = {pair[:2] for pair in truth.above(threshold)}
    for name, (candidates, seconds) in peers.items():
        quality = scores(len(candidates & true), len(candidates), len(true))
        print_row(name, "none", len(candidates), *quality, "", f"{seconds:.1f} s")
        verified, more = timed(lambda: [pair for pair in candidates if truth.pair(*pair).j >= threshold])
        print_clusters(truth, threshold, (name, "exact"), greedy(truth.documents, verified, seconds + more))
    print_clusters(truth, threshold, ("as configured", ""), corpus)
    print_clusters(truth, threshold, ("all true pairs", ""), greedy(truth.documents, true, 0))
    print(f"\nTrue pairs: {len(true):,}, those with J >= {threshold:g}. Found pairs: all pairs within a cluster; of "
          "peers without verification, their candidates. Seconds of the whole build; of peers, from ready shingles on.\n")


def print_clusters(truth, threshold, names, clusters):
    found = sum(n * (n - 1) // 2 for n in collections.Counter(clusters.keepers).values())
    hits = sum(map(clusters.together, truth.above(threshold)))
    quality = scores(hits, found, len(truth.above(threshold)))
    seconds = f"{clusters.seconds:.1f} s" if clusters.seconds else ""
    print_row(*names, found, *quality, share(true_drops(truth, clusters, threshold)), seconds)


def scores(hits, found, true):
    return hits / max(1, found), hits / max(1, true), 2 * hits / max(1, found + true)


def greedy(documents, pairs, seconds):
    """The longest first, each document is kept unless it is paired with one that is kept already."""
    order = sorted(range(len(documents)), key=lambda place: -len(documents[place]["text"]))
    rank = {place: n for n, place in enumerate(order)}
    before = collections.defaultdict(list)
    for pair in pairs:
        first, second = sorted(pair, key=rank.get)
        before[second].append(first)
    keepers = list(range(len(documents)))
    for place in order:
        keepers[place] = min((p for p in before[place] if keepers[p] == p), key=rank.get, default=place)
    return Stars(keepers, seconds)


def run_peers(truth, corpus):
    bands, rows = corpus.bands or 14, corpus.rows or 8
    return {peer.__name__: timed(lambda: set(peer(truth.strings, bands, rows))) for peer in (datasketch, rensa)}


def datasketch(texts, bands, rows):
    from datasketch import MinHash, MinHashLSH
    index = MinHashLSH(num_perm=bands * rows, params=(bands, rows))
    for place, strings in enumerate(texts):
        sketch = MinHash(num_perm=bands * rows)
        sketch.update_batch([string.encode() for string in strings])
        yield from ((earlier, place) for earlier in index.query(sketch))
        index.insert(place, sketch)


def rensa(texts, bands, rows):
    from rensa import RMinHash, RMinHashLSH
    index = RMinHashLSH(threshold=0.5, num_perm=bands * rows, num_bands=bands)  # a threshold it does not query by
    for place, strings in enumerate(texts):
        sketch = RMinHash(num_perm=bands * rows, seed=42)
        sketch.update(list(strings))
        yield from ((earlier, place) for earlier in index.query(sketch))
        index.insert(place, sketch)


def mean(values):
    return sum(values) / len(values) if values else None


def share(truths):
    truths = list(truths)
    return f"{sum(truths):,} of {len(truths):,} = {mean(truths):.3f}" if truths else ""


def print_head(*names):
    print("|", " | ".join(names), "|\n|", " | ".join("---" for _ in names), "|")


def print_row(*cells):
    texts = {float: "{:.3f}".format, int: "{:,}".format, type(None): lambda _: ""}
    print("|", " | ".join(texts.get(type(cell), str)(cell) for cell in cells), "|")


if __name__ == "__main__":
    main()
