#!/usr/bin/env bash
# Builds the documentation of all libraries into .build/documentation: build-docs.sh
#
# A library is a product of Package.swift. Its articles, if any, are in Sources/LIBRARY/LIBRARY.docc. A warning is an error, except for the
# libraries below.
set -euo pipefail

# These libraries can have warnings. Remove a library from the list when it has none.
with_warnings='DuetClientPublishers DuetClientValidation DuetGraphQL DuetGraphQLHTTP DuetGraphQLLanguage DuetJSON DuetJSONWriter
    DuetPersistedDocuments DuetPersistedQueries DuetResourceService DuetResultSetJSON DuetSQLDatabase'

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

# The location follows each warning, such as: --> Sources/DuetJSON/JSONBytes.swift:75:71-75:71
warnings=$(sed -nE 's|^ *--> Sources/([A-Za-z]+)/.*|\1|p' "$log" | sort | uniq -c)
[[ -z $warnings ]] || printf 'Warnings of each library:\n%s\n' "$warnings"
status=0
for library in $(awk '{ print $2 }' <<<"$warnings"); do
    if ! grep -qw "$library" <<<"$with_warnings"; then
        echo "error: The documentation of $library has warnings, which are above." >&2
        status=1
    fi
done
exit "$status"
