#!/usr/bin/env python3
"""Recall of planted duplicates in a built corpus, and whether any drop is false.

    planted.py CORPUS planted.jsonl

planted.jsonl: one object a line with url, kind (exact or near), of_url and jaccard_w5, the true
similarity of the two pages' visible texts. A pair counts when both pages came to a text; it is found
when both belong to the same cluster. What can be compared is not the visible but the extracted text:
the second table goes by the word 5-gram similarity of that. Needs duckdb.
"""
import collections
import json
import re
import sys

import duckdb

corpus, planted = sys.argv[1:3]
rows = duckdb.sql(f"SELECT doc, url, keeper, similarity, drop_reason FROM '{corpus}/documents/*.parquet'").fetchall()
by_url = {url: (doc, keeper, reason) for doc, url, keeper, _, reason in rows}
cluster = {url: doc if keeper is None else keeper for doc, url, keeper, _, _ in rows}
NO_TEXT = ("boilerplate", "no_text")

found, total, without = collections.Counter(), collections.Counter(), collections.Counter()
near = []
for line in open(planted, encoding="utf-8"):
    pair = json.loads(line)
    a, b = by_url.get(pair["url"]), by_url.get(pair["of_url"])
    if pair["kind"] == "exact":
        name = "exact"
    else:
        j = pair["jaccard_w5"] or 0
        name = next(f"near {low:.2f} and above" if low == 0.9 else f"near {low:.2f} to {high:.2f}"
                    for low, high in [(0.9, 2), (0.8, 0.9), (0.75, 0.8), (0.5, 0.75), (0, 0.5)] if j >= low)
    if a is None or b is None or a[2] in NO_TEXT or b[2] in NO_TEXT:
        without[name] += 1
        continue
    if pair["kind"] == "near":
        near.append((a, b, cluster[pair["url"]] == cluster[pair["of_url"]]))
    for key in {name, "near 0.80 and above" if name.startswith("near") and pair["jaccard_w5"] >= 0.8 else name}:
        total[key] += 1
        found[key] += cluster[pair["url"]] == cluster[pair["of_url"]]
for name in sorted(total):
    print(f"{name:20} {found[name]:6} of {total[name]:6} = {found[name] / total[name]:.4f}   ({without[name]} without text)")

docs = sorted({doc for a, b, _ in near for doc in (a[0], b[0])})
duckdb.sql("CREATE TABLE wanted (doc UBIGINT)")
duckdb.sql(f"INSERT INTO wanted SELECT unnest({docs})")
texts = dict(duckdb.sql(f"""SELECT doc, string_agg(text, ' ' ORDER BY index) FROM '{corpus}/paragraphs/*.parquet'
    SEMI JOIN wanted USING (doc) WHERE NOT boilerplate GROUP BY doc""").fetchall())


def shingles(doc):
    words = re.findall(r"\w+", texts.get(doc, "").lower())
    return {tuple(words[i:i + 5]) for i in range(max(1, len(words) - 4))}


found, total, left = collections.Counter(), collections.Counter(), collections.Counter()
for a, b, joined in near:
    x, y = shingles(a[0]), shingles(b[0])
    j = len(x & y) / len(x | y)
    low = max(low for low in (0, 0.5, 0.75, 0.8, 0.9) if j >= low)
    for name in {f"from {low:.2f}", "0.80 and above" if j >= 0.8 else f"from {low:.2f}"}:
        total[name] += 1
        found[name] += joined
        left[name] += a[2] == b[2] == ""
print("by the similarity of the extracted texts:")
for name in sorted(total):
    print(f"  {name:18} {found[name]:6} of {total[name]:6} = {found[name] / total[name]:.4f}   (both kept: {left[name]})")

keepers = {doc: (keeper, reason) for doc, _, keeper, _, reason in rows}
dropped = [(doc, keeper, similarity) for doc, _, keeper, similarity, _ in rows if keeper is not None]
false = [d for d in dropped if d[2] is None or d[2] < 0.75 or keepers[d[1]][0] is not None]
print(f"{len(dropped)} dropped in favour of another document, {len(false)} of them with a similarity below 0.75 or a keeper that is dropped itself")
