"""Reads documents as lists of sentences, which are lists of words (JSON, one document a line). Prints for each what textstat
and lexical_diversity say: LIX, ARI and MATTR with a window of 500 words."""

import json
import sys

import textstat
from lexical_diversity import lex_div
from textstat.backend.metrics import _words_per_sentence


def values(sentences):
    words = [word for sentence in sentences for word in sentence]
    # textstat finds words and sentences by itself; it is given words of as many letters, and how many sentences there are.
    text = " ".join("x" * len(word) for word in words)
    _words_per_sentence.count_sentences = lambda _: sum(map(bool, sentences))
    mattr = lex_div.mattr([word.lower() for word in words], window_length=500)
    return textstat.lix(text), textstat.automated_readability_index(text), mattr


for line in sys.stdin:
    print(json.dumps(values(json.loads(line))))
