#!/usr/bin/env bash
# Runs the benchmarks that swift build -c release has built: bench.sh [ARGUMENT OF duet-bench…]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# On Linux, a library that is loaded before the C library counts allocations.
if [[ $(uname -s) == Linux ]]; then
    clang -O2 -shared -fPIC -o .build/count-allocations.so Benchmarks/allocations/count.c
    export DUET_BENCH_ALLOCATIONS=$PWD/.build/count-allocations.so
fi
exec .build/release/duet-bench "$@"
