#!/bin/sh
# Builds the engine for browsers into web/dist: sarai.wasm and what a page needs beside it.
# The target comes from rustup where it has it, else Debian's compiler builds the standard library as well.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
out=web/dist

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/wasm"
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_PANIC=abort
export CARGO_PROFILE_RELEASE_STRIP=true CARGO_INCREMENTAL=0
std=

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    :
elif command -v rustup >/dev/null && rustup target add "$target" >/dev/null 2>&1; then
    :
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ] &&
    linker=$(command -v wasm-ld-19 || command -v wasm-ld); then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
    std=-Zbuild-std=std,panic_abort
else
    echo "missing: a Rust compiler for $target" >&2
    echo "install it with one of these:" >&2
    echo "  rustup target add $target" >&2
    echo "  apt-get install rustc-web rust-web-src lld-19      (Debian)" >&2
    exit 1
fi

# shellcheck disable=SC2086  # empty where rustup has the target
cargo rustc --lib --crate-type cdylib --release --target "$target" $std --no-default-features --features wasm
built="$CARGO_TARGET_DIR/$target/release/sarai.wasm"

rm -rf "$out"
mkdir -p "$out"
if optimiser=$(command -v web/node_modules/.bin/wasm-opt || command -v wasm-opt); then
    "$optimiser" -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
        --enable-multivalue --enable-reference-types "$built" -o "$out/sarai.wasm"
else
    echo 'without wasm-opt the engine is somewhat larger; `npm ci` in web/ gets it' >&2
    cp "$built" "$out/sarai.wasm"
fi
for file in engine.js engine.d.ts commands.js course.js host.js thinking.js worker.js playground.html playground.css playground.js; do
    cp "web/$file" "$out/$file"
done
for file in board.js board.css; do
    if [ -f "python/sarai/web/static/$file" ]; then
        cp "python/sarai/web/static/$file" "$out/$file"
    fi
done
