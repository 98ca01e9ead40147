"""Signals of OSCAR, MADLAD-400, DCLM's removal of lines and RedPajama's lines, after the definitions, with the standard
library alone and without regard for time.
"""

import bisect
import collections
import re
import unicodedata

# The property White_Space, as Rust has it; Python's \s and strip() have U+001C to U+001F, too.
WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
CURSED = ("ipsum", "Ep\\.", " №", "ction")
CURSED_PATTERNS = (r"(?: [^ ]){6}", r"[0-9]{3}$", r"\|\s*$", r"的.{3}的")


def share(part, whole):
    return part / whole if whole else None


def oscar(text):
    *ended, last = text.split("\n")
    lines = [line.removesuffix("\r") for line in ended] + ([last] if last else [])
    part = int(len(lines) * 0.2)
    short = [len(line.encode()) < 100 for line in lines]
    letters = sum(n for c, n in collections.Counter(text).items() if unicodedata.category(c)[0] in "LM")
    return {
        "oscar_lines": len(lines),
        "oscar_short_lines_ratio": share(sum(len(line) <= 100 for line in lines), len(lines)),
        "oscar_header_short_ratio": share(sum(short[:part]), part),
        "oscar_footer_short_ratio": share(sum(short[len(short) - part :]), part),
        "oscar_non_letter_ratio": share(len(text) - letters, len(text)),
    }


OSCAR = (
    ("tiny", "lines", lambda n: n < 5),
    *((rule, name, lambda n: n > 0.5) for rule, name in (
        ("short_sentences", "short_lines_ratio"), ("header", "header_short_ratio"), ("footer", "footer_short_ratio"),
        ("noisy", "non_letter_ratio"),
    )),
)  # fmt: skip


def madlad(text, spans):
    """`spans` are those of the words in characters."""
    sentences, start = [], 0
    for match in [*re.finditer(f"[.!?]+[{WHITE}]+", text), None]:
        end = match.start() if match else len(text)
        if re.search(f"[^{WHITE}]", text[start:end]):
            sentences.append((start, end))
        start = match.end() if match else end
    found = []
    for start, end in sentences:
        sentence = text[start:end]
        words = [text[a:b] for a, b in spans[bisect.bisect_left(spans, (start,)) : bisect.bisect_left(spans, (end,))]]
        words = [word for word in words if any(c.isalnum() for c in word)]
        technical = sum(c in "0123456789{}+/()>" for c in sentence)
        found.append({
            "list_case": len(words) >= 12 and sum(word[0].isupper() for word in words) > len(words) * 0.5,
            "cursed": any(part in sentence for part in CURSED) or any(re.search(p, sentence) for p in CURSED_PATTERNS),
            "lengths": [
                (not 20 <= length <= 500, technical > length * 0.2) for length in (len(sentence.encode()), len(sentence))
            ],
        })  # fmt: skip
    signals = {
        "list_case": lambda s: s["list_case"],
        "abnormal_len": lambda s: s["lengths"][0][0],
        "technical_characters": lambda s: s["lengths"][0][1],
        "cursed": lambda s: s["cursed"],
        "questionable": lambda s: s["list_case"] or s["cursed"] or any(s["lengths"][0]),
        "questionable_characters": lambda s: s["list_case"] or s["cursed"] or any(s["lengths"][1]),
        "list_case_or_cursed": lambda s: s["list_case"] or s["cursed"],
    }
    values = {f"madlad_{name}": share(sum(map(bool, map(holds, found))), len(found)) for name, holds in signals.items()}
    return {"madlad_num_sentences": len(found)} | values


def madlad_rules(name):
    return (("too_short", "num_sentences", lambda n: n < 5), ("too_many_sus_sentences", name, lambda n: n >= 0.2))


COUNTER = re.compile(
    r"^\W*\d(?:,|\.|\d)*(?:K|k|M|m|B|b)?\s+(?:likes|shares|comments|retweets|reposts|quotes|bookmarks|upvotes"
    r"|downvotes|downloads|views|followers)\W*$"
)
PHRASES = [re.compile(phrase, re.I) for phrase in (r"\s?(?:items in cart)", r"\s?(?:read more...)$", r"^(?:sign-in)\s?")]


def dclm_words(text):
    return sum(word[0].isalnum() for word in re.split("[\0\t\n\x0b\x0c\r ]+", text) if word)


def dclm_lines(text):
    counts = {}
    left = text

    def step(name, goes, change=lambda line: line, strip=True):
        nonlocal left
        lines = left.split("\n")
        kept = [changed for line in lines for changed in [change(line)] if not goes(line, changed)]
        counts[name] = counts.get(name, 0) + len(lines) - len(kept)
        left = "\n".join(kept)
        left = left.strip() if strip else left

    step("uppercase", lambda line, _: line and sum(map(str.isupper, line)) / len(line) > 0.5)
    step("numeric", lambda line, _: line and sum(map(str.isdigit, line)) / len(line) > 0.999999)
    step("counter", lambda line, _: COUNTER.search(line.lower()))
    step("short", lambda line, _: line and len(line.split()) < 2, strip=False)
    for phrase in PHRASES:
        def change(line, phrase=phrase):
            return phrase.sub("", line) if len(line.split()) <= 10 else line

        step("phrase", lambda line, changed: line and not changed.strip(), change)
    before = dclm_words(text)
    ratio = (before - dclm_words(left)) / before if before else 1.0
    return {f"dclm_{name}_lines": count for name, count in counts.items()} | {"dclm_removed_words_ratio": ratio}


RPS_BULLETS = tuple("\u2022\u2023\u25b6\u25c0\u25e6\u25a0\u25a1\u25aa\u25ab\u2013")


def rps_lines(text, normalise):
    raw = re.findall(r"[^\n]*\n|[^\n]+$", text)
    lines = [normalise(line) for line in raw]
    return {
        "rps_lines_ending_with_terminal_punctution_mark": [float(line.rstrip().endswith((".", "!", "?", "”"))) for line in raw],
        "rps_lines_javascript_counts": [float(line.split().count("javascript")) for line in lines],
        "rps_lines_num_words": [float(len(line.split())) for line in lines],
        "rps_lines_numerical_chars_fraction": [sum(map(str.isnumeric, line)) / len(line) if line else 0 for line in lines],
        "rps_lines_start_with_bulletpoint": [float(line.lstrip().startswith(RPS_BULLETS)) for line in raw],
        "rps_lines_uppercase_letter_fraction": [sum(map(str.isupper, line)) / len(line) for line in raw],
    }


def at_most(*names):
    return [(f"rps_{name}", name, lambda n, most=most: n > most) for name, most in names]


RPV2 = [
    ("rps_short_doc", "doc_word_count", lambda n: n < 50), ("rps_long_doc", "doc_word_count", lambda n: n > 100_000),
    ("rps_below_mean_word_length", "doc_mean_word_length", lambda n: n < 3),
    ("rps_above_mean_word_length", "doc_mean_word_length", lambda n: n > 10),
    *at_most(
        ("doc_symbol_to_word_ratio", 0.1), ("frac_lines_start_with_bulletpoint", 0.9),
        ("doc_frac_lines_end_with_ellipsis", 0.3), ("doc_frac_no_alph_words", 0.2), ("doc_frac_chars_top_2gram", 0.2),
        ("doc_frac_chars_top_3gram", 0.18), ("doc_frac_chars_top_4gram", 0.16), ("doc_frac_chars_dupe_5grams", 0.15),
        ("doc_frac_chars_dupe_6grams", 0.14), ("doc_frac_chars_dupe_7grams", 0.13), ("doc_frac_chars_dupe_8grams", 0.12),
        ("doc_frac_chars_dupe_9grams", 0.11), ("doc_frac_chars_dupe_10grams", 0.1),
    ),
]  # fmt: skip


def hard_cases():
    yield "eng", "SHOUTED LINE\nA quiet one is here\n123\n 123\n1,234.5K Likes!\n(٣ views)\n\nword\n3 items in cart\nİtems ın cart\n" * 2
    yield "eng", "  77\nSign-in\nSIGN-IN or not\nRead more now\nsome text, read moreABC\nLast ſign-in, last line"
    yield "eng", " sIgn-in a b\n\x1cread more...\n   \n2 ITEMS in cart items in cart\nx\x1f3 likes\n² likes\n5 Kviews\n5K  views"
    yield "eng", "\n".join(["This is a line of an usual length, and it goes on until it has more than a hundred characters in it."] * 9)
    yield "eng", "A short line here\r\nand a next one\r\n\r\n" * 5 + "end\r"
    yield "eng", "The List Of All Words Which Begin With A Capital Letter Is Here. " * 3 + "It is nr 300. (1) 23/45. Ends!? Well… " * 2
    yield "eng", "One sentence of the usual length. " * 4 + "Short. "
    yield "rus", "Это предложение обычной длины, и букв в нём немного больше двадцати. " * 4 + "б" * 300 + ". № 5"
    yield "zho", "– 三分之一的事情。百分之五十的人\n▶ 12 的三的 ½\n"
    yield "eng", "7" * 2_000_000 + "\n" + "A" * 1_000_000 + "b. \u2028" + "x " * 9
