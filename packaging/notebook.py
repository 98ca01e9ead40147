"""What a notebook does with the package, as a test: notebook.py ARCHIVE FOLDER. Needs pandas and polars."""

import contextlib
import gzip
import io
import json
import sys
import warnings

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

print(documents[["url", "language", "words"]].head())
print(czech.head(3))
print(hits[["doc", "concordance"]])
