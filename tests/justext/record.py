"""Choose pages from the output of reference.py and record what the reference made of them.

    record.py REFERENCE.jsonl > ../data/justext-reference.json

The pages are not ours to ship, so a paragraph is kept as [64-bit FNV-1a of its UTF-8 text, class,
context-free class], classes by their first letter. Pages are spread over the sets: of each set the
four of 10 to 150 paragraphs whose record ids hash lowest, short of fifty in all filled up in the same order.
"""
import hashlib
import json
import sys

PER_SET, ALL = 4, 50


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def order(row):
    return hashlib.sha256(row["record_id"].encode()).hexdigest()


rows = sorted(filter(lambda row: 10 <= len(row.get("paragraphs", [])) <= 150, map(json.loads, open(sys.argv[1]))),
              key=order)
chosen, rest, count = [], [], {}
for row in rows:
    count[row["set"]] = count.get(row["set"], 0) + 1
    (chosen if count[row["set"]] <= PER_SET else rest).append(row)
chosen = (chosen + rest)[:ALL]
pages = [{"set": row["set"], "record_id": row["record_id"],
          "paragraphs": [[fnv(text), kind[0], alone[0]] for text, kind, alone in row["paragraphs"]]}
         for row in sorted(chosen, key=lambda row: (row["set"], order(row)))]
print("[\n" + ",\n".join(json.dumps(page, separators=(",", ":")) for page in pages) + "\n]")
