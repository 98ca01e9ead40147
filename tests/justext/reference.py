"""Run the Python jusText over every response of the given WARC files.

    reference.py OUT.jsonl NAME.warc.gz...

Writes one line per page: record_id, set, html (the decoded page both sides get) and
paragraphs as [text, class, context-free class].
"""
import json
import multiprocessing
import os
import re
import sys

import justext
from warcio.archiveiterator import ArchiveIterator

DECLARATION = re.compile(r"\s*<\?xml[^>]*>")
WINDOWS_1252 = {b: bytes([b]).decode("cp1252") if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(b)
                for b in range(0x80, 0xA0)}
STOP = justext.get_stoplist("English")


def decode(body):
    """UTF-8 if it is valid, else windows-1252; without byte-order mark and XML declaration."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("latin-1").translate(WINDOWS_1252)
    text = text.removeprefix("\ufeff")
    found = DECLARATION.match(text)
    return text[found.end():] if found else text


def pages(path):
    with open(path, "rb") as f:
        for record in ArchiveIterator(f):
            if record.rec_type == "response":
                yield (os.path.basename(path).removesuffix(".warc.gz"),
                       record.rec_headers.get_header("WARC-Record-ID"), decode(record.content_stream().read()))


def reference(job):
    name, record_id, html = job
    row = {"set": name, "record_id": record_id, "html": html}
    try:
        row["paragraphs"] = [[p.text, p.class_type, p.cf_class] for p in justext.justext(html, STOP)]
    except Exception as error:  # lxml refuses the page: nothing to compare with
        row["error"] = repr(error)
    return row


if __name__ == "__main__":
    jobs = (page for path in sys.argv[2:] for page in pages(path))
    with open(sys.argv[1], "w") as out, multiprocessing.Pool(2) as pool:
        for row in pool.imap(reference, jobs, chunksize=8):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
