#!/usr/bin/env bash
# Builds the GraphQL engine with libFuzzer and AddressSanitizer, and feeds it: fuzz.sh [SECONDS]
# Ends with an error if there is a finding; its input stays in Fuzzing/.build/findings. To see one again:
# ASAN_OPTIONS=detect_leaks=0 Fuzzing/.build/graphql-fuzzer FILE
set -euo pipefail

seconds=${1:-60}
cd "$(dirname "${BASH_SOURCE[0]}")/../Fuzzing"
# The sanitizer says where a crash is; Swift's own report would only take time.
export SWIFT_BACKTRACE=enable=no

# An archive keeps the objects of files that are gone.
rm -f .build/release/libGraphQLFuzzer.a
swift build -c release --product GraphQLFuzzer --jobs "${JOBS:-2}"
swiftc -sanitize=fuzzer,address -static-stdlib .build/release/libGraphQLFuzzer.a -o .build/graphql-fuzzer 2>.build/link.log || {
    cat .build/link.log >&2
    exit 1
}

# One file per document.
mkdir -p .build/{seeds,corpus,findings}
rm -f .build/seeds/*
awk -v RS='# ---\n' '{ file = sprintf(".build/seeds/%02d.graphql", NR); printf "%s", $0 > file; close(file) }' seeds.graphql

# No search for leaks: it does not find the references inside of enums, which have bits of their own in them.
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
