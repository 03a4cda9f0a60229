#!/usr/bin/env bash
# Prints the test targets that can have the tests of a filter, separated by commas: test-targets.sh FILTER
#
# swift test selects the tests whose identifier, Target.Suite/function()/File.swift:1:2, contains the regular expression FILTER. Each name of an
# identifier is in the sources of the target or in their paths. A target that lacks a name of FILTER therefore has none of the tests. Prints
# nothing, which means all targets, unless FILTER consists of names, separated by '/', '.' and '|'.
set -euo pipefail

filter=${1-}
name='[A-Za-z_][A-Za-z0-9_]*'
if [[ ! $filter =~ ^$name([./|]$name)*$ ]]; then exit 0; fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# has_names FOLDER NAME…: Succeeds if the sources in the folder, or their paths, have all names.
has_names() {
    local folder=$1 name
    shift
    for name in "$@"; do
        grep -rqF --include='*.swift' -e "$name" "$folder" || [[ $(find "$folder") == *"$name"* ]] || return 1
    done
}

IFS='|' read -ra alternatives <<<"$filter"
targets=()
for folder in Tests/*Tests; do
    for alternative in "${alternatives[@]}"; do
        IFS='/.' read -ra names <<<"$alternative"
        if has_names "$folder" "${names[@]}"; then
            targets+=("${folder#Tests/}")
            break
        fi
    done
done
(
    IFS=,
    printf '%s' "${targets[*]}"
)
