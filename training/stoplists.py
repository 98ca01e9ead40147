"""Makes src/clean/stoplists/gathered.txt: stop lists of languages that the jusText package has none of use for.

    python3 training/stoplists.py TEXTS target/release/warcorpus

TEXTS is the folder with `languages/train.jsonl.zst` (docs/language.md); the program `zstd` reads it. A list has the commonest
forms by `warcorpus stoplist`, in lower case, at most 1,000. Languages with less than 90 kB of text have none, nor have scripts
that do not part words by spaces.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LEAST_BYTES = 90_000
MOST_WORDS = 1_000
# Least number of words of a list of the package that is of use.
LEAST_WORDS = 100
# Source whose licence is not certain.
LEFT_OUT = "bible-cc0"
WITHOUT_SPACES = {"bod", "dzo", "khm", "lao", "mya", "shn"}

ROOT = pathlib.Path(__file__).parent.parent
LISTS = ROOT / "src/clean/stoplists"


def codes_of_package():
    """Codes of the languages that have a list of use."""
    source = (LISTS / "mod.rs").read_text()
    pairs = re.findall(r'^    "(\w+)" "(\w{3})",$', source, re.M)
    of_use = {code for name, code in pairs if len((LISTS / f"{name}.txt").read_text().splitlines()) >= LEAST_WORDS}
    return of_use | {"kmr"}  # It has the list of the macrolanguage.


def codes_of_table():
    """Codes of the languages that are identified."""
    return set(re.findall(r'"(\w{3})"', (ROOT / "src/language/code.rs").read_text().split("];")[0]))


def texts(folder):
    """Texts of each language."""
    command = ["zstd", "-dc", "--long=27", folder / "languages/train.jsonl.zst"]
    lines = collections.defaultdict(list)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for row in map(json.loads, process.stdout):
            if row["source"] != LEFT_OUT:
                lines[row["lang"]].append(row["text"])
    return lines


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    wanted = codes_of_table() - codes_of_package() - WITHOUT_SPACES
    lists = []
    for code, lines in sorted(texts(folder).items()):
        text = "\n".join(lines)
        if code not in wanted or len(text.encode()) < LEAST_BYTES:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            made = subprocess.run([program, "stoplist", "--text", file.name], check=True, capture_output=True)
        words = dict.fromkeys(word.lower() for word in made.stdout.decode().split("\n") if word and "[" not in word)
        lists.append(f"[{code}]\n" + "".join(f"{word}\n" for word in list(words)[:MOST_WORDS]))
    (LISTS / "gathered.txt").write_text("".join(lists), encoding="utf-8")
    print(len(lists), "lists")


if __name__ == "__main__":
    main()
