#!/usr/bin/env bash
# Makes the release files of the last commit in two clones, in directories of different depth and with different caches of
# the compilers, and compares them. Takes two builds: half an hour of CPU time for each target.
#
#   packaging/reproduce.sh                                                everything
#   TARGETS=x86_64-unknown-linux-musl packaging/reproduce.sh binaries     the static program alone
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=target/packaging/tools

# release_in DIRECTORY PARTS...
release_in() {
    local clone=$1
    shift
    git clone --quiet . "$clone"
    # Tools of Cargo are not the matter of the comparison, but their directory is.
    if [ -d "$tools/bin" ]; then
        mkdir -p "$clone/$tools"
        cp -r "$tools/bin" "$tools/.crates.toml" "$tools/.crates2.json" "$clone/$tools/"
    fi
    CARGO_ZIGBUILD_CACHE_DIR=$clone/target/zigbuild ZIG_GLOBAL_CACHE_DIR=$clone/target/zig "$clone/packaging/release.sh" "$@"
    mv "$clone/target/release-files/SHA256SUMS" "$clone.sums"
    # Two builds take 20 GB.
    rm -rf "$clone"
}

mkdir -p "$work/a/directory/deeper"
first=$work/clone second=$work/a/directory/deeper/another-clone
release_in "$first" "$@"
release_in "$second" "$@"
diff "$first.sums" "$second.sums"
echo "The same bytes in both directories."
