#!/usr/bin/env bash
# Prints the instructions and cache misses of one request of each kind, of the execution of an operation by the engine alone, and of a row of an
# import into SQLite. valgrind counts them; the requests use a sample of 10,000 employees. The difference between two runs is the count of 1,000
# requests, executions or rows, without the start of the program.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
database=$folder/sample.sqlite
.build/release/duet sample --database "sqlite:$database" >/dev/null
details='titles { title fromDate toDate } salaries { salary fromDate toDate }'
requests=(
    '/health/live'
    '/employees/10004'
    '/employees/10004?details=titles&details=salaries'
    '{ employee(id: 10004) { lastName } }'
    "{ employee(id: 10004) { employeeNumber firstName lastName $details } }"
)
# count PROGRAM ARGUMENT…: prints the instructions, and the misses of the first-level caches of 32 KiB for instructions and for data. If the
# program fails, prints its output as an error, and nothing else.
count() {
    local output
    if ! output=$(valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null --I1=32768,8,64 --D1=32768,8,64 \
        ".build/release/$1" "${@:2}" 2>&1); then
        echo "$output" >&2
        return 1
    fi
    awk '/ I +refs:/ { i = $NF } /I1 +misses:/ { m = $NF } /D1 +misses:/ { d = $4 } END { gsub(",", "", i); gsub(",", "", m); gsub(",", "", d); print i, m, d }' <<<"$output"
}
# row NAME PROGRAM FIRST-ARGUMENT LAST-ARGUMENT: prints a row of the table. The argument between the two is the number of repetitions.
row() {
    read -r i1 m1 d1 < <(count "$2" "$3" 200 "$4")
    read -r i2 m2 d2 < <(count "$2" "$3" 1200 "$4")
    printf '%12d %10d %10d  %s\n' $(((i2 - i1) / 1000)) $(((m2 - m1) / 1000)) $(((d2 - d1) / 1000)) "$1"
}
printf '%12s %10s %10s  %s\n' instructions I1-misses D1-misses 'request or operation'
for request in "${requests[@]}"; do row "$request" request-cost "$database" "$request"; done
row 'prepared operation: { count }' operation-cost prepared '{ count }'
row 'one call with a cached document: { count }' operation-cost one-call '{ count }'
for format in ndjson csv bare; do row "a row of an import: $format" import-cost "$folder/import.sqlite" "$format"; done
