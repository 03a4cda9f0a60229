#!/usr/bin/env bash
# Runs a command with build folders that outlive this checkout: with-build-cache.sh COMMAND [ARGUMENT…]
#
# SwiftPM compiles a dependency again only if its sources, its options or the path of the build folder have changed. In a folder that several
# checkouts use, one after the other, the dependencies therefore remain compiled, and only the targets of Duet are compiled again.
#
# The folder of the cache is DUET_BUILD_CACHE, by default duet in the user's cache directory. It has build folders for each combination of
# compiler, build options and required packages. Two runs at the same time never use the same folder.
#
# The script builds the tests before it runs the command. If this fails without an error in a file of this checkout, the cached build may be
# damaged. The script then removes it and builds everything once more.
#
# The command gets the paths of its build folders in TEST_SCRATCH (make build, make test) and FUZZ_SCRATCH (make fuzz).
set -euo pipefail

if (($# == 0)); then
    echo "Usage: $0 COMMAND [ARGUMENT…]" >&2
    exit 64
fi
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${DUET_BUILD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/duet}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd -P)

key=$({
    swift --version 2>/dev/null
    grep -hE '^ *(//.*tools-version|\.package\()' "$checkout/Package.swift" "$checkout/Fuzzing/Package.swift"
    sed -n '/^TEST_OPTIONS/,/[^\\]$/p' "$checkout/Makefile"
    # The build folder contains absolute paths, so a moved cache is a different one.
    echo "$cache"
} | cksum | tr -d ' ')

# Each build folder has a lock file beside it, which is never removed. If the folder itself were the lock, a run could lock a folder that another
# run is removing.
#
# Folders that no run has used for four weeks are removed.
find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +28 | while read -r folder; do
    (flock --nonblock 9 && rm -rf "$folder") 9>>"$folder.lock" || true
done

# Lock the first free folder. The lock ends with the last process that has inherited it, even if this script is killed.
slot=
for number in 1 2 3 4; do
    exec {lock}>>"$cache/$key-$number.lock"
    if flock --nonblock "$lock"; then
        slot=$cache/$key-$number
        break
    fi
    exec {lock}>&-
done
if [[ -z $slot ]]; then
    echo 'Other runs use all folders of the build cache, so this run builds everything.'
    exec "$@"
fi
mkdir -p "$slot"
touch "$slot"
export TEST_SCRATCH=$slot/test FUZZ_SCRATCH=$slot/fuzz

# Succeeds if a file of this checkout has an error, and the error is not that a module of the cached build is missing or damaged. The compiler
# reports an error in the expansion of a macro without the path of the file; only Duet uses macros.
has_own_error() {
    ! grep -qE 'no such module|malformed|missing required module|could not build .*module|failed to load module' "$log" &&
        awk -v folder="$checkout/" 'index($0, folder) == 1 && /:[0-9]+:[0-9]+: (fatal )?error:/ { found = 1 }
            /^macro expansion [^ ]*:[0-9]+:[0-9]+: error:/ { found = 1 } END { exit !found }' "$log"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
is_new=
[[ -d $TEST_SCRATCH ]] || is_new=1
# The pipe's status is that of make.
if ! make --no-print-directory -C "$checkout" build </dev/null 2>&1 | tee "$log"; then
    if [[ -n $is_new ]] || has_own_error; then exit 1; fi
    echo "The cached build in $slot may be damaged. This run removes it and builds everything."
    find "$slot" -mindepth 1 -delete
    make --no-print-directory -C "$checkout" build </dev/null
fi
rm -f "$log"
trap - EXIT
"$@"
