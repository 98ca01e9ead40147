#!/usr/bin/env bash
# Builds the documentation site: packaging/book.sh [PROGRAM]
#
# PROGRAM is the warcorpus that the generated pages describe, target/release/warcorpus by default. The site is written to
# target/book. The script fails on any warning of mdBook and on any link that leads to nothing. It needs Python 3.11 and
# mdbook, which it installs to target/tools with cargo if it is not in PATH.
set -euo pipefail
program=$(realpath -- "${1:-$(dirname "$0")/../target/release/warcorpus}")
cd "$(dirname "$0")/.."
export WARCORPUS=$program
"$program" --version

if ! command -v mdbook >/dev/null; then
    PATH=$PWD/target/tools/bin:$PATH
    command -v mdbook >/dev/null || cargo install --locked --quiet --debug mdbook --version 0.5.4 --root target/tools
fi
mdbook --version

rm -rf target/book
log=$(mdbook build docs 2>&1) || { printf '%s\n' "$log"; exit 1; }
printf '%s\n' "$log"
if grep -Eqi 'warn|error' <<<"$log"; then
    echo "mdBook warned; see above" >&2
    exit 1
fi

# mdBook copies what is no page, its own files included; the style sheet is there under another name.
rm -f target/book/book.toml target/book/book.css

python3 packaging/check_links.py target/book
