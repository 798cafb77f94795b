#!/bin/sh
# Builds the engine for browsers, and all that the playground loads beside it, into web/dist.
# The target comes from rustup where it has it; else Debian's compiler builds the standard library as well.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
out=web/dist
folder=${CARGO_TARGET_DIR:-$PWD/target}/wasm
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

# Where in the sources a panic arose says nothing to who reads a page, and takes room; only the name is unstable.
export RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Zlocation-detail=none'
std=
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] && [ -z "${SARAI_WASM_DEBIAN:-}" ]; then
    :
elif [ -z "${SARAI_WASM_DEBIAN:-}" ] && command -v rustup >/dev/null && rustup target add "$target" >/dev/null 2>&1; then
    :
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ] &&
    linker=$(command -v wasm-ld-19 || command -v wasm-ld); then
    export RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
    std=-Zbuild-std=std,panic_abort
else
    echo "missing: a Rust compiler for $target" >&2
    echo 'install it with one of these:' >&2
    echo "  rustup target add $target" >&2
    echo '  apt-get install rustc-web rust-web-src lld-19      (Debian)' >&2
    exit 1
fi

# What is inlined wherever it is called makes the engine quick, and twice as large: a page rather loads at once.
source=$folder/source
rm -rf "$source"
mkdir -p "$source"
cp -R Cargo.toml Cargo.lock src benches "$source"
find "$source/src" -name '*.rs' -exec sed -i.before 's/#\[inline(always)\]/#[inline]/' {} +

export CARGO_TARGET_DIR="$folder" CARGO_INCREMENTAL=0
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
export CARGO_PROFILE_RELEASE_PANIC=abort CARGO_PROFILE_RELEASE_STRIP=true
# shellcheck disable=SC2086  # empty where rustup has the target
cargo rustc --manifest-path "$source/Cargo.toml" --locked --lib --crate-type cdylib --release --target "$target" $std \
    --no-default-features --features wasm
built=$folder/$target/release/sarai.wasm

rm -rf "$out"
mkdir -p "$out"
if optimiser=$(command -v web/node_modules/.bin/wasm-opt || command -v wasm-opt); then
    "$optimiser" -Oz --strip-debug --strip-producers --enable-bulk-memory --enable-nontrapping-float-to-int \
        --enable-sign-ext --enable-mutable-globals --enable-multivalue --enable-reference-types \
        "$built" -o "$out/sarai.wasm"
else
    echo 'without wasm-opt the engine is a little larger: "npm ci" in web/ gets it' >&2
    cp "$built" "$out/sarai.wasm"
fi
for file in engine.js engine.d.ts commands.js course.js host.js thinking.js worker.js playground.html playground.css \
    playground.js ../python/sarai/web/static/board.js ../python/sarai/web/static/board.css; do
    cp "web/$file" "$out"
done
