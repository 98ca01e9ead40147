#!/usr/bin/env python3
"""The paragraphs of a built corpus in the form that compare.py reads.

    from_corpus.py CORPUS REFERENCE.jsonl > ours.jsonl

Pages come in the order of REFERENCE. Build with: --set clean.cleaner=justext --set clean.compat=true --set clean.stoplist=English
"""
import collections
import json
import sys

import duckdb

corpus, reference = sys.argv[1:3]
rows = duckdb.sql(f"""SELECT d.record_id, p.text, p.class, p.context_free
    FROM '{corpus}/paragraphs/*.parquet' p JOIN '{corpus}/documents/*.parquet' d USING (doc)
    ORDER BY p.doc, p.index""").fetchall()
pages = collections.defaultdict(list)
for record_id, *paragraph in rows:
    pages[record_id].append(paragraph)
for line in open(reference, encoding="utf-8"):
    record_id = json.loads(line)["record_id"]
    print(json.dumps({"record_id": record_id, "paragraphs": pages[record_id.strip("<>")]}))
