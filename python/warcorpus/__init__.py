"""Text corpora from web archives: runs the program `warcorpus`, and reads the corpora that it builds.

    import warcorpus

    corpus = warcorpus.build(["crawl/*.warc.gz"], out="corpus", language={"keep": ["ces", "slk"]})
    corpus.documents(kept=True).to_pandas()
    corpus.texts(language="ces").to_polars()
    corpus.concord("přílivu", limit=20).to_pandas()

Tables need pyarrow: `pip install "warcorpus[arrow]"`; frames need pandas or polars.
"""

from ._corpus import Corpus, open
from ._program import Failed, Interrupted, UnreadableInput, UsageError, build, program, run
from ._rows import Rows, Table

__all__ = [
    "Corpus",
    "Failed",
    "Interrupted",
    "Rows",
    "Table",
    "UnreadableInput",
    "UsageError",
    "build",
    "open",
    "program",
    "run",
]
