#!/usr/bin/env bash
# Makes the release files of the last commit a second time, in a clone in a deeper directory, with another path of Cargo's
# folder and with empty caches of the compilers, and compares them with those in target/release-files, which are made first
# if there are none:
#
#   packaging/reproduce.sh                                                everything
#   TARGETS=x86_64-unknown-linux-musl packaging/reproduce.sh binaries     the static program alone: ten minutes
set -euo pipefail
cd "$(dirname "$0")/.."
files=$PWD/target/release-files
tools=target/packaging/tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone=$work/a/directory/deeper/than/the/first

[ -s "$files/SHA256SUMS" ] || packaging/release.sh "$@"
git clone --quiet . "$clone"
# The tools of Cargo need not be built again; where they lie has to make no difference.
mkdir -p "$clone/$tools"
cp -r $tools/bin $tools/.crates.toml $tools/.crates2.json "$clone/$tools/"
ln -s "${CARGO_HOME:-$HOME/.cargo}" "$work/cargo"
CARGO_HOME=$work/cargo CARGO_ZIGBUILD_CACHE_DIR=$work/zigbuild ZIG_GLOBAL_CACHE_DIR=$work/zig \
    "$clone/packaging/release.sh" "$@"

printf '\n== compared with the first\n'
(cd "$files" && sha256sum --check "$clone/target/release-files/SHA256SUMS")
