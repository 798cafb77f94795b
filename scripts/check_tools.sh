#!/bin/sh
# Says what this machine lacks to build Sarai, one line each, and fails; silent when nothing is missing.
#   check_tools.sh [rust] [lint] [python]
# PYTHON is the interpreter to check; with PYTHON_CHOSEN=1 it must be the version that VENV_PYTHON has, if that exists.
set -u
cd "$(dirname "$0")/.." || exit 1

python=${PYTHON:-python3}
python_min=$(sed -n 's/^requires-python = ">=\(.*\)"$/\1/p' pyproject.toml)
cargo_min=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
status=0

missing() {
    printf 'Sarai needs python3 >= %s with venv, cargo >= %s and make: %s\n' "$python_min" "$cargo_min" "$1" >&2
    status=1
}

# version_at_least 1.95.0 1.88: compares the first two numbers.
version_at_least() {
    awk -v have="$1" -v want="$2" 'BEGIN {
        split(have, h, "."); split(want, w, ".")
        exit !(h[1] + 0 > w[1] + 0 || (h[1] + 0 == w[1] + 0 && h[2] + 0 >= w[2] + 0))
    }'
}

python_version() {
    "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null
}

check_rust() {
    if ! command -v cargo >/dev/null 2>&1; then
        if [ -x "${HOME:-}/.cargo/bin/cargo" ]; then
            missing "cargo is installed but not on the PATH; run: . \"\$HOME/.cargo/env\""
        else
            missing "cargo is missing; install Rust from https://rustup.rs and open a new terminal."
        fi
        return
    fi
    version=$(cargo --version 2>/dev/null | awk '{print $2}')
    if [ -z "$version" ]; then
        missing "cargo does not run; 'rustup default stable' gives it a toolchain."
    elif ! version_at_least "$version" "$cargo_min"; then
        missing "cargo is $version, which is too old; 'rustup update stable' (or https://rustup.rs) gives a newer one."
    fi
    # rustc calls the system's linker; on Windows it comes with the build tools and is on no PATH.
    if [ "${OS:-}" != Windows_NT ] && ! command -v cc >/dev/null 2>&1 && ! command -v gcc >/dev/null 2>&1 \
        && ! command -v clang >/dev/null 2>&1; then
        missing "cargo finds no linker (cc); install it with 'apt install gcc' or, on macOS, 'xcode-select --install'."
    fi
}

check_lint() {
    command -v cargo >/dev/null 2>&1 || return # check_rust has said so
    for tool in fmt clippy; do
        if ! cargo "$tool" --version >/dev/null 2>&1; then
            missing "'cargo $tool' is missing; run: rustup component add rustfmt clippy"
        fi
    done
}

check_python() {
    if ! command -v "$python" >/dev/null 2>&1; then
        missing "$python is missing; install it (apt install python3 python3-venv), or name another: make PYTHON=python3.12"
        return
    fi
    version=$(python_version "$python")
    if [ -z "$version" ]; then
        missing "$python does not run; name another: make PYTHON=python3.12"
    elif ! version_at_least "$version" "$python_min"; then
        missing "$python is $version, which is too old; install a newer one and name it: make PYTHON=python3.12"
    elif ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        missing "$python $version has no venv; install it (apt install python3-venv), or name another: make PYTHON=python3.12"
    elif [ "${PYTHON_CHOSEN:-}" = 1 ] && present=$(python_version "${VENV_PYTHON:-}") \
        && [ "${present%.*}" != "${version%.*}" ]; then
        printf 'PYTHON=%s is %s, but the virtual environment has Python %s: run "make clean" first, or add VENV=.venvs/%s\n' \
            "$python" "$version" "$present" "${version%.*}" >&2
        status=1
    fi
}

for part in "$@"; do
    case $part in
        rust) check_rust ;;
        lint) check_lint ;;
        python) check_python ;;
        *) echo "check_tools.sh: '$part' is none of rust, lint, python" >&2; exit 2 ;;
    esac
done
exit "$status"
