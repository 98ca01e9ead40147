"""Compare our paragraphs with the reference's: compare.py REFERENCE.jsonl OURS.jsonl [MISSES]"""
import collections
import difflib
import json
import sys

total = collections.Counter()
by_set = collections.defaultdict(collections.Counter)
worst = []
for a, b in zip(open(sys.argv[1]), open(sys.argv[2])):
    a, b = json.loads(a), json.loads(b)
    assert a["record_id"] == b["record_id"]
    if "error" in a:
        total["errors"] += 1
        continue
    ref, ours = [tuple(p) for p in a["paragraphs"]], [tuple(p) for p in b["paragraphs"]]
    c = collections.Counter(ref=len(ref), ours=len(ours), pages=1)
    if ref == ours:
        c["text"] = c["class"] = c["cf"] = len(ref)
        c["equal_pages"] = 1
    else:
        m = difflib.SequenceMatcher(None, [p[0] for p in ref], [p[0] for p in ours], autojunk=False)
        for i, j, n in m.get_matching_blocks():
            c["text"] += n
            c["class"] += sum(ref[i + k] == ours[j + k] for k in range(n))
            c["cf"] += sum(ref[i + k][2] == ours[j + k][2] for k in range(n))
        worst.append((max(len(ref), len(ours)) - c["class"], a["set"], a["record_id"]))
    total += c
    by_set[a["set"]] += c
for name, c in [*sorted(by_set.items()), ("ALL", total)]:
    print(f"{name:16} pages {c['pages']:5} equal {c['equal_pages']:5} ref {c['ref']:7} ours {c['ours']:7} "
          f"text {c['text']/max(1,c['ref']):.5f} class {c['class']/max(1,c['ref']):.5f} of ours {c['class']/max(1,c['ours']):.5f}")
print(dict(total))
if len(sys.argv) > 3:
    worst.sort(reverse=True)
    for w in worst[:int(sys.argv[3])]:
        print(*w)
