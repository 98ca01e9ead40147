#!/bin/sh
# Checks CoNLL-U files with the official validator: VALIDATORS=folder validate-conllu.sh FILE… (.gz too). At level 1 as
# they are, and at level 2, the only one that compares the texts, with tags and trees filled in. Exit code 1 if one is
# not valid.
set -u
validators=${VALIDATORS:-validators}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failed=0
for file in "$@"; do
    plain=$file
    case $file in *.gz) plain=$work/file.conllu; gzip -cd "$file" >"$plain" ;; esac
    "$validators/venv/bin/python" "$here/fill_conllu.py" <"$plain" >"$work/filled.conllu"
    for level in 1 2; do
        checked=$plain
        [ $level = 2 ] && checked=$work/filled.conllu
        if "$validators/venv/bin/udvalidate" --lang ud --level $level "$checked" >"$work/report" 2>&1; then
            echo "$file: level $level ok"
        else
            echo "$file: level $level FAILED"; tail -20 "$work/report"; failed=1
        fi
    done
done
exit $failed
