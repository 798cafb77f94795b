#!/bin/sh
# Builds the engine for browsers, and all that the playground loads beside it, into web/dist.
# The compiler is rustup's where it can have the source of its standard library, else Debian's.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
out=web/dist
folder=${CARGO_TARGET_DIR:-$PWD/target}/wasm
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

# The standard library is built as well, so that a panic, which ends the engine in any case, takes no words with it. That is
# a tenth of all that a page loads. The flags for it are unstable, so that compilers take them only under this name.
export RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Zlocation-detail=none -Zunstable-options -Cpanic=immediate-abort'
std_of() {
    [ -d "$("$1" --print sysroot)/lib/rustlib/src/rust/library" ]
}
if [ -z "${SARAI_WASM_DEBIAN:-}" ] && command -v rustup >/dev/null && std_of rustc; then
    :
elif [ -z "${SARAI_WASM_DEBIAN:-}" ] && command -v rustup >/dev/null && rustup component add rust-src >/dev/null 2>&1; then
    :
elif [ -x /usr/bin/rustc ] && std_of /usr/bin/rustc && linker=$(command -v wasm-ld-19 || command -v wasm-ld); then
    export RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
else
    echo "missing: a Rust compiler with the source of its standard library, to build the engine for $target" >&2
    echo 'install it with one of these:' >&2
    echo '  rustup component add rust-src' >&2
    echo '  apt-get install rustc-web rust-web-src lld-19      (Debian)' >&2
    exit 1
fi

export CARGO_TARGET_DIR="$folder" CARGO_INCREMENTAL=0
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
export CARGO_PROFILE_RELEASE_PANIC=abort
optimiser=$(command -v web/node_modules/.bin/wasm-opt || command -v wasm-opt || true)
# With the names of functions wasm-opt puts them in an order that compresses better, by 3%; it removes the names itself.
export CARGO_PROFILE_RELEASE_STRIP=$([ -n "$optimiser" ] && echo none || echo symbols)
# What sorts and writes numbers in the standard library is small then rather than fast: 3% of the whole.
cargo build --package sarai-wasm --locked --release --target "$target" -Zbuild-std=std,panic_abort \
    -Zbuild-std-features=optimize_for_size
built=$folder/$target/release/sarai_wasm.wasm

rm -rf "$out"
mkdir -p "$out"
if [ -n "$optimiser" ]; then
    "$optimiser" -Oz --reorder-functions --strip-debug --strip-producers --enable-bulk-memory --enable-nontrapping-float-to-int \
        --enable-sign-ext --enable-mutable-globals --enable-multivalue --enable-reference-types \
        "$built" -o "$out/sarai.wasm"
else
    echo 'without wasm-opt the engine is a little larger: "npm ci" in web/ gets it' >&2
    cp "$built" "$out/sarai.wasm"
fi
for file in engine.js engine.d.ts host.js thinking.js worker.js playground.html playground.css playground.js \
    ../python/sarai/_web/static/board.js ../python/sarai/_web/static/board.css; do
    case $file in
    # Comments and indents are for whoever reads the sources.
    *.js) sed -e 's/^ *//' -e '/^ *\/\//d' -e '/^ *\/\*\*.*\*\/$/d' -e '/^ *\/\*\*/,/\*\/$/d' "web/$file" >"$out/${file##*/}" ;;
    *.css) sed -e 's/^ *//' -e '/^\/\*.*\*\/$/d' "web/$file" >"$out/${file##*/}" ;;
    *) cp "web/$file" "$out" ;;
    esac
done
# The rules, which a page loads when somebody opens them.
for game in src/games/*/; do
    name=$(basename "$game")
    cp "$game/how_to_play.md" "$out/$name.how_to_play.md"
    sed '/^# Making a game$/,$d' "$game/rules.md" >"$out/$name.rules.md"
done
