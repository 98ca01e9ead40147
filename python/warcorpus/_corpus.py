"""A built corpus."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, cast

from ._program import Failed, StrPath, UsageError, _plain, run
from ._rows import Rows, Table

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.compute
    import pyarrow.dataset


# An option of the command line; None leaves it out.
Option = Union[bool, int, str, "Iterable[str]", None]

_TABLES = ("documents", "paragraphs", "boilerplate", "signals", "pii", "labels", "texts")

# The fields of a hit in `concord --format json`.
_HIT: dict[str, type] = {
    "id": int,
    "keyword": str,
    "form": str,
    "concordance": str,
    "start": int,
    "end": int,
    "url": str,
    "date": str,
    "doc_date": str,
    "lang": str,
    "doc": int,
    "p_idx": int,
}


def open(path: StrPath) -> Corpus:
    """Opens a corpus that is built. Raises `UsageError` if there is none at `path`."""
    return Corpus(path)


class Corpus:
    """The directory of a corpus that is built."""

    def __init__(self, path: StrPath) -> None:
        self.path = Path(path)
        if not (self.path / "stats.json").is_file():
            raise UsageError(2, f"{path} holds no corpus that is built")

    def __repr__(self) -> str:
        return f"Corpus({os.fspath(self.path)!r})"

    def stats(self) -> dict[str, Any]:
        """The counts of the job: `stats.json`."""
        counts: dict[str, Any] = json.loads((self.path / "stats.json").read_text("utf-8"))
        return counts

    def table(self, name: str, columns: Sequence[str] | None = None, filter: pyarrow.compute.Expression | None = None) -> Table:
        """A table by its name: documents, paragraphs, boilerplate, signals, pii, labels, texts.

        `columns` are names, or one name; None takes all, here and in the other methods. `filter` is an expression such as
        `pyarrow.compute.field("words") > 100`.
        """
        if name not in _TABLES or not (self.path / name).is_dir():
            raise UsageError(2, f"{self.path} has no table {name}; tables are {', '.join(_TABLES)}, some only on request")
        return Table(_dataset(self._files(name)), None if columns is None else _names(columns), filter)

    def documents(
        self, columns: Sequence[str] | None = None, *, kept: bool | None = None, language: str | Iterable[str] | None = None
    ) -> Table:
        """One row per page with a text. `kept` and `language` choose rows; None takes all.

        `language` is one or several, here and in the other methods, each an ISO 639-3 or 639-1 code or an English name: `ces`, `cs`
        or `Czech`.
        """
        return self.table("documents", columns, _chosen(kept, language))

    def paragraphs(
        self, columns: Sequence[str] | None = None, *, kept: bool | None = None, language: str | Iterable[str] | None = None
    ) -> Table:
        """One row per content paragraph. `kept` and `language` (of the paragraph) choose rows; None takes all."""
        return self.table("paragraphs", columns, _chosen(kept, language))

    def texts(
        self, columns: Sequence[str] | None = ("url", "title", "language"), *, language: str | Iterable[str] | None = None
    ) -> Rows:
        """One row per kept document: its key `doc`, `columns` of `documents`, and `text`, paragraphs parted by line feeds.

        `language` chooses documents. The text is put together from the tables, one shard at a time.
        """
        import pyarrow

        chosen = _chosen(True, language)
        names = self.documents().schema.names if columns is None else _names(columns)
        wanted = ["doc", *(column for column in names if column != "doc")]
        documents = self.table("documents", wanted, chosen)
        schema = documents.schema.append(pyarrow.field("text", pyarrow.string()))

        def batches() -> Iterator[pyarrow.RecordBatch]:
            for part in self._files("documents"):
                shard = _texts_of_shard(part, wanted, chosen)
                yield from shard.cast(schema).to_batches()

        return Rows(batches, schema)

    def concord(self, *words: str, **options: Option) -> Rows:
        """A concordance, one row per hit: the options of `warcorpus concord`, with underscores for hyphens.

        An option that takes several values with commas also takes a list: `language=["ces", "slk"]`. None leaves an option out.

        `corpus.concord("tide", "tides", language="eng", sort="right", limit=100, tokens=8)`
        """
        import pyarrow

        if any(options.get(option) for option in ("count", "by", "format")):
            raise UsageError(2, "count, by and format do not give rows; use warcorpus.run")
        hits: list[dict[str, Any]] = json.loads(run("concord", "--format=json", *_flags(options), "--", self.path, *words))
        fields = [pyarrow.field(name, pyarrow.uint64() if of is int else pyarrow.string()) for name, of in _HIT.items()]
        schema = pyarrow.schema(fields)
        rows = pyarrow.Table.from_pylist(hits, schema)
        return Rows(lambda: iter(rows.to_batches()), schema)

    def explain(self, page: str | int) -> str:
        """Why a page, by URL or key, and each of its blocks were kept or dropped."""
        return run("explain", "--", self.path, str(page))

    def _files(self, name: str) -> list[Path]:
        """The files of a table in corpus order, which their names have."""
        files = sorted((self.path / name).glob("part-*.parquet"))
        # `texts` may be cut by bytes; all other tables have a file for each shard.
        if name != "texts" and len(files) != (shards := self.stats()["shards"]):
            raise Failed(1, f"{self.path / name} has {len(files)} of {shards} files")
        return files


def _dataset(files: list[Path]) -> pyarrow.dataset.Dataset:
    import pyarrow.dataset

    return pyarrow.dataset.dataset([os.fspath(file) for file in files], format="parquet")


def _chosen(kept: bool | None, language: str | Iterable[str] | None) -> pyarrow.compute.Expression | None:
    import pyarrow.compute

    field = pyarrow.compute.field
    conditions = [field("kept") == kept] if kept is not None else []
    if language is not None:
        codes = [_code(name) for name in _names(language)]
        if not codes:
            raise UsageError(2, "language is an empty list")
        conditions.append(field("language").isin(codes))
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else conditions[0] & conditions[1]


def _code(language: str) -> str:
    """The ISO 639-3 code of a language, as the tables have it."""
    # A model may know more languages than the program: other codes of three letters are taken as they are.
    code = _codes().get(language.lower(), language)
    if not re.fullmatch("[a-z]{3}", code):
        raise UsageError(2, f"{language} is no language that is identified; warcorpus.run('languages') lists them")
    return code


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The ISO 639-3 codes of languages by all their names in lower case: codes and English names."""
    rows = [line.split("\t") for line in run("languages").splitlines()[1:]]
    names = {name.lower(): code for code, two, english, *_ in rows for name in (two, english) if name}
    return names | {code: code for code, *_ in rows}


def _texts_of_shard(part: Path, columns: list[str], chosen: pyarrow.compute.Expression | None) -> pyarrow.Table:
    """The kept documents of a shard with their texts, in corpus order; documents without text are left out."""
    import pyarrow.compute
    import pyarrow.dataset

    documents = pyarrow.dataset.dataset(part).to_table(columns=columns, filter=chosen)
    paragraphs = pyarrow.dataset.dataset(part.parent.parent / "paragraphs" / part.name)
    kept = paragraphs.to_table(columns=["doc", "text"], filter=pyarrow.compute.field("kept"))
    # Without threads the groups stay in the order of the rows.
    grouped = kept.group_by("doc", use_threads=False).aggregate([("text", "list")])
    texts = cast("pyarrow.ChunkedArray[Any]", pyarrow.compute.binary_join(grouped["text_list"], "\n"))
    rows = pyarrow.compute.index_in(documents["doc"], grouped["doc"])
    return documents.append_column("text", texts.take(rows)).filter(rows.is_valid())


def _names(names: str | Iterable[str]) -> list[str]:
    """Names as a list; a string is one name."""
    return [names] if isinstance(names, str) else list(names)


def _flags(options: dict[str, Option]) -> list[str]:
    """Keyword arguments as options of the command line; the items of a list are separated by commas."""
    flags: list[str] = []
    for name, option in options.items():
        flag, value = f"--{name.replace('_', '-')}", _plain(option)
        if value is True:
            flags.append(flag)
        elif value is not False and value is not None:
            several = isinstance(value, Iterable) and not isinstance(value, str)
            flags.append(f"{flag}={','.join(value) if several else value}")
    return flags
