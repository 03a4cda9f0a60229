#!/usr/bin/env bash
# Builds the GraphQL engine with libFuzzer and AddressSanitizer, and runs the fuzzer: fuzz.sh [SECONDS]
# Ends with an error if the fuzzer has a finding. The input of the finding remains in Fuzzing/.build/findings. To reproduce it:
# ASAN_OPTIONS=detect_leaks=0 Fuzzing/.build/graphql-fuzzer FILE
#
# FUZZ_SCRATCH is the folder of the build. By default it is Fuzzing/.build, where the fuzzer, its corpus and its findings always are.
set -euo pipefail

seconds=${1:-60}
cd "$(dirname "${BASH_SOURCE[0]}")/../Fuzzing"
scratch=${FUZZ_SCRATCH:-.build}
mkdir -p .build
# The sanitizer reports the location of a crash, so Swift's backtrace is not needed.
export SWIFT_BACKTRACE=enable=no

# The archive would retain the objects of deleted files.
rm -f "$scratch/release/libGraphQLFuzzer.a"
build() { swift build -c release --scratch-path "$scratch" --product GraphQLFuzzer --jobs "${JOBS:-2}"; }
# A build folder that outlives the checkout may be damaged. It is then removed, and everything is built once more.
build || { [[ -n ${FUZZ_SCRATCH-} ]] && find "$scratch" -mindepth 1 -delete && build; }
swiftc -sanitize=fuzzer,address -static-stdlib "$scratch/release/libGraphQLFuzzer.a" -o .build/graphql-fuzzer 2>.build/link.log || {
    cat .build/link.log >&2
    exit 1
}

# Write each document of seeds.graphql to a separate file.
mkdir -p .build/{seeds,corpus,findings}
rm -f .build/seeds/*
awk -v RS='# ---\n' '{ file = sprintf(".build/seeds/%02d.graphql", NR); printf "%s", $0 > file; close(file) }' seeds.graphql

# Leak detection is off, because it does not recognize references in enums: Swift stores additional bits in these references.
export ASAN_OPTIONS=detect_leaks=0
status=0
.build/graphql-fuzzer -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -max_len=16384 \
    -dict=graphql.dict -artifact_prefix=.build/findings/ -print_final_stats=1 .build/corpus .build/seeds \
    2>.build/fuzz.log || status=$?
if ((status != 0)); then
    grep -vE '^#[0-9]+' .build/fuzz.log >&2
    echo "There is a finding: its input is in $PWD/.build/findings." >&2
    exit 1
fi
grep -E '^(Done|stat::)' .build/fuzz.log
