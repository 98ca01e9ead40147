#!/bin/sh
# Checks TEI files against tei_all (jing) and trafilatura's DTD (xmllint): VALIDATORS=folder validate-tei.sh FILE…
# (.gz too). Exit code 1 if one is not valid.
set -u
validators=${VALIDATORS:-validators}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failed=0
for file in "$@"; do
    plain=$file
    case $file in *.gz) plain=$work/file.xml; gzip -cd "$file" >"$plain" ;; esac
    # jing tells errors on standard output, harmless remarks on the schema on standard error.
    if jing "$validators/tei_all.rng" "$plain" >"$work/jing" 2>"$work/remarks"; then
        echo "$file: tei_all ok"
    else
        echo "$file: tei_all FAILED"; head -20 "$work/jing"; failed=1
    fi
    # The DTD has no tables and no code: files with such are checked against it and these.
    dtd=tei_corpus.dtd
    grep -q '<table>\|<code' "$plain" && dtd=tei_corpus_tables.dtd
    if xmllint --huge --noout --dtdvalid "$validators/$dtd" "$plain" 2>"$work/xmllint"; then
        echo "$file: $dtd ok"
    else
        echo "$file: $dtd FAILED"; head -20 "$work/xmllint"; failed=1
    fi
done
exit $failed
