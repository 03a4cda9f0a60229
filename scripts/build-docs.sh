#!/usr/bin/env bash
# Builds the documentation of all libraries into .build/documentation: build-docs.sh
#
# A library is a product of Package.swift. Its articles, if any, are in Sources/LIBRARY/LIBRARY.docc. A warning of DocC is an error.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
output=.build/documentation
libraries=$(sed -nE 's/^ *\.library\(name: "([^"]+)".*/\1/p' Package.swift)
mkdir -p "$output"
temporary=$(mktemp -d)
log=$temporary/log
# Package.swift has the documentation plugin if DUET_DOCUMENTATION is set. If the plugin remained in Package.resolved, other builds would fetch it.
restore() {
    rm -f Package.resolved
    [[ ! -e $temporary/Package.resolved ]] || mv "$temporary/Package.resolved" Package.resolved
    rm -rf "$temporary"
}
[[ ! -e Package.resolved ]] || cp Package.resolved "$temporary"
trap restore EXIT
export DUET_DOCUMENTATION=1
# shellcheck disable=SC2046
swift package --jobs "${JOBS:-2}" --scratch-path .build/docs --allow-writing-to-directory "$output" generate-documentation \
    $(printf -- '--target %s ' $libraries) --enable-experimental-combined-documentation --output-path "$output" 2>&1 | tee "$log"

# The plugin builds one library after the other. Warnings about files that SwiftPM does not handle are from other packages, and are not counted.
warnings=$(awk -F"'" '/Building documentation for/ { library = $2 }
    /warning: / && !/unhandled/ { count[library]++ }
    END { for (library in count) print count[library], library }' "$log")
if [[ -n $warnings ]]; then
    printf 'error: The documentation has warnings, which are above. Their number in each library:\n%s\n' "$warnings" >&2
    exit 1
fi
