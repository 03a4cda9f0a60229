#!/usr/bin/env bash
# Runs a command with build folders that outlive this checkout: with-build-cache.sh COMMAND [ARGUMENT…]
#
# SwiftPM compiles a dependency again only if its sources, its options or the path of the build folder have changed. In a folder that several
# checkouts use, one after the other, the dependencies therefore remain compiled, and only the targets of Duet are compiled again.
#
# The folder of the cache is DUET_BUILD_CACHE, by default duet in the user's cache directory. It has a folder for each combination of compiler,
# build options and required packages. In it, each run has build folders of its own while it lasts, so runs at the same time do not meet.
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

key=$({
    swift --version 2>/dev/null
    grep -hE '^ *(//.*tools-version|\.package\()' "$checkout/Package.swift" "$checkout/Fuzzing/Package.swift"
    sed -n '/^TEST_OPTIONS/,/[^\\]$/p' "$checkout/Makefile"
    # The build folder contains absolute paths, so a moved cache is a different one.
    echo "$cache"
} | cksum | tr -d ' ')
mkdir -p "$cache/$key"
touch "$cache/$key"

# remove_if_unused FOLDER: Removes a build folder, unless a run uses it.
remove_if_unused() {
    (flock --nonblock 9 && rm -rf "$1") 9<"$1" || true
}
# Builds with other compilers, options or packages are removed after four weeks without use.
find "$cache" -mindepth 2 -maxdepth 2 -type d -not -path "$cache/$key/*" -mtime +28 2>/dev/null | while read -r folder; do
    remove_if_unused "$folder"
    rmdir "${folder%/*}" 2>/dev/null || true
done

# Lock the first free folder. The lock ends with the last process that has inherited it, even if this script is killed.
slot=
for number in 1 2 3 4; do
    mkdir -p "$cache/$key/$number"
    exec {lock}<"$cache/$key/$number"
    if flock --nonblock "$lock"; then
        slot=$cache/$key/$number
        break
    fi
    exec {lock}<&-
done
if [[ -z $slot ]]; then
    echo 'Other runs use all folders of the build cache, so this run builds everything.'
    exec "$@"
fi
touch "$slot"
export TEST_SCRATCH=$slot/test FUZZ_SCRATCH=$slot/fuzz

log=$(mktemp)
trap 'rm -f "$log"' EXIT
is_new=
[[ -d $TEST_SCRATCH ]] || is_new=1
# The pipe's status is that of make.
if ! make --no-print-directory -C "$checkout" build </dev/null 2>&1 | tee "$log"; then
    if [[ -n $is_new ]] || grep -qE "^$checkout/[^:]+:[0-9]+:[0-9]+: error:" "$log"; then exit 1; fi
    echo "The cached build in $slot may be damaged. This run removes it and builds everything."
    find "$slot" -mindepth 1 -delete
    make --no-print-directory -C "$checkout" build </dev/null
fi
rm -f "$log"
trap - EXIT
"$@"
