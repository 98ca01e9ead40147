#!/usr/bin/env bash
# Builds what a release consists of, from a clean clone, into target/release-files:
#
#   packaging/release.sh                  everything
#   packaging/release.sh binaries         archives with the program, licences, manual pages and completions
#   packaging/release.sh wheels deb       packages of these programs
#
# It needs Rust by rustup, Python 3 and cc. Compilers for other systems (zig), and tools of Cargo, are installed below
# target/packaging. The same commit gives the same bytes in any directory: packaging/reproduce.sh compares. TARGETS restricts
# the programs, and the packages made of them, to some of the three targets below; the first has to run on this machine.
# PROFILE=release builds in a third of the time, to test the packages; PROFILE=quick in less, without optimisation.
set -euo pipefail
cd "$(dirname "$0")/.."

# Static, for any Linux; and for one with glibc 2.17 (2012) or later.
static=x86_64-unknown-linux-musl
glibc=x86_64-unknown-linux-gnu
arm=aarch64-unknown-linux-musl
targets=${TARGETS:-$static $glibc $arm}
profile=${PROFILE:-dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
tools=$PWD/target/packaging/tools
build=$PWD/target/packaging/build
files=$PWD/target/release-files

step() { printf '\n== %s\n' "$*"; }

# The toolchain of releases. Another compiler makes other bytes.
export RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-1.95.0}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_TARGET_DIR=$build
cargo_home=${CARGO_HOME:-$HOME/.cargo}
export RUSTFLAGS="--remap-path-prefix=$build=/target --remap-path-prefix=$PWD=/warcorpus --remap-path-prefix=$cargo_home=/cargo"
# mimalloc has the time of its compilation in it, and zig's cache gives out objects of other times.
no_time='-Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'
export CFLAGS="-ffile-prefix-map=$build=/target -ffile-prefix-map=$cargo_home=/cargo -g0 $no_time"
export LC_ALL=C TZ=UTC
umask 022

# tool NAME VERSION: a subcommand of Cargo.
tool() {
    [ -x "$tools/bin/$1" ] && grep -qs "\"$1 $2 " "$tools/.crates.toml" ||
        env -u RUSTFLAGS -u CFLAGS CARGO_TARGET_DIR="$build/tools" \
            cargo install --quiet --locked --debug --root "$tools" "$1" --version "$2"
}

prepare() {
    step "tools"
    rustup toolchain list | grep -q "^$RUSTUP_TOOLCHAIN" || rustup toolchain install "$RUSTUP_TOOLCHAIN" --profile minimal
    local target
    for target in $targets; do
        rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    done
    [ -x "$tools/venv/bin/python" ] || python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" --quiet --disable-pip-version-check install -r packaging/requirements.txt
    export PATH="$tools/bin:$tools/venv/bin:$PATH"
    tool cargo-auditable 0.7.7
    tool cargo-bundle-licenses 5.0.0
    tool cargo-cyclonedx 0.5.9
    tool cargo-deb 3.8.0
    mkdir -p "$files"
}

# The dependencies are listed in the program (cargo-auditable), for scanners of installed systems. It runs Cargo with itself
# as the wrapper of rustc, whose path Cargo takes into the names of all symbols of the workspace: so it runs env, which
# gives Cargo the wrapper's name without a path.
compile() {
    step "program for $1"
    CARGO=env cargo-auditable auditable -u CARGO RUSTC_WORKSPACE_WRAPPER=cargo-auditable \
        cargo zigbuild --locked --profile "$profile" --target "$1"
}

# made TARGET: whether the program is made for it.
made() { case " $targets " in *" $1 "*) ;; *) return 1 ;; esac; }

# What lies beside the program: made by the program itself.
documents() {
    step "manual pages, completions, licences, bill of materials"
    local program=$build/${targets%% *}/$profile/warcorpus
    rm -rf "$build/documents"
    mkdir -p "$build/documents/man" "$build/documents/completions"
    "$program" man "$build/documents/man"
    "$program" completions bash >"$build/documents/completions/warcorpus.bash"
    "$program" completions zsh >"$build/documents/completions/_warcorpus"
    "$program" completions fish >"$build/documents/completions/warcorpus.fish"
    "$program" completions powershell >"$build/documents/completions/_warcorpus.ps1"
    cargo bundle-licenses --format yaml --output "$build/documents/THIRDPARTY.yml"
    # The format's serial number and time, and where the clone lies, are of no use to who compares releases.
    cargo cyclonedx --format json --override-filename sbom --target all
    python3 - sbom.json "$files/warcorpus-$version.cdx.json" <<'PYTHON'
import json, os, sys
with open(sys.argv[1], encoding="utf-8") as file:
    bill = json.loads(file.read().replace("path+file://" + os.getcwd(), "path+file:///warcorpus"))
bill.pop("serialNumber", None)
bill["metadata"].pop("timestamp", None)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(bill, file, indent=2, sort_keys=True)
PYTHON
    find . -name sbom.json -not -path './target/*' -delete
}

archive() {
    step "archive for $1"
    local name=warcorpus-$version-$1
    rm -rf "${build:?}/$name"
    mkdir "$build/$name"
    cp -r "$build/$1/$profile/warcorpus" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$build/documents/." "$build/$name"
    tar --directory "$build" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --format=ustar --create "$name" | gzip --no-name -9 >"$files/$name.tar.gz"
}

binaries() {
    local target
    for target in $targets; do compile "${target/%gnu/gnu.2.17}"; done
    documents
    for target in $targets; do archive "$target"; done
}

# wheel_of TARGET PLATFORM...: maturin describes the package; the program is that of the archive.
wheel_of() {
    local target=$1 root=$build/wheel platform
    made "$target" || return 0
    shift
    rm -rf "$root"
    mkdir "$root"
    maturin pep517 write-dist-info --metadata-directory "$root" >/dev/null
    {
        printf '%s\n' "Wheel-Version: 1.0" "Generator: warcorpus" "Root-Is-Purelib: false"
        for platform; do echo "Tag: py3-none-$platform"; done
    } >"$root/warcorpus-$version.dist-info/WHEEL"
    mkdir "$root/warcorpus"
    cp python/warcorpus/*.py python/warcorpus/py.typed "$root/warcorpus"
    install -D "$build/$target/$profile/warcorpus" "$root/warcorpus-$version.data/scripts/warcorpus"
    wheel pack --dest-dir "$files" "$root"
}

# The static program takes more memory; where there is glibc, the other one is installed.
wheels() {
    step "Python packages"
    wheel_of "$glibc" manylinux_2_17_x86_64 manylinux2014_x86_64
    wheel_of "$static" musllinux_1_1_x86_64
    wheel_of "$arm" manylinux_2_17_aarch64 manylinux2014_aarch64 musllinux_1_1_aarch64
    maturin sdist --out "$files"
}

# Debian's rule is to link with the system's libraries.
deb() {
    made "$glibc" || return 0
    step "Debian package"
    cargo deb --no-build --no-strip --locked --profile "$profile" --target "$glibc" --output "$files"
}

checksums() {
    # The list is made before its file, which would be in it.
    (cd "$files" && rm -f SHA256SUMS && sums=$(sha256sum -- *) && echo "$sums" | tee SHA256SUMS)
}

if [ $# = 0 ]; then
    rm -rf "$files"
    set -- binaries wheels deb
fi
prepare
for part in "$@"; do
    "$part"
done
checksums
