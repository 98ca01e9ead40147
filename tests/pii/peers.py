"""Compares finds of personal data on cases.txt: ours, datatrove's (0.10.1, its own regular expressions), and Dolma's, whose
expressions are written here after their definition (taggers/pii.py; without its exclusion of URLs, which never applies).

    cargo run --release --example personal < tests/pii/cases.txt > ours.jsonl
    python tests/pii/peers.py tests/pii/cases.txt ours.jsonl
"""

import json
import re
import sys

from datatrove.pipeline.formatters.pii import PIIFormatter

MARKED = re.compile("⟦(\\w+):(.*?)⟧")
OCTET = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)"
DOLMA = {
    "email": re.compile(r"[.\s@,?!;:)(]*([^\s@]+@[^\s@,?!;:)(]+?)[.\s@,?!;:)(]?[\s\n\r]"),
    "ip": re.compile(rf"((?:{OCTET}\.){{3}}{OCTET})"),
    "phone": re.compile(r"\s+(\(?(\d{3})\)?[-\. ]*(\d{3})[-. ]?(\d{4}))"),
}


def datatrove(text):
    formatter = PIIFormatter()
    for kind, replacer in (("email", formatter.emails_replacer), ("ip", formatter.ip_replacer)):
        for match in replacer.regex.finditer(text):
            if replacer.validator is None or replacer.validator(match.group(0)):
                yield kind, match.group(0)


def dolma(text):
    for kind, expression in DOLMA.items():
        for match in expression.finditer(text):
            yield kind, match.group(1)


def tally(name, found, wanted):
    for kind in ("email", "ip", "iban", "phone", "card"):
        of = lambda finds: [[data for one, data in case if one == kind] for case in finds]
        found_there, wanted_there = of(found), of(wanted)
        right = sum(sum(data in case for data in finds) for finds, case in zip(found_there, wanted_there))
        finds, there = sum(map(len, found_there)), sum(map(len, wanted_there))
        if finds:
            print(f"{name:<10} {kind:<6} precision {right / finds:.3f} recall {right / there:.3f} ({right} of {there}, {finds} found)")
        else:
            print(f"{name:<10} {kind:<6} not sought")


lines = [line.rstrip("\n") for line in open(sys.argv[1], encoding="utf-8")]
wanted = [MARKED.findall(line) for line in lines]
plain = [MARKED.sub(r"\2", line) for line in lines]
tally("warcorpus", [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")], wanted)
tally("datatrove", [list(datatrove(line)) for line in plain], wanted)
tally("dolma", [list(dolma(line)) for line in plain], wanted)
