#!/usr/bin/env bash
# Installs what packaging/release.sh made in clean roots, builds the sample corpus in each, and compares it with that of
# the program of the clone:
#
#   packaging/check.sh                  everything in target/release-files
#   packaging/check.sh FILES here       what runs on this machine, of the files in a folder: the three archives (that for
#                                       ARM with qemu-user-static), the wheel, the Debian package unpacked; without root
#
# Everything needs Debian as root: it installs mmdebstrap, busybox, qemu-user-static, lintian and buildah with apt-get.
# REFERENCE names the program to compare with; otherwise it is built.
set -euo pipefail
cd "$(dirname "$0")/.."
files=$(realpath "${1:-target/release-files}")
sample=$PWD/data-samples/web.warc.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

step() { printf '\n== %s\n' "$*"; }
seconds() { date +%s.%N; }
since() { awk -v begun="$1" -v now="$(seconds)" 'BEGIN { printf "%.2f", now - begun }'; }

# sums CORPUS: what has to be the same.
sums() { (cd "$1" && sha256sum documents/*.parquet paragraphs/*.parquet vertical/*.vert.gz); }

# row NAME ROOT COMMAND...: builds the sample at $root/corpus with a command that sees the root as /.
row() {
    local name=$1 root=$2 begun
    shift 2
    rm -rf "$root/corpus"
    begun=$(seconds)
    # The name of the archive stands in the tables; chroot works in /.
    "$@" build web.warc.gz --out corpus --quiet
    sums "$root/corpus" >"$work/sums"
    cmp -s "$work/sums" "$work/reference" || { echo "$name: another corpus than that of the reference"; exit 1; }
    printf '%-44s same corpus, %s s\n' "$name" "$(since "$begun")" | tee -a "$work/table"
}

reference() {
    step "reference: the program of the clone"
    [ -n "${REFERENCE:-}" ] || cargo build --release --locked
    program=$(realpath "${REFERENCE:-target/release/warcorpus}")
    (cd data-samples && "$program" build web.warc.gz --out "$work/corpus" --quiet)
    sums "$work/corpus" >"$work/reference"
    cat "$work/reference"
}

archives() {
    step "checksums"
    (cd "$files" && sha256sum --check --quiet SHA256SUMS)
    step "archives"
    local archive target file
    for archive in "$files"/*linux*.tar.gz; do
        tar -xzf "$archive" -C "$work"
        for file in warcorpus README.md LICENSE-MIT LICENSE-APACHE THIRDPARTY.yml man/warcorpus-build.1 completions/_warcorpus; do
            target=$(basename "$archive" .tar.gz)
            [ -s "$work/$target/$file" ] || { echo "$target has no $file"; exit 1; }
        done
    done
}
folder() { echo "$work/warcorpus-$version-$1"; }

# The programs of the archives, that for ARM emulated, of the Debian package and of the wheel.
here() {
    mkdir "$work/here"
    cp "$sample" "$work/here"
    row "archive for glibc" "$work/here" env -C "$work/here" "$(folder x86_64-unknown-linux-gnu)/warcorpus"
    row "static" "$work/here" env -C "$work/here" "$(folder x86_64-unknown-linux-musl)/warcorpus"
    if command -v qemu-aarch64-static >/dev/null; then
        row "aarch64, emulated" "$work/here" env -C "$work/here" qemu-aarch64-static "$(folder aarch64-unknown-linux-musl)/warcorpus"
    else
        echo "without qemu-aarch64-static the program for ARM is not run"
    fi
    dpkg-deb --extract "$files"/*.deb "$work/deb"
    test -s "$work/deb/usr/share/man/man1/warcorpus-build.1.gz"
    row "deb" "$work/here" env -C "$work/here" "$work/deb/usr/bin/warcorpus"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q install --no-index --no-deps "$files"/*manylinux*x86_64.whl
    row "wheel" "$work/here" env -C "$work/here" "$work/venv/bin/warcorpus"
}

if [ "${2:-}" = here ]; then
    reference
    archives
    here
    exit
fi

step "packages for the check"
apt-get -q -y install --no-install-recommends mmdebstrap busybox-static qemu-user-static lintian binutils buildah >"$work/log" 2>&1 ||
    { apt-get -q update && apt-get -q -y install --no-install-recommends mmdebstrap busybox-static qemu-user-static lintian binutils buildah; } >"$work/log" 2>&1
reference
archives

step "static programs"
# A root with nothing in it but the program.
mkdir -p "$work/empty/tmp"
cp "$sample" "$(folder x86_64-unknown-linux-musl)/warcorpus" "$work/empty/"
row "static, empty root" "$work/empty" chroot "$work/empty" /warcorpus
cp /usr/bin/qemu-aarch64-static "$(folder aarch64-unknown-linux-musl)/warcorpus" "$work/empty/"
row "aarch64, emulated, empty root" "$work/empty" chroot "$work/empty" /qemu-aarch64-static /warcorpus
echo "oldest glibc that the other one starts with:"
objdump -T "$(folder x86_64-unknown-linux-gnu)/warcorpus" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1

step "Debian package"
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$files"/*.deb
for release in bullseye bookworm trixie; do
    root=$work/$release
    mmdebstrap --quiet --variant=minbase --include=ca-certificates "$release" "$root"
    cp "$sample" "$files"/*.deb "$(folder x86_64-unknown-linux-gnu)/warcorpus" "$root/"
    row "glibc, Debian $release" "$root" chroot "$root" /warcorpus
    begun=$(seconds)
    chroot "$root" sh -c 'dpkg -i /*.deb' >/dev/null
    echo "deb, Debian $release: installed in $(since "$begun") s" | tee -a "$work/table"
    row "deb, Debian $release" "$root" chroot "$root" warcorpus
    test -s "$root/usr/share/man/man1/warcorpus-build.1.gz" || [ "$release" != bookworm ] # minbase may leave out manual pages
    chroot "$root" dpkg --purge warcorpus >/dev/null
    left=$(find "$root/usr" "$root/etc" -name '*warcorpus*')
    [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
done

step "conda recipe"
python3 -m venv "$work/rattler"
"$work/rattler/bin/pip" -q install py-rattler-build
"$work/rattler/bin/python" - packaging/conda/recipe.yaml <<'PYTHON'
import sys
from rattler_build import Stage0Recipe, VariantConfig
recipe = Stage0Recipe.from_file(sys.argv[1])
for variant in recipe.render(VariantConfig({"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]})):
    print(variant.recipe.package.name, variant.recipe.package.version)
PYTHON

step "wheel"
for release in bullseye bookworm; do
    root=$work/$release
    { chroot "$root" apt-get -qq update && chroot "$root" apt-get -qq -y install --no-install-recommends python3-venv; } >"$work/log" 2>&1
    cp "$files"/*manylinux*x86_64.whl "$root/"
    begun=$(seconds)
    chroot "$root" sh -c 'python3 -m venv /venv && /venv/bin/pip -q install --no-index /*.whl'
    echo "wheel, Debian $release: installed in $(since "$begun") s" | tee -a "$work/table"
    row "wheel, Debian $release, $(chroot "$root" python3 --version)" "$root" chroot "$root" /venv/bin/warcorpus
    row "python -m warcorpus, Debian $release" "$root" chroot "$root" /venv/bin/python -m warcorpus
done
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install uv "$(ls "$files"/*manylinux*x86_64.whl)[pandas,polars]"
UV_CACHE_DIR=$work/uv "$work/venv/bin/uvx" -q --from "$(ls "$files"/*manylinux*x86_64.whl)" warcorpus --version
"$work/venv/bin/python" packaging/notebook.py "$sample" "$work/notebook"

step "container: the Dockerfile, on a base of busybox in place of one from a registry of images"
base=$work/base
mkdir -p "$base/bin" "$base/usr/local/bin" "$base/opt" "$base/tmp" "$work/data"
cp /bin/busybox "$base/bin/"
for name in sh ln tar gzip; do ln -s busybox "$base/bin/$name"; done
cp "$sample" "$work/data"
(
    export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot CONTAINERS_STORAGE_CONF=$work/storage.conf
    printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$work/images" "$work/running" >"$CONTAINERS_STORAGE_CONF"
    container=$(buildah from scratch)
    buildah add -q "$container" "$base" /
    buildah commit -q "$container" localhost/base
    buildah build -q -f packaging/container/Dockerfile --build-arg BASE=localhost/base --build-arg VERSION="$version" \
        -t localhost/warcorpus "$files"
    container=$(buildah from localhost/warcorpus)
    row "container" "$work/data" buildah run --volume "$work/data:/data" "$container" -- warcorpus
)

step "crates: installed as the registry hands them out, with the newest dependencies; and with the oldest compiler that they name"
cargo publish --workspace --exclude language-table --dry-run --no-verify --allow-dirty --quiet
rm -rf target/package
cargo package --workspace --exclude language-table --no-verify --allow-dirty --quiet
mkdir "$work/crates" "$work/installed"
for crate in target/package/*.crate; do tar -xzf "$crate" -C "$work/crates"; done
# The crates of data are not in the registry before the first release.
part() { echo "patch.crates-io.warcorpus-latin-$1.path='$(echo "$work/crates/warcorpus-latin-$1"-*)'"; }
cargo install --quiet --path "$work/crates/warcorpus-$version" --config "$(part 1)" --config "$(part 2)" \
    --root "$work/crate" --target-dir target/installed
cp "$sample" "$work/installed"
row "cargo install" "$work/installed" env -C "$work/installed" "$work/crate/bin/warcorpus"
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rustup toolchain install "$oldest.0" --profile minimal >"$work/log" 2>&1
cargo "+$oldest.0" check --quiet --locked --target-dir target/oldest

step "result"
cat "$work/table"
(cd "$files" && du -h --apparent-size -- *)
