#!/usr/bin/env bash
# Prints the instructions and cache misses of one request of each kind. valgrind counts them on a sample of 10,000 employees. The difference
# between two runs is the count of 1,000 requests, without the start of the program.
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
# count REQUESTS REQUEST: prints the instructions, and the misses of the first-level caches of 32 KiB for instructions and for data.
count() {
    valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null --I1=32768,8,64 --D1=32768,8,64 \
        .build/release/request-cost "$database" "$1" "$2" 2>&1 |
        awk '/ I +refs:/ { i = $NF } /I1 +misses:/ { m = $NF } /D1 +misses:/ { d = $4 } END { gsub(",", "", i); gsub(",", "", m); gsub(",", "", d); print i, m, d }'
}
printf '%12s %10s %10s  %s\n' instructions I1-misses D1-misses request
for request in "${requests[@]}"; do
    read -r i1 m1 d1 < <(count 200 "$request")
    read -r i2 m2 d2 < <(count 1200 "$request")
    printf '%12d %10d %10d  %s\n' $(((i2 - i1) / 1000)) $(((m2 - m1) / 1000)) $(((d2 - d1) / 1000)) "$request"
done
