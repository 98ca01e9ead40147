"""Trains small models with the C++ fastText and writes what it answers: reference.py LANGID_JSONL_GZ OUT_FOLDER

For each kind of model a file KIND.bin or KIND.ftz and KIND.jsonl: one object per text with the most probable label, its
probability, and the probability of one label that is not always the best.
"""

import gzip
import json
import os
import sys

import fasttext

TEXTS = 10_000
LABEL = "__label__eng_Latn"

# Tokens that the format treats in its own way.
ODD = [
    "",
    " ",
    "</s>",
    "a </s> b",
    "__label__eng_Latn",
    "__label__nothing of that name",
    "one\ttwo\x0bthree\x0cfour\rfive\x00six",
    "\u00a0no-break\u00a0space\u2028line separator",
    "é" * 300,
    "x" * 5_000,
    "日本語のテキスト。 ข้อความภาษาไทย",
    "👩‍👩‍👧 🇨🇿",
]

KINDS = {
    "softmax.bin": dict(loss="softmax", dim=16, minn=2, maxn=4, wordNgrams=2, bucket=20_000),
    "words.bin": dict(loss="softmax", dim=20, minn=0, maxn=0, wordNgrams=1),
    "tree.bin": dict(loss="hs", dim=16, minn=2, maxn=4, wordNgrams=1, bucket=20_000),
    "ova.bin": dict(loss="ova", dim=10, minn=3, maxn=3, wordNgrams=3, bucket=20_000),
    "quantised.ftz": dict(loss="softmax", dim=17, minn=2, maxn=4, wordNgrams=2, bucket=20_000),
    "tree.ftz": dict(loss="hs", dim=16, minn=2, maxn=4, wordNgrams=1, bucket=20_000),
}
QUANTISE = {
    "quantised.ftz": dict(cutoff=8_000, qnorm=True, retrain=False, dsub=2),
    "tree.ftz": dict(qnorm=False, qout=True, dsub=2),
}


def texts(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["lang"], row["text"].replace("\n", " ")


def main():
    path, out = sys.argv[1:]
    rows = list(texts(path))
    # One in three trains; the others are asked.
    training = os.path.join(out, "training.txt")
    many = os.path.join(out, "many.txt")
    with open(training, "w", encoding="utf-8") as file, open(many, "w", encoding="utf-8") as other:
        for language, text in rows[::3][:20_000]:
            file.write(f"__label__{language}_Latn {text}\n")
            # An output of fewer than 256 rows cannot be quantised.
            other.write(f"__label__{language}_{len(text) % 6} {text}\n")
    asked = ODD + [text for _, text in rows[1::3]][: TEXTS - len(ODD)]
    for name, settings in KINDS.items():
        source = many if QUANTISE.get(name, {}).get("qout") else training
        model = fasttext.train_supervised(source, epoch=2, lr=0.5, minCount=2, thread=1, verbose=0, **settings)
        if name in QUANTISE:
            model.quantize(input=source, **QUANTISE[name])
        model.save_model(os.path.join(out, name))
        # The package's own `predict` fails with newer versions of numpy.
        predict = fasttext.load_model(os.path.join(out, name)).f.predict
        kind = name.replace(".", "-")
        with open(os.path.join(out, kind + ".jsonl"), "w", encoding="utf-8") as file:
            for text in asked:
                best = predict(text + "\n", 1, 0.0, "strict")
                all_labels = dict((label, p) for p, label in predict(text + "\n", -1, 0.0, "strict"))
                p, label = best[0] if best else (None, None)
                line = {"text": text, "label": label, "p": p, "one": all_labels.get(LABEL, 0.0) if best else None}
                file.write(json.dumps(line) + "\n")


main()
