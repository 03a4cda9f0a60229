#!/usr/bin/env bash
# Compares the public interfaces of the libraries with those of the last version: check-api.sh [REVISION]
#
# By default, REVISION is the tag of the last version. The script builds the libraries of this revision in .build/api, which takes about ten
# minutes, and stores their interfaces there. A change that breaks callers is an error, unless .ci/api-breakages.txt has its message.
#
# The script calls swift-api-digester itself. `swift package diagnose-api-breaking-changes` fails for this package: it passes the module maps
# of C targets twice, if the tools of the plugin have a second build of these targets.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# An error of git must not look like a repository without tags.
git rev-parse --verify HEAD >/dev/null
revision=${1:-$(git describe --tags --abbrev=0 --match '[0-9]*' --match 'v[0-9]*' 2>/dev/null || true)}
if [[ -z $revision ]]; then
    echo 'The interfaces were not compared, because there is no tag of a version. Fetch the tags (git fetch --tags), or name a revision' \
        '(make check-api REVISION=…).'
    exit 0
fi
commit=$(git rev-parse --verify "$revision^{commit}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Prints the names of the libraries of a checkout, one per line.
libraries() { sed -nE 's/^ *\.library\(name: "([A-Za-z]+)".*/\1/p' "$1/Package.swift"; }

# Builds the libraries of a checkout, and stores their interfaces: interfaces CHECKOUT SCRATCH FOLDER [OPTION…]
interfaces() {
    local checkout=$1 scratch=$2 folder=$3 library map products arguments=()
    shift 3
    for library in $(libraries "$checkout"); do
        if ! swift build --package-path "$checkout" --scratch-path "$scratch" "$@" --target "$library" >"$log" 2>&1; then
            cat "$log" >&2
            echo "error: The interfaces were not compared: $library in $checkout does not build." >&2
            exit 1
        fi
    done
    products=$(swift build --package-path "$checkout" --scratch-path "$scratch" "$@" --show-bin-path)
    for map in "$products"/*.build/module.modulemap; do
        [[ $map == *-tool.build/* ]] || arguments+=(-Xcc "-fmodule-map-file=$map")
    done
    while read -r map; do arguments+=(-I "${map%/*}"); done \
        < <(find "$scratch"/checkouts/*/Sources "$checkout"/Sources/C* -name module.modulemap)
    for map in $(pkg-config --cflags sqlite3 libmariadb zlib); do arguments+=(-Xcc "$map"); done
    mkdir -p "$folder"
    for library in $(libraries "$checkout"); do
        if ! swift-api-digester -dump-sdk -module "$library" -I "$products/Modules" "${arguments[@]}" -o "$log.json" >"$log" 2>&1; then
            cat "$log" >&2
            echo "error: The interface of $library cannot be read." >&2
            exit 1
        fi
        # Remove the declarations that only this package can use. The tool marks them as internal.
        jq 'walk(if type == "object" and has("children") then .children |= map(select(.isInternal != true)) else . end)' \
            "$log.json" >"$folder/$library.json"
        rm -f "$log.json"
        if [[ $(jq '.ABIRoot.children | length' "$folder/$library.json") == 0 ]]; then
            cat "$log" >&2
            echo "error: The interface of $library is empty." >&2
            exit 1
        fi
    done
}

echo "The interfaces of the libraries are compared with those of $revision."
root=$PWD/.build/api
old=$root/$commit
if [[ ! -e $old/complete ]]; then
    rm -rf "$root/checkout" "$old"
    mkdir -p "$root/checkout"
    git archive "$commit" | tar -x -C "$root/checkout"
    # Use the same versions of the dependencies as the current checkout.
    cp Package.resolved "$root/checkout/" 2>/dev/null || true
    interfaces "$root/checkout" "$root/build" "$old" --jobs "${JOBS:-2}"
    touch "$old/complete"
fi
# API_OPTIONS are the options of an existing build.
# shellcheck disable=SC2086
interfaces "$PWD" "${API_SCRATCH:-$PWD/.build}" "$root/current" --jobs "${JOBS:-2}" ${API_OPTIONS:-}

# Prints the breaking changes between two interfaces: compare OLD NEW
compare() {
    local output
    output=$(swift-api-digester -diagnose-sdk -compiler-style-diags -breakage-allowlist-path .ci/api-breakages.txt \
        -input-paths "$1" -input-paths "$2" 2>&1) || true
    # The tool prints this heading in each comparison that it completes.
    if [[ $output != *'/* Removed Decls */'* ]]; then
        echo "API breakage: The comparison failed: $output"
        return
    fi
    grep -E '^API breakage:' <<<"$output" || true
}

# The comparison must find the removal of all structures. Otherwise the output of the tool has changed.
jq '.ABIRoot.children |= map(select(.declKind != "Struct"))' "$root/current/DuetJSON.json" >"$log"
if [[ -z $(compare "$root/current/DuetJSON.json" "$log") ]]; then
    echo 'error: swift-api-digester does not report a removed structure, so this script must be adapted to it.' >&2
    exit 1
fi

breakages=()
for file in "$old"/*.json; do
    library=$(basename "$file" .json)
    if ! libraries . | grep -qx "$library"; then
        removal="API breakage: library $library has been removed"
        grep -qxF "$removal" .ci/api-breakages.txt || breakages+=("$library: $removal")
        continue
    fi
    while read -r line; do breakages+=("$library: $line"); done < <(compare "$file" "$root/current/$library.json")
done
if [[ ${#breakages[@]} == 0 ]]; then
    echo "No change breaks a caller, in $(libraries . | wc -l) libraries."
    exit 0
fi
printf '%s\n' "${breakages[@]}" >&2
cat >&2 <<'ADVICE'
error: These changes break programs that use the libraries. Restore the old declaration, deprecated if need be. If the change is intended, add
its line, from "API breakage:" on, to .ci/api-breakages.txt, and an entry to CHANGELOG.md.
ADVICE
exit 1
