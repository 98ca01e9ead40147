#!/usr/bin/env python3
"""Writes a changed copy of web archives, and what was changed, to measure `warcorpus compare`.

    changed_copy.py --in a/*.warc.gz --other c/*.warc.gz --out b.warc.gz > planted.jsonl

Needs Python 3.8+ and warcio. Of every hundred responses of --in, by a hash of their address:

    8   changed    the body of a page of --other
    2   edited     a sentence added to the longest paragraph
    2   template   a link added at the beginning of the body
    4   moved      another address
    2   gone       left out
    2   new        left in, and a page of --other added at an address of its own

The rest is copied. One JSON object for each change goes to standard output: {"kind", "url", "new_url"}.
"""
import argparse
import hashlib
import io
import json
import re

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

KINDS = ["changed"] * 8 + ["edited"] * 2 + ["template"] * 2 + ["moved"] * 4 + ["gone"] * 2 + ["new"] * 2
SENTENCE = " Nobody had seen the green heron of the harbour before that evening in late autumn."


def responses(paths):
    for path in paths:
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response" and record.http_headers:
                    yield record, record.content_stream().read()


def edited(body):
    """The body with a sentence in its longest text between <p> and </p>; None if it has none of 200 bytes."""
    paragraphs = [m for m in re.finditer(rb"<p[^>]*>([^<]{200,})</p>", body)]
    if not paragraphs:
        return None
    longest = max(paragraphs, key=lambda m: m.end(1) - m.start(1))
    return body[: longest.end(1)] + SENTENCE.encode() + body[longest.end(1) :]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--in", dest="input", nargs="+", required=True)
    parser.add_argument("--other", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    others = responses(arguments.other)
    with open(arguments.out, "wb") as out:
        writer = WARCWriter(out, gzip=True)

        def write(url, record, body):
            old = record.http_headers
            kept = [(k, v) for k, v in old.headers if k.lower() not in ("content-length", "content-encoding", "transfer-encoding")]
            headers = StatusAndHeaders(old.statusline, kept, protocol=old.protocol)
            date = {"WARC-Date": record.rec_headers.get_header("WARC-Date")}
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers, warc_headers_dict=date)
            )

        for record, body in responses(arguments.input):
            url = record.rec_headers.get_header("WARC-Target-URI")
            number = int.from_bytes(hashlib.sha256(url.encode()).digest()[:8], "big") % 100
            kind = KINDS[number] if number < len(KINDS) else None
            new_url = url
            if kind == "changed":
                record, body = next(others)
            elif kind == "edited":
                body = edited(body) or body
                kind = kind if SENTENCE.encode() in body else None
            elif kind == "template":
                body, count = re.subn(rb"(<body[^>]*>)", rb'\1<div class="nav"><a href="/x">Weather</a></div>', body, count=1)
                kind = kind if count else None
            elif kind == "moved":
                host, _, path = url.partition("://")[2].partition("/")
                new_url = "http://%s/moved-%s" % (host, path)
            elif kind == "new":
                write(url, record, body)
                record, body = next(others)
                new_url = "http://new.example/%s" % hashlib.sha256(url.encode()).hexdigest()[:12]
            if kind:
                print(json.dumps({"kind": kind, "url": url, "new_url": new_url}))
            if kind != "gone":
                write(new_url, record, body)


if __name__ == "__main__":
    main()
