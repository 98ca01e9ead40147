"""Rows of a corpus, in the frames that people work with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    import pyarrow.dataset


# Columns that a representation names.
_SHOWN = 8


class Rows:
    """Rows that are read when they are asked for, every time again."""

    def __init__(self, batches: Callable[[], Iterator[pyarrow.RecordBatch]], schema: pyarrow.Schema) -> None:
        self._batches = batches
        self.schema = schema

    def __repr__(self) -> str:
        names = self.schema.names
        more = ", …" if len(names) > _SHOWN else ""
        return f"<{type(self).__name__} of {len(names)} columns: {', '.join(names[:_SHOWN])}{more}>"

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """The rows in batches, so that memory does not grow with the corpus."""
        return self._batches()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Row by row, as dictionaries."""
        for batch in self.batches():
            yield from batch.to_pylist()

    def to_arrow(self) -> pyarrow.Table:
        import pyarrow

        return pyarrow.Table.from_batches(self.batches(), self.schema)

    def to_pandas(self) -> pandas.DataFrame:
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame


class Table(Rows):
    """A table of Parquet files, with the columns and rows that were asked for; `dataset` has all of them."""

    def __init__(
        self,
        dataset: pyarrow.dataset.Dataset,
        columns: list[str] | None,
        chosen: pyarrow.compute.Expression | None,
    ) -> None:
        scanner = dataset.scanner(columns=columns, filter=chosen)
        super().__init__(lambda: scanner.to_batches(), scanner.projected_schema)
        self.dataset = dataset
