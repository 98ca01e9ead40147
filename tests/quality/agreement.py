"""How often a recipe decides as datatrove does with words of its own: by language, of a corpus with texts and signals.

    warcorpus build … --set quality.recipe=gopher --set output.formats=parquet --out CORPUS
    python agreement.py CORPUS gopher|fineweb

Needs datatrove with the packages of its tokenizers (spaCy, and others for Thai, Korean and Vietnamese)."""

import collections
import sys

import pyarrow.parquet
from datatrove.data import Document
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter

FEWEST, MOST = 5, 500


def filters(language, recipe):
    # Stop words of other languages than English are a matter of thresholds.
    stop_words = 2 if language == "eng" else 0
    gopher = [GopherRepetitionFilter(language=language), GopherQualityFilter(language=language, min_stop_words=stop_words)]
    fineweb = [C4QualityFilter(language=language, filter_no_terminal_punct=False), FineWebQualityFilter(language=language)]
    return gopher if recipe == "gopher" else gopher + fineweb


def judge(text, steps):
    """The reason of the first filter that drops a text."""
    document = Document(text=text, id="")
    results = (step.filter(document) for step in steps)
    return next((result[1] for result in results if isinstance(result, tuple) and not result[0]), None)


corpus, recipe = sys.argv[1:]
texts = pyarrow.parquet.read_table(f"{corpus}/texts", columns=["doc", "language", "text"]).to_pylist()
signals = pyarrow.parquet.read_table(f"{corpus}/signals", columns=["doc", "failed_rule"]).to_pylist()
failed = {row["doc"]: row["failed_rule"] for row in signals}
by_language = collections.defaultdict(list)
for row in texts:
    by_language[row["language"]].append(row)
documents = decisions = 0
for language, rows in sorted(by_language.items(), key=lambda item: -len(item[1])):
    if language == "und" or len(rows) < FEWEST:
        continue
    try:
        steps = filters(language, recipe)
        pairs = [(failed[row["doc"]], judge(row["text"], steps)) for row in rows[:MOST]]
    except (ImportError, OSError) as missing:
        print(language, "not compared:", missing)
        continue
    alike = sum((ours is None) == (theirs is None) for ours, theirs in pairs)
    others = collections.Counter(pair for pair in pairs if (pair[0] is None) != (pair[1] is None))
    print(language, len(pairs), f"{alike / len(pairs):.3f}", dict(others.most_common(3)))
    documents, decisions = documents + len(pairs), decisions + alike
print("all", documents, f"{decisions / documents:.3f}")
