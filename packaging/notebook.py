"""What a notebook does with the package, as a test: notebook.py ARCHIVE FOLDER. Needs pandas and polars."""

import contextlib
import gzip
import io
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import warnings

import numpy
import pandas
import polars
import pyarrow.compute

import warcorpus

archive, folder = sys.argv[1:]


def raised(kind, call):
    """The exception that a call raises."""
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


# Progress goes where the cell's standard error is.
said = io.StringIO()
with contextlib.redirect_stderr(said):
    corpus = warcorpus.build(archive, out=f"{folder}/corpus", output={"formats": ["jsonl"]}, vertical={"maintainer": "Lab \u2116 7"})
assert "input files: 1" in said.getvalue(), said.getvalue()

documents = corpus.documents(kept=True).to_pandas()
assert isinstance(documents, pandas.DataFrame) and documents["kept"].all()
assert len(documents) == corpus.stats()["documents"]["kept"]

czech = corpus.texts(["url"], language="ces").to_polars()
assert isinstance(czech, polars.DataFrame) and czech.columns == ["doc", "url", "text"], czech.columns
assert czech["doc"].is_sorted() and len(czech) == (documents["language"] == "ces").sum()
assert czech.equals(corpus.texts(["url"], language="cs").to_polars()) and len(czech) > 0
assert corpus.paragraphs(language="Czech").to_pandas().equals(corpus.paragraphs(language="ces").to_pandas())
# `no` is two languages.
assert "languages" in str(raised(warcorpus.UsageError, lambda: corpus.documents(language="no")))

with gzip.open(f"{folder}/corpus/jsonl/part-00000.jsonl.gz", "rt", encoding="utf-8") as lines:
    written = [json.loads(line) for line in lines]
assert [row["text"] for row in written] == [row["text"] for row in corpus.texts()]

long = corpus.table("paragraphs", ["doc", "text"], pyarrow.compute.field("characters") > 200)
assert long.to_arrow().num_rows > 0 and long.dataset.count_rows() > long.to_arrow().num_rows

# Several languages, also from a generator, which gives them once; None takes all columns.
of_both = corpus.texts(None, language=(name for name in ("cs", "English")))
assert {row["language"] for row in of_both} == set(of_both.to_polars()["language"]) == {"ces", "eng"}
assert set(of_both.schema.names) == {*corpus.documents().schema.names, "text"}
assert corpus.documents(kept=True, language=["ces"]).to_arrow().num_rows == len(czech)
assert "empty" in str(raised(warcorpus.UsageError, lambda: corpus.paragraphs(language=[])))

# One name is no list of letters.
assert corpus.documents("url").to_arrow().column_names == ["url"]
assert corpus.texts("url").schema.names == ["doc", "url", "text"]
assert repr(corpus.texts("url")) == "<Rows of 3 columns: doc, url, text>", repr(corpus.texts("url"))
assert repr(corpus.documents()).startswith("<Table of ") and repr(corpus.documents()).endswith(", …>")
# A folder of another format is no table.
assert "no table vertical" in str(raised(warcorpus.UsageError, lambda: corpus.table("vertical")))

# Records have bytes that are not UTF-8, and line ends that stay.
records = [warcorpus.run("show", corpus.path, str(key)) for key in documents["doc"]]
assert all("\r\n" in record for record in records)
assert any("\udc80" <= letter <= "\udcff" for record in records for letter in record)
assert all(record.encode("utf-8", "surrogateescape").startswith(b"WARC/1.") for record in records)

hits = corpus.concord("tide", "tides", limit=5, tokens=4).to_pandas()
assert list(hits["keyword"].unique()) == ["tide"] and len(hits) == 5
of_two = corpus.concord("tide", "voda", language=["ces", "eng"]).to_pandas()
assert set(of_two["lang"]) == {"ces", "eng"}, of_two
assert corpus.concord("nowhere-in-the-corpus").to_pandas().empty
assert len(corpus.concord("tide", language=None, limit=None).to_pandas()) > 2
assert len(corpus.concord("tide", limit=numpy.int64(2), case=numpy.bool_(False)).to_pandas()) == 2
assert "3.0" in str(raised(warcorpus.UsageError, lambda: corpus.concord("tide", limit=3.0)))
# Words and keys that begin with a hyphen are no options.
assert corpus.concord("-based", "--where=no").to_pandas().empty
assert "no document -1" in str(raised(warcorpus.UsageError, lambda: corpus.explain(-1)))
assert "kept" in corpus.explain(written[0]["metadata"]["url"])

# A lost file is no smaller table.
lost = corpus.path / "boilerplate" / "part-00000.parquet"
lost.rename(lost.with_suffix(".aside"))
assert "boilerplate has" in str(raised(warcorpus.Failed, lambda: corpus.table("boilerplate")))
lost.with_suffix(".aside").rename(lost)

# Exit codes.
for wrong in ({"near": {"threshold": 3}}, {"near": {"no_such_key": 1}}):
    error = raised(warcorpus.UsageError, lambda: warcorpus.build(archive, out=f"{folder}/refused", progress=False, **wrong))
    assert error.code == 2 and "near." in str(error), error
damaged = archive.replace("web.warc.gz", "damaged.warc.gz")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warcorpus.build(damaged, out=f"{folder}/damaged", progress=False)
assert [warning.category for warning in caught] == [warcorpus.UnreadableInput], caught

# No inputs are a job to resume, but an empty list is a pattern without a match.
assert warcorpus.build(out=corpus.path, progress=False).stats() == corpus.stats()
for inputs, wrong in (([], "empty"), (iter([]), "empty"), ("-", "standard input"), ([archive, "-"], "standard input")):
    assert wrong in str(raised(warcorpus.UsageError, lambda: warcorpus.build(inputs, out=f"{folder}/refused")))
assert not os.path.exists(f"{folder}/refused/stats.json")

# Paths that begin with a hyphen, and settings from NumPy.
archive = os.path.abspath(archive)
os.chdir(folder)
shutil.copy(archive, "-a.warc.gz")
settings = {"near": {"enabled": numpy.bool_(True), "threshold": numpy.float64(0.7), "shingle": numpy.int64(6)}}
odd = warcorpus.build("-a.warc.gz", out="-out", progress=False, language={"keep": numpy.array(["ces"])}, **settings)
assert len(odd.documents(kept=True).to_pandas()) == len(odd.documents(kept=True, language="ces").to_pandas()) > 0
assert len(odd.concord("voda").to_pandas()) > 0

# On a terminal the program says itself what is wrong.
_, terminal = pty.openpty()
call = "warcorpus.build('a', out='refused', near={'threshold': 3})"
script = f"import warcorpus\ntry: {call}\nexcept warcorpus.UsageError as error: print(error)"
told = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=terminal, check=True).stdout
assert b"its message is on the terminal" in told, told

# An exception that comes while the program runs stops it.
def alarmed(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, alarmed)
waiting = pathlib.Path("waiting")
waiting.write_text("#!/bin/sh\ntrap 'touch stopped; exit 130' TERM\nsleep 0.5\nkill -ALRM $PPID\nwhile :; do sleep 0.1; done\n")
waiting.chmod(0o755)
os.environ["WARCORPUS"] = os.path.abspath(waiting)
for call in (lambda: warcorpus.build(archive, out="stopping", progress=False), lambda: warcorpus.run("stats", "-out")):
    raised(TimeoutError, call)
    os.remove("stopped")

print(documents[["url", "language", "words"]].head())
print(czech.head(3))
print(hits[["doc", "concordance"]])
