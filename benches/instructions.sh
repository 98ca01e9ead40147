#!/bin/sh
# Counts the instructions of a build of the sample (valgrind, one thread) and compares them with the count that is
# committed beside: a guard against regressions on machines too noisy for time. Exit code 1 if they are 3 % apart.
#
#   benches/instructions.sh           compares
#   benches/instructions.sh --update  commits to the new count
#
# PROGRAM names a program that is built already, with the profile `release`.
# Other compilers make other code, so the count belongs to one; with another the comparison is only shown.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 0; }
[ -n "${PROGRAM:-}" ] || cargo build --release --locked
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
valgrind --tool=callgrind --callgrind-out-file=/dev/null "${PROGRAM:-target/release/warcorpus}" build \
    data-samples/web.warc.gz --out "$work/corpus" --threads 1 --quiet 2>"$work/log"
count=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log")
compiler=$(rustc --version | cut -d' ' -f2)
if [ "${1:-}" = --update ]; then
    echo "$compiler $count" >benches/instructions.txt
    exit 0
fi
read -r known_compiler known <benches/instructions.txt
awk -v now="$count" -v then="$known" 'BEGIN {
    change = 100 * (now / then - 1)
    printf "%.1f million instructions, %+.1f %% against %.1f\n", now / 1e6, change, then / 1e6
    exit change > 3 || change < -3
}' || {
    [ "$compiler" = "$known_compiler" ] || { echo "counted with Rust $compiler instead of $known_compiler: not a failure"; exit 0; }
    echo "If this is meant: benches/instructions.sh --update, and a line in benches/README.md"
    exit 1
}
