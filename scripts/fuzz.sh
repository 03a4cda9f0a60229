#!/usr/bin/env bash
# Builds the GraphQL engine and the reader of tokens with libFuzzer and AddressSanitizer, and runs the two fuzzers: fuzz.sh [SECONDS]
# The reader of tokens has a quarter of the time. Ends with an error if a fuzzer has a finding. The input of the finding remains in
# Fuzzing/.build/findings. To reproduce it: ASAN_OPTIONS=detect_leaks=0 Fuzzing/.build/graphql-fuzzer FILE, or token-fuzzer.
#
# FUZZ_SCRATCH is the folder of the build. By default it is Fuzzing/.build, where the fuzzers, their corpora and their findings always are.
set -euo pipefail

seconds=${1:-60}
cd "$(dirname "${BASH_SOURCE[0]}")/../Fuzzing"
scratch=${FUZZ_SCRATCH:-.build}
mkdir -p .build
# The sanitizer reports the location of a crash, so Swift's backtrace is not needed.
export SWIFT_BACKTRACE=enable=no

# The archives would retain the objects of deleted files.
rm -f "$scratch"/release/lib{GraphQL,Token}Fuzzer.a
build() {
    local product
    for product in GraphQLFuzzer TokenFuzzer; do
        swift build -c release --scratch-path "$scratch" --product "$product" --jobs "${JOBS:-2}" || return 1
    done
}
# A build folder that outlives the checkout may be damaged. It is then removed, and everything is built once more.
build || { [[ -n ${FUZZ_SCRATCH-} ]] && find "$scratch" -mindepth 1 -delete && build; }
# link LIBRARY PROGRAM
link() {
    swiftc -sanitize=fuzzer,address -static-stdlib "$scratch/release/lib$1.a" -o ".build/$2" 2>.build/link.log || {
        cat .build/link.log >&2
        exit 1
    }
}
link GraphQLFuzzer graphql-fuzzer
link TokenFuzzer token-fuzzer

# Write each document of seeds.graphql and each line of seeds.tokens to a separate file.
mkdir -p .build/{seeds,corpus,token-seeds,token-corpus,findings}
rm -f .build/seeds/* .build/token-seeds/*
awk -v RS='# ---\n' '{ file = sprintf(".build/seeds/%02d.graphql", NR); printf "%s", $0 > file; close(file) }' seeds.graphql
awk '{ file = sprintf(".build/token-seeds/%02d", NR); printf "%s", $0 > file; close(file) }' seeds.tokens

# Leak detection is off, because it does not recognize references in enums: Swift stores additional bits in these references.
export ASAN_OPTIONS=detect_leaks=0
# fuzz PROGRAM SECONDS DICTIONARY FOLDER…: runs a fuzzer with a corpus and seeds.
fuzz() {
    local status=0
    ".build/$1" -max_total_time="$2" -rss_limit_mb=2048 -timeout=10 -max_len=16384 \
        -dict="$3" -artifact_prefix=.build/findings/ -print_final_stats=1 "${@:4}" \
        2>.build/fuzz.log || status=$?
    if ((status != 0)); then
        grep -vE '^#[0-9]+' .build/fuzz.log >&2
        echo "There is a finding of $1: its input is in $PWD/.build/findings." >&2
        exit 1
    fi
    echo "$1:"
    grep -E '^(Done|stat::)' .build/fuzz.log
}
tokens=$(((seconds + 3) / 4))
fuzz graphql-fuzzer $((seconds - tokens > 0 ? seconds - tokens : 1)) graphql.dict .build/corpus .build/seeds
fuzz token-fuzzer "$tokens" tokens.dict .build/token-corpus .build/token-seeds
