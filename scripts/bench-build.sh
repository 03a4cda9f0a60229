#!/usr/bin/env bash
# Measures builds and test runs of the commit that is checked out: bench-build.sh [ROUNDS]
#
# Each round clones the repository into an empty folder, and prints the seconds of:
#   - make release, the build of make run;
#   - make build and the run of all tests, the two parts of make test;
#   - make test FILTER=DuetResourceServiceTests, without a change, after a change of an interface and of a function body in
#     DuetResourceService, and after a change in one test file.
# Then it prints, for the build of the tests, the processor time of the modules that took most. The packages that make needs must be installed,
# and no other program should use the processors. A round takes about a quarter of an hour.
set -euo pipefail

rounds=${1:-1}
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clone=$folder/duet
log=$folder/log
# make passes the variables of its command line to the commands of a recipe.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL ARGS FILTER TEST_SCRATCH FUZZ_SCRATCH DUET_BUILD_CACHE

# timed NAME COMMAND…: Runs a command, and prints its seconds and its processor time. The output is printed only if the command fails.
timed() {
    local name=$1 used TIMEFORMAT='%R s, processors %U + %S s'
    shift
    used=$( { time "$@" >"$log" 2>&1; } 2>&1) || {
        cat "$log" >&2
        echo "error: $name failed." >&2
        exit 1
    }
    printf '%-55s %s\n' "$name" "$used"
}
tests() { make -C "$clone" test FILTER=DuetResourceServiceTests; }

# A compiler that records its processor time. The tests are found with a library at a path relative to the compiler.
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
mkdir -p "$folder/toolchain/bin"
ln -s "$toolchain/lib" "$folder/toolchain/lib"
cat >"$folder/toolchain/bin/swiftc" <<COMPILER
#!/usr/bin/env bash
module= previous=
for argument in "\$@"; do
    [[ \$previous != -module-name ]] || module=\$argument
    [[ \$argument != -emit-executable ]] || module="\$module (link)"
    previous=\$argument
done
"$toolchain/bin/swiftc" "\$@"
status=\$?
# A pipeline would report the times of its own shell.
times >"$folder/times.\$\$"
tail -n 1 "$folder/times.\$\$" | tr ms '  ' |
    awk -v module="\$module" '{ printf "%.1f %s\n", \$1 * 60 + \$2 + \$3 * 60 + \$4, module }' >>"$folder/modules"
rm -f "$folder/times.\$\$"
exit \$status
COMPILER
chmod +x "$folder/toolchain/bin/swiftc"

for ((round = 1; round <= rounds; round++)); do
    echo "Round $round of $rounds, $(nproc) processors, commit $(git -C "$repository" rev-parse --short HEAD)"
    rm -rf "$clone"
    git clone --quiet "$repository" "$clone"
    timed 'make release, clean' make -C "$clone" release
    timed 'make build, clean' make -C "$clone" build
    timed 'make test, built' make -C "$clone" test
    grep -E '^[^ ]+ Test run with' "$log" | tail -n 1
    timed 'make test FILTER=DuetResourceServiceTests, first run' tests
    timed 'make test FILTER=DuetResourceServiceTests, no change' tests
    printf '\npackage func benchmark() -> Int { 1 }\n' >>"$clone/Sources/DuetResourceService/Answer/Answer.swift"
    timed '… after a change of an interface' tests
    sed -i 's/benchmark() -> Int { 1 }/benchmark() -> Int { 2 }/' "$clone/Sources/DuetResourceService/Answer/Answer.swift"
    timed '… after a change of a function' tests
    printf '\nprivate let benchmark = 1\n' >>"$clone/Tests/DuetResourceServiceTests/Answer/LimitTests.swift"
    timed '… after a change in a test file' tests
done

rm -rf "$clone"
git clone --quiet "$repository" "$clone"
SWIFT_EXEC=$folder/toolchain/bin/swiftc timed 'make build, with the time of each module' make -C "$clone" build
echo 'Processor time of the Swift compiler in seconds'
awk '$2 != "" { sum += $1 } END { printf "%6.1f all modules\n", sum }' "$folder/modules"
awk '/\(link\)/ { sum += $1; count += 1 } END { printf "%6.1f links of %d programs\n", sum, count }' "$folder/modules"
awk '!/\(link\)/ && $2 ~ /Tests$/ && $2 !~ /Discovered/ { sum += $1 } END { printf "%6.1f test modules\n", sum }' "$folder/modules"
awk '!/\(link\)/ && $2 ~ /^[Dd]uet/ && $2 !~ /Tests$/ { sum += $1 } END { printf "%6.1f modules of Duet\n", sum }' "$folder/modules"
sort -rn "$folder/modules" | awk '$2 != ""' | head -n 25
