"""Signals and decisions of the references, for the test that compares warcorpus with them.

    python reference.py DATA OUT.jsonl    DATA: shared test data, or "" for the hard cases alone

The decisions are those of datatrove's own filters, with its tokenisers replaced by two simple ones whose words and
sentences are written with each document. The signals are written after the definitions: of datatrove with its own
helper functions where it has some, of the others with the standard library alone.
"""

import collections
import functools
import gzip
import itertools
import json
import math
import multiprocessing
import pathlib
import re
import statistics
import string
import sys
import unicodedata

import lines
from datatrove.data import Document
from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter
from datatrove.pipeline.filters.gopher_repetition_filter import find_duplicates
from datatrove.pipeline.stats import doc_stats, line_stats, word_stats
from datatrove.utils.text import PUNCTUATION_SET, TERMINAL_PUNCTUATION

STOP_WORDS = {
    "ces": "v a se na je z s do".split(),
    "deu": "der und die in von im den des mit das er dem als wurde für".split(),
    "eng": "the be to of and that have with".split(),
    "fra": "de la le et les des en un".split(),
    "hun": "a az és hogy nem is egy".split(),
    "jpn": list("のにをはたがと") + ["で", "て", "年"],
    "pol": "w i na z się do nie".split(),
    "rus": "в и на с года по".split(),
    "tha": ["ใน", "ที่", "และ", "น", "า", "ร"],
    "tur": "ve bir bu da de için".split(),
    "zho": list("的年在月是和"),
}
FINEWEB2 = {
    "": (0.31, (0.2, 0.18, 0.16), (0.168, 0.157, 0.145, 0.133, 0.121, 0.109), 0.1, 0.17, 3, 11, 0.75),
    "ces": (0.311, (0.206, 0.183, 0.165), (0.168, 0.157, 0.145, 0.133, 0.121, 0.109), 0.06, 0.182, 3, 11, 0.781),
    "deu": (0.263, (0.169, 0.153, 0.137), (0.141, 0.134, 0.126, 0.117, 0.108, 0.098), 0, 0.152, 0, 15, 0.774),
    "jpn": (0.328, (0.239, 0.196, 0.172), (0.243, 0.225, 0.207, 0.19, 0.175, 0.159), 0.096, 0.13, 1, 6, 0.759),
    "tha": (0.349, (0.221, 0.197, 0.162), (0.185, 0.168, 0.152, 0.137, 0.124, 0.111), 0, 0.153, 2, 10, 0.9),
    "zho": (0.287, (0.256, 0.201, 0.171), (0.198, 0.182, 0.167, 0.154, 0.14, 0.127), 0.106, 0.178, 1, 5, 0.735),
}

# Runs of letters; scripts without blanks between words by the character; every other mark by itself.
MIXED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+|[^\w\s]")
BLANKS = re.compile(r"\S+")
SENTENCE = re.compile("[^\\s.!?。！？][^.!?。！？\n\v\f\x1c-\x1e\x85\u2028\u2029]*[.!?。！？]*")
words_of = BLANKS

# Filters and signals ask for the same words and n-grams of a document, most of them several times. Tuples can be keys.
words_by = functools.lru_cache(8)(lambda pattern, text: tuple(pattern.findall(text)))
get_n_grams = functools.lru_cache(3)(lambda words, n, made=gopher_repetition_filter.get_n_grams: tuple(made(words, n)))
find_top_duplicate = functools.lru_cache(3)(gopher_repetition_filter.find_top_duplicate)
find_all_duplicate = functools.lru_cache(6)(gopher_repetition_filter.find_all_duplicate)
for function in ("get_n_grams", "find_top_duplicate", "find_all_duplicate"):
    setattr(gopher_repetition_filter, function, globals()[function])


def words(text, language=None):
    return words_by(words_of, text)


def sentences(text, language=None):
    return SENTENCE.findall(text)


for module in (gopher_quality_filter, gopher_repetition_filter, fineweb_quality_filter):
    module.split_into_words = words
c4_filters.split_into_sentences = sentences


class Words:
    """What the word statistics load as a tokeniser."""

    word_tokenize = staticmethod(words)


word_stats.load_word_tokenizer = lambda language: Words


def divide(a, b):
    return a / b if b else None


def grams_of(parts, n):
    return list(zip(*(parts[at:] for at in range(n))))


def basic(text):
    document = Document(text=text, id="")
    signals = doc_stats.DocStats(".").extract_stats(document)
    signals |= line_stats.LineStats(".").extract_stats(document)
    signals |= word_stats.WordStats(".").extract_stats(document)
    del signals["stop_word_ratio"]
    # datatrove gives 0 for a share of nothing.
    if not words(text):
        for name in ("avg_word_length", "short_word_ratio_3", "long_word_ratio_7", "type_token_ratio", "uppercase_word_ratio", "capitalized_word_ratio"):
            signals[name] = None
    if not text:
        for name in ("white_space_ratio", "non_alpha_digit_ratio", "digit_ratio", "uppercase_ratio", "elipsis_ratio", "punctuation_ratio"):
            signals[name] = None
    if not text.splitlines():
        signals["avg_words_per_line"] = None
    if not text.replace("\n", ""):
        signals["line_char_duplicates"] = None
    signals["n_sentences"] = len(sentences(text))
    return signals


def gopher(text, stop_words):
    all_words = words(text)
    signals = {}
    for name, parts in (("para", re.split(r"\n{2,}", text.strip())), ("line", re.split(r"\n+", text))):
        elements, characters = find_duplicates(parts)
        signals[f"dup_{name}_frac"] = divide(elements, len(parts))
        signals[f"dup_{name}_char_frac"] = divide(characters, len(text))
    for n in range(2, 5):
        n_grams = get_n_grams(all_words, n)
        signals[f"top_{n}_gram"] = divide(find_top_duplicate(n_grams), len(text)) if n_grams else None
    for n in range(5, 11):
        signals[f"duplicated_{n}_n_grams"] = divide(find_all_duplicate(all_words, n), len(text))
    plain = [word for word in all_words if any(c not in PUNCTUATION_SET for c in word)]
    lines = text.splitlines()
    signals["non_symbol_words"] = len(plain)
    signals["avg_non_symbol_word_length"] = divide(sum(map(len, plain)), len(plain))
    signals["hash_word_ratio"] = divide(text.count("#"), len(all_words))
    signals["ellipsis_word_ratio"] = divide(text.count("...") + text.count("…"), len(all_words))
    signals["bullet_lines_ratio"] = divide(sum(line.lstrip().startswith(("•", "-")) for line in lines), len(lines))
    signals["ellipsis_lines_ratio"] = divide(sum(line.rstrip().endswith(("...", "…")) for line in lines), len(lines))
    signals["alpha_words_ratio"] = divide(sum(any(c.isalpha() for c in word) for word in all_words), len(all_words))
    signals["distinct_stop_words"] = len(set(stop_words) & set(all_words)) if stop_words else None
    return signals


def c4(text):
    """The filter of lines, which goes on where datatrove's drops the document."""
    kept, lorem, curly, count = 0, 0, 0, 0
    for line in text.splitlines():
        line = line.strip()
        line_words = line.split()
        if any(len(word) > 1000 for word in line_words):
            continue
        line = re.sub(r"\[\d*]|\[edit]|\[citation needed]", "", line)
        if not line.endswith((".", "?", "!", '"', "'")) or line.endswith("...") or len(line_words) < 3:
            continue
        lower = line.lower()
        if "lorem ipsum" in lower:
            lorem += 1
        elif "javascript" in lower:
            pass
        elif "{" in line:
            curly += 1
        elif not re.search("terms of use|privacy policy|cookie policy|uses cookies|use of cookies|use cookies", lower):
            kept += 1
            count += len(sentences(line))
    lengths = sorted((len(line) for line in text.split("\n")), reverse=True)
    return {
        "c4_kept_lines": kept,
        "c4_sentences": count,
        "c4_lorem_ipsum_lines": lorem,
        "c4_curly_bracket_lines": curly,
        "c4_third_longest_line": lengths[2] if len(lengths) > 2 else 0,
    }


def fineweb(text):
    lines = [line for line in text.split("\n") if line.strip()]
    return {
        "line_punct_ratio": divide(sum(line.endswith(tuple(TERMINAL_PUNCTUATION)) for line in lines), len(lines)),
        "short_line_ratio": divide(sum(len(line) <= 30 for line in lines), len(lines)),
        "char_dup_ratio": divide(find_duplicates(lines)[1], len(text.replace("\n", ""))),
        "list_ratio": divide(text.count("\n"), len(words(text))),
    }


def normalise(text):
    normalised = text.translate(str.maketrans("", "", string.punctuation)).lower().strip()
    return unicodedata.normalize("NFD", re.sub(r"\s+", " ", normalised))


# One phrase has a mark and one a capital: neither is in a normalised text.
PHRASES = ["the", "of the", "in the of", "die", "v", "Na", "a.", "year", "der", "на"]


def rpv2(text, stop_words):
    raw = re.findall(r"\w+|[^\w\s]+", text)
    all_lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
    normalised = normalise(text)
    tokens = normalised.split()
    count = collections.Counter(tokens)
    length = sum(map(len, tokens))
    signals = {
        "word_count": len(tokens),
        "mean_word_length": divide(length, len(tokens)),
        "num_sentences": len(re.findall(r"\b[^.!?]+[.!?]*", text)),
        "symbol_to_word_ratio": divide(sum(text.count(symbol) for symbol in ("#", "...", "…")), len(raw)),
        "frac_lines_end_with_ellipsis": divide(sum(line.rstrip().endswith(("...", "…")) for line in all_lines), len(all_lines)),
        "frac_no_alph_words": divide(sum(not re.search("[a-zA-Z]", word) for word in raw), len(raw)),
        "frac_unique_words": divide(len(count), len(tokens)),
        "unigram_entropy": -sum(n / len(tokens) * math.log(n / len(tokens)) for n in count.values()) if tokens else None,
        "frac_all_caps_words": divide(sum(word.isupper() for word in raw), len(raw)),
        "curly_bracket": divide(text.count("{") + text.count("}"), len(text)) or 0,
        "lorem_ipsum": divide(normalised.count("lorem ipsum"), len(normalised)) or 0,
    }
    for n in range(2, 5):
        grams = collections.Counter(grams_of(tokens, n))
        top, times = grams.most_common(1)[0] if grams else ((), 0)
        signals[f"frac_chars_top_{n}gram"] = divide(sum(map(len, top)) * times, length) or 0 if times > 1 else 0
    for n in range(5, 11):
        grams = grams_of(tokens, n)
        counts = collections.Counter(grams)
        covered = {i + k for i, gram in enumerate(grams) if counts[gram] > 1 for k in range(n)}
        signals[f"frac_chars_dupe_{n}grams"] = divide(sum(len(tokens[i]) for i in covered), length) or 0
    phrases = [" ".join(tokens[i : i + n]) in PHRASES for n in (1, 2, 3) for i in range(len(tokens) - n + 1)]
    signals["ldnoobw_words"] = sum(phrases) if stop_words else None
    signals["stop_word_fraction"] = divide(sum(word in stop_words for word in raw), len(raw)) if stop_words else None
    bullets = sum(line.lstrip().startswith(lines.RPS_BULLETS) for line in all_lines)
    own = {"rps_frac_lines_start_with_bulletpoint": divide(bullets, len(all_lines))}
    return {f"rps_doc_{name}": value for name, value in signals.items()} | own


DCLM = (
    ("dclm_short_doc", "words", lambda n: n < 50), ("dclm_long_doc", "words", lambda n: n > 100_000),
    ("dclm_below_avg_word_length", "avg_word_length", lambda n: n < 3),
    ("dclm_above_avg_word_length", "avg_word_length", lambda n: n > 10),
    *((f"dclm_{name}", name, lambda n, most=most: n > most) for name, most in (
        ("symbol_ratio", 0.1), ("bullet_lines_ratio", 0.9), ("ellipsis_lines_ratio", 0.3), ("non_alpha_words_ratio", 0.2),
    )),
    ("dclm_stop_words", "stop_words", lambda n: n < 2),
    *((f"dclm_{name}", name, lambda n, most=most: n > most) for name, most in (
        ("dup_line_frac", 0.3), ("dup_para_frac", 0.3), ("dup_line_char_frac", 0.2), ("dup_para_char_frac", 0.2),
        ("top_2_gram", 0.2), ("top_3_gram", 0.18), ("top_4_gram", 0.16), ("duplicated_5_n_grams", 0.15),
        ("duplicated_6_n_grams", 0.14), ("duplicated_7_n_grams", 0.13), ("duplicated_8_n_grams", 0.12),
        ("duplicated_9_n_grams", 0.11), ("duplicated_10_n_grams", 0.1),
    )),
)  # fmt: skip


REMOVED = ("dclm_removed_words_ratio", "removed_words_ratio", lambda n: n > 0.05)


def dclm(text, stop_words):
    plain = [word for word in words(text) if word[0].isalnum()]
    blanks = text.split()
    lines = [line for line in map(str.strip, text.split("\n")) if line]
    symbols = sum(text.count(symbol) for symbol in ("#", "...", ". . .", "…"))
    signals = {
        "words": len(plain),
        "avg_word_length": divide(sum(map(len, blanks)), len(blanks)),
        "symbol_ratio": divide(symbols, len(blanks)),
        "bullet_lines_ratio": divide(sum(line[0] in "●•*-" for line in lines), len(lines)),
        "ellipsis_lines_ratio": divide(sum(line.endswith(("...", ". . .", "…")) for line in lines), len(lines)),
        "non_alpha_words_ratio": divide(sum(not any(c.isalpha() for c in word) for word in blanks), len(blanks)),
        "stop_words": sum(word.lower() in stop_words for word in blanks) if stop_words else None,
    }
    paragraphs = [part for part in map(str.strip, text.split("\n\n")) if part]
    for name, parts in (("line", lines), ("para", paragraphs)):
        copies = [part for part, n in collections.Counter(parts).items() for _ in range(n) if n > 1]
        signals[f"dup_{name}_frac"] = divide(len(copies), len(parts))
        signals[f"dup_{name}_char_frac"] = divide(sum(map(len, copies)), sum(map(len, parts)))
    length = sum(map(len, plain))
    for n in range(2, 11):
        grams = grams_of(plain, n)
        counts = collections.Counter(grams)
        most = max(counts.values(), default=0)
        if n < 5:
            longest = max(sum(map(len, gram)) for gram, count in counts.items() if count == most) if most > 1 else 0
            signals[f"top_{n}_gram"] = divide(longest * most, length)
        else:
            covered = {at + k for at, gram in enumerate(grams) if counts[gram] > 1 for k in range(n)}
            signals[f"duplicated_{n}_n_grams"] = divide(sum(len(plain[at]) for at in covered), length)
    return {f"dclm_{name}": value for name, value in signals.items()}


DATAMAP = [
    ("datamap_few_characters", "characters", lambda n: n < 150),
    *((name.replace("dclm", "datamap"), signal, fails) for name, signal, fails in DCLM),
]  # fmt: skip


OTHER_ALPHABETIC = re.compile("[\u24b6-\u24e9\u0610-\u061a\u064b-\u0657\u0659-\u065f\u0670\u06d6-\u06dc\u06e1-\u06e4\u06e7\u06e8\u06ed]")


def is_alphabetic(c):
    """The property Alphabetic, but for the vowel signs of other scripts than Arabic."""
    return c.isalpha() or unicodedata.category(c) == "Nl" or OTHER_ALPHABETIC.match(c) is not None


@functools.lru_cache(1 << 16)
def bytes_of(part):
    return len(part.encode())


def datamap(text, stop_words):
    def size(parts):
        return sum(map(bytes_of, parts))

    plain = [word for word in words(text) if any(c.isalnum() for c in word)]
    # What Python takes for white space beside Unicode's.
    blanks = re.split(r"[^\S\x1c-\x1f]+", text)
    blanks = [word for word in blanks if word]
    joined = [word for word in re.split(r"[^\S\x1c-\x1f]+", text.replace(". . .", "...")) if word]
    lines = text.split("\n")
    shown = [line.removesuffix("\r") for line in lines if line.removesuffix("\r")]
    signals = {
        "characters": len(text),
        "words": len(re.findall("[A-Za-z0-9]+", text)) if text.isascii() else len(plain),
        "avg_word_length": divide(size(blanks), len(blanks)),
        "symbol_ratio": divide(sum(text.count(symbol) for symbol in ("#", "...", ". . .", "…")), len(joined)),
        "bullet_lines_ratio": divide(sum(line[:1] in [*"●•*-"] for line in lines), len(lines)),
        "ellipsis_lines_ratio": divide(sum(line.endswith(("...", ". . .", "…")) for line in shown), len(shown)),
        "non_alpha_words_ratio": divide(sum(not any(map(is_alphabetic, word)) for word in blanks), len(blanks)),
        "stop_words": sum(word.lower() in stop_words for word in blanks) if stop_words else None,
    }
    if len(blanks) == 1:
        signals["non_alpha_words_ratio"] = 1.0
    paragraphs = re.sub("\n{3,}", "\n\n", text).split("\n\n")
    for name, parts in (("line", lines), ("para", paragraphs)):
        parts = [part for part in parts if part]
        copies = [part for part, n in collections.Counter(parts).items() for _ in range(n) if n > 1]
        signals[f"dup_{name}_frac"] = divide(len(copies), len(parts))
        signals[f"dup_{name}_char_frac"] = divide(size(copies), size(parts))
    for n in range(2, 11):
        grams = grams_of(plain, n)
        counts = collections.Counter(grams)
        chosen = {gram for gram, count in counts.items() if count > 1}
        if n < 5 and chosen:
            # `max` keeps the first of several.
            most = max(counts.values())
            chosen = {max((gram for gram, count in counts.items() if count == most), key=size)}
        covered = {at + k for at, gram in enumerate(grams) if gram in chosen for k in range(n)}
        name = f"top_{n}_gram" if n < 5 else f"duplicated_{n}_n_grams"
        signals[name] = divide(size(plain[at] for at in covered), size(plain))
    return {f"datamap_{name}": value for name, value in signals.items()}


def at_most(prefix, *names):
    return [(f"{prefix}_{name}", name, lambda n, most=most: n > most) for name, most in names]


DOLMA = [
    ("dolma_short_doc", "words", lambda n: n < 50), ("dolma_long_doc", "words", lambda n: n > 100_000),
    ("dolma_below_median_word_length", "median_word_length", lambda n: n < 3),
    ("dolma_above_median_word_length", "median_word_length", lambda n: n > 10),
    *at_most("dolma", ("symbol_ratio", 0.1)),
    ("dolma_alpha_words_ratio", "alpha_words_ratio", lambda n: n < 0.8), ("dolma_stop_words", "stop_words", lambda n: n < 2),
    *at_most(
        "dolma", ("bullet_lines_ratio", 0.9), ("ellipsis_lines_ratio", 0.3), ("dup_line_frac", 0.3),
        ("dup_line_char_frac", 0.3), ("top_2_gram", 0.2), ("top_3_gram", 0.18), ("top_4_gram", 0.16),
        ("duplicated_5_n_grams", 0.15), ("duplicated_6_n_grams", 0.14), ("duplicated_7_n_grams", 0.13),
        ("duplicated_8_n_grams", 0.12), ("duplicated_9_n_grams", 0.11), ("duplicated_10_n_grams", 0.1),
    ),
]  # fmt: skip


def dolma(text, stop_words):
    blanks, lines = text.split(), text.split("\n")
    ends = list(itertools.accumulate(map(len, blanks), initial=0))
    length, copies = ends[-1], collections.Counter(lines)
    signals = {
        "words": len(blanks),
        "median_word_length": statistics.median(map(len, blanks)) if blanks else None,
        "symbol_ratio": divide(sum("#" in word or "…" in word for word in blanks), len(blanks)),
        "alpha_words_ratio": divide(sum(any(c.isalpha() for c in word) for word in blanks), len(blanks)),
        "stop_words": sum(word in stop_words for word in blanks) if stop_words else None,
        "bullet_lines_ratio": divide(sum(line[:1] in ("*", "-") for line in lines), len(lines)),
        "ellipsis_lines_ratio": divide(sum(line[-1:] == "…" for line in lines), len(lines)),
        "dup_line_frac": divide(sum(copies[line] > 1 for line in lines), len(lines)),
        "dup_line_char_frac": divide(sum(len(line) for line in lines if copies[line] > 1), length),
    }
    for n in range(2, 11):
        grams = grams_of(blanks, n)
        counts = collections.Counter(grams)
        if n < 5:
            top, times = counts.most_common(1)[0] if grams else ((), 0)
            signals[f"top_{n}_gram"] = divide(times * sum(map(len, top)), length) if grams else None
        else:
            sizes = [end - begin for begin, end in zip(ends, ends[n:])]
            again = sum(size for size, gram in zip(sizes, grams) if counts[gram] > 1)
            signals[f"duplicated_{n}_n_grams"] = divide(again, sum(sizes))
    return {f"dolma_{name}": value for name, value in signals.items()}


def judge_by(rules, prefix, text, signals):
    if not text.strip():
        return "empty"
    values = ((rule, fails, signals[f"{prefix}_{name}"]) for rule, name, fails in rules)
    return next((rule for rule, fails, value in values if value is not None and fails(value)), None)


@functools.lru_cache(16)
def filtered(each, text, tokeniser):
    """What a filter says about a text whose words `tokeniser` finds, and the text that it leaves. Recipes share filters."""
    document = Document(text=text, id="")
    try:
        result = each.filter(document)
    except ZeroDivisionError:
        result = True
    return result, document.text


def judge(text, filters):
    """The reason of the first filter that drops a text."""
    if not text.strip():
        return "empty"
    for each in filters:
        result, text = filtered(each, text, words_of)
        if isinstance(result, tuple) and not result[0]:
            return "paragraphs" if result[1].startswith("<") else result[1]
    return None


@functools.cache
def recipes(language):
    stop_words = STOP_WORDS.get(language)
    least = 2 if stop_words else 0
    repetition = gopher_repetition_filter.GopherRepetitionFilter
    quality = gopher_quality_filter.GopherQualityFilter
    fine = fineweb_quality_filter.FineWebQualityFilter
    gopher = [repetition(), quality(stop_words=stop_words, min_stop_words=least)]
    any_end = c4_filters.C4QualityFilter(filter_no_terminal_punct=False)
    line, top, repeated, ended, ends, shortest, longest, alphabetic = FINEWEB2.get(language, FINEWEB2[""])
    fineweb2 = [
        repetition(
            dup_line_frac=line, dup_para_frac=0, dup_line_char_frac=0, dup_para_char_frac=0,
            top_n_grams=list(zip((2, 3, 4), top)), dup_n_grams=list(zip(range(5, 11), repeated)),
        ),
        fine(line_punct_thr=ended, short_line_thr=999, char_duplicates_ratio=0.1, new_line_ratio=ends),
        quality(
            stop_words=stop_words, min_stop_words=least, min_avg_word_length=shortest, max_avg_word_length=longest,
            max_non_alpha_words_ratio=alphabetic,
        ),
    ]  # fmt: skip
    return {
        "gopher": gopher,
        "c4": [c4_filters.C4QualityFilter()],
        "c4.paragraphs": [c4_filters.C4ParagraphFilter()],
        "fineweb": [*gopher, any_end, fine()],
        "fineweb.paper": [*gopher, any_end, fine(char_duplicates_ratio=0.1)],
        "fineweb2": fineweb2,
    }


def thresholds():
    """What `quality.thresholds` needs for the same, for fineweb2 and for the other recipes."""
    def number(value):
        return value or "false"

    def of_language(words):
        lists = {"stop_words": words, "rps_stop_words": words, "ldnoobw_words": PHRASES}
        return "\n".join(f"{name} = {json.dumps(words, ensure_ascii=False)}" for name, words in lists.items())

    lists = {code: of_language(words) for code, words in STOP_WORDS.items()}
    cursed = f"cursed_substrings = {json.dumps(lines.CURSED, ensure_ascii=False)}\n"
    cursed += f"cursed_patterns = {json.dumps(lines.CURSED_PATTERNS, ensure_ascii=False)}\n"
    others = cursed + "\n".join(f"[{code}]\n{words}" for code, words in lists.items())
    parts = []
    for code in ["", *sorted(STOP_WORDS)]:
        line, top, repeated, ended, ends, shortest, longest, alphabetic = FINEWEB2.get(code, FINEWEB2[""])
        part = [f"[{code}]", lists[code]] if code else []
        part += [f"dup_line_frac = {line}", f"line_punct_ratio = {number(ended)}", f"list_ratio = {ends}"]
        part += [f"top_{n}_gram = {most}" for n, most in zip((2, 3, 4), top)]
        part += [f"duplicated_{n}_n_grams = {most}" for n, most in zip(range(5, 11), repeated)]
        part += [f"gopher_below_avg_threshold = {number(shortest)}", f"gopher_above_avg_threshold = {longest}"]
        parts.append("\n".join([*part, f"gopher_below_alpha_threshold = {alphabetic}"]))
    return {"fineweb2": "\n".join(parts), "": others}


def hard_cases():
    yield "eng", ""
    yield "eng", "One line only, with a few words."
    yield "eng", "hello world"
    yield "eng", "\n\n\n"
    yield "eng", "\n \n\u00a0\n"
    yield "eng", "!!! ... --- ???\n..."
    yield "eng", " ".join(f"w{number % 70000}" for number in range(100_001))
    yield "eng", "extraordinarily lengthy " * 88_000 + "end."
    yield "eng", "a b c d a b x y c d a b c d\n" * 4
    yield "eng", "ab c d e f\na bc d e f\nab c d e f"
    yield "eng", "It ends...\nIt ends…\nIt ends. . .\nIt ends… \n#hash ##\n"
    yield "eng", "A line\u2028another line.\u2029Third\x0b{fourth}\x85fifth \x1c sixth line here."
    yield "eng", "\n".join(["The end of the line and that of the text, with \u201cquotes.\u201d"] * 9)
    yield "eng", "\n\n".join(["The same paragraph", "comes again", "The same paragraph"] * 5) + "\n"
    yield "eng", "• one thing\n - another\n* third\n– fourth"
    yield "eng", "Lorem ipsum dolor sit amet.\nIt uses cookies, the page.\nSome JavaScript is here.\nA { in a line."
    yield "eng", "x" * 1001 + " is a long word here.\n" + "y" * 1000 + " is not so long."
    yield "deu", "STRAẞE Straße ǅ ǅungla ᾈ Ⓐ ² ½ Ⅷ 三 ٣ ᾼλφα"
    yield "tha", "ประเทศไทยเป็นประเทศที่ตั้งอยู่ในภูมิภาคเอเชียตะวันออกเฉียงใต้และมีพรมแดน" * 3
    yield "jpn", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 4
    yield "zho", "你好，世界！今天天气很好。我们去公园散步吧？\n你好，世界！今天天气很好。"
    yield from lines.hard_cases()
    yield "hin", "हिन्दी भारत की भाषा है। यह देवनागरी लिपि में लिखी जाती है।"


def documents(data):
    def lines(path):
        with gzip.open(data / path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)

    for path in sorted((data / "segmentation").glob("*.jsonl.gz")):
        paragraphs = [row["text"] for row in lines(path)]
        for size in (1, 4, 12):
            for at in range(0, len(paragraphs), size):
                yield path.name[:3], "\n".join(paragraphs[at : at + size])
    by_language = collections.defaultdict(list)
    for row in lines("langid/langid.jsonl.gz"):
        if row["source"] == "lingua" and row["kind"] == "sentence":
            by_language[row["lang"]].append(row["text"])
    for language, texts in sorted(by_language.items()):
        for at in range(0, len(texts), 25):
            yield language, "\n".join(texts[at : at + 25])
    codes = {"de": "deu", "en": "eng", "fr": "fra", "cs": "ces", "pl": "pol", "ru": "rus", "ja": "jpn", "zh": "zho"}
    for row in lines("neardup.jsonl.gz"):
        yield codes.get(row["lang"], "eng"), row["text"]


def described(document):
    """What the references say about a document, which comes with its number and its language, as a line of JSON."""
    global words_of
    number, (language, text) = document
    # Gold texts separate paragraphs by blank lines, too: these stay as they are.
    words_of = (BLANKS, MIXED)[number % 2] if number >= 40 else MIXED
    bytes_before = list(itertools.accumulate(map(bytes_of, text), initial=0))
    of_dclm, of_dolma = dclm(text, STOP_WORDS.get(language)), dolma(text, STOP_WORDS.get(language))
    of_datamap = datamap(text, STOP_WORDS.get(language))
    words_at = [match.span() for match in words_of.finditer(text)]
    of_oscar, of_madlad, of_dclm_lines = lines.oscar(text), lines.madlad(text, words_at), lines.dclm_lines(text)
    of_rpv2 = rpv2(text, STOP_WORDS.get(language))
    signals = basic(text) | gopher(text, STOP_WORDS.get(language)) | c4(text) | fineweb(text) | of_rpv2 | of_dclm | of_dolma
    row = {
        "language": language,
        "text": text,
        "words": [[bytes_before[at] for at in span] for span in words_at],
        "sentences": [bytes_before[match.start()] for match in SENTENCE.finditer(text)],
        "signals": signals | of_datamap | of_oscar | of_madlad | of_dclm_lines,
        "lines": lines.rps_lines(text, normalise),
        "failed": {name: judge(text, steps) for name, steps in recipes(language).items()}
        | {
            "gopher.dclm": judge_by(DCLM, "dclm", text, of_dclm),
            "gopher.dolma": judge_by(DOLMA, "dolma", text, of_dolma),
            "gopher.datamap": judge_by(DATAMAP, "datamap", text, of_datamap),
            "gopher.rpv2": judge_by(lines.RPV2, "rps", text, of_rpv2),
            "oscar": judge_by(lines.OSCAR, "oscar", text, of_oscar),
            "madlad": judge_by(lines.madlad_rules("questionable"), "madlad", text, of_madlad),
            "madlad.characters": judge_by(lines.madlad_rules("questionable_characters"), "madlad", text, of_madlad),
            "madlad.all_dressed": judge_by(lines.madlad_rules("list_case_or_cursed"), "madlad", text, of_madlad),
            "dclm": judge_by((*DCLM, REMOVED), "dclm", text, of_dclm | of_dclm_lines),
        },
    }
    return json.dumps(row, ensure_ascii=False)


def main():
    data, out = sys.argv[1:]
    everything = [*hard_cases(), *(documents(pathlib.Path(data)) if data else [])]
    with open(out, "w", encoding="utf-8") as file, multiprocessing.Pool() as processes:
        print(json.dumps({"thresholds": thresholds()}), file=file)
        for line in processes.imap(described, enumerate(everything), chunksize=40):
            print(line, file=file)


if __name__ == "__main__":
    main()
