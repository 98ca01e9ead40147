"""Tokenizers and the ids that the Python package `tokenizers` gives, for the test that compares warcorpus with it.

    python reference.py DATA OUT     DATA: shared test data; OUT: folder for NAME.json and documents.jsonl

Three tokenizers of different kinds are trained on a part of the texts; all are applied to all of them.
"""

import gzip
import json
import pathlib
import sys

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

VOCABULARY = 4000
DOCUMENTS = 12_000


def texts(data):
    def lines(path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)

    hard = ["", " ", "\n\n", "a\r\nb\t c\u00a0d", "é e\u0301 ﬁ Ⅷ ½", "👩‍👩‍👧 🇨🇿 \u200b\ufeff", "x" * 5000, " " * 3000 + "y", "ไทย" * 400]
    yield from hard
    for row in lines(data / "neardup.jsonl.gz"):
        yield row["text"]
    for path in sorted((data / "segmentation").glob("*.jsonl.gz")):
        paragraphs = [row["text"] for row in lines(path)]
        for at in range(0, len(paragraphs), 3):
            yield "\n".join(paragraphs[at : at + 3])
    rows = [row["text"] for row in lines(data / "langid" / "langid.jsonl.gz")]
    for at in range(0, len(rows), 3):
        yield "\n".join(rows[at : at + 3])


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return tokenizer, trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"])


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("  ", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer, trainers.UnigramTrainer(vocab_size=VOCABULARY, unk_token="<unk>", special_tokens=["<unk>", "</s>"])


def word_piece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=["[UNK]", "[CLS]", "[SEP]"])


def main():
    data, out = map(pathlib.Path, sys.argv[1:])
    documents = [text for text, _ in zip(texts(data), range(DOCUMENTS))]
    made = {}
    for make in (byte_level, unigram, word_piece):
        tokenizer, trainer = make()
        trainer.show_progress = False
        tokenizer.train_from_iterator(documents[::24], trainer)
        if make is word_piece:
            ends = [("[CLS]", 1), ("[SEP]", 2)]
            tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
        tokenizer.save(str(out / f"{make.__name__}.json"))
        # As readers of the file have it: some scores lose their last bit on the way, and sums of them decide between tokens.
        made[make.__name__] = Tokenizer.from_file(str(out / f"{make.__name__}.json"))
    ids = {name: [e.ids for e in each.encode_batch(documents, add_special_tokens=False)] for name, each in made.items()}
    with open(out / "documents.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(documents):
            print(json.dumps({"text": text, "ids": {name: all[number] for name, all in ids.items()}}), file=file)


main()
