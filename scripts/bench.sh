#!/usr/bin/env bash
# Runs the benchmarks that swift build -c release made: bench.sh [ARGUMENT OF duet-bench…]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec .build/release/duet-bench "$@"
