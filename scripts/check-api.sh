#!/usr/bin/env bash
# Compares the public interfaces of the libraries with those of the last version: check-api.sh [REVISION]
#
# REVISION is the last tag of a version by default. SwiftPM builds it, which takes about as long as a first build, and stores its interfaces in
# .build/api. A change that breaks callers is an error, unless .ci/api-breakages.txt has its message.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
revision=${1:-$(git describe --tags --abbrev=0 --match '[0-9]*' --match 'v[0-9]*' 2>/dev/null || true)}
if [[ -z $revision ]]; then
    echo 'There is no tag of a version, so there is no interface to compare with.'
    exit 0
fi

echo "The interfaces of the libraries are compared with those of $revision."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# API_OPTIONS are the options of an existing build, so that only the revision is built.
# shellcheck disable=SC2086
if swift package ${API_OPTIONS:-} diagnose-api-breaking-changes "$revision" \
    --breakage-allowlist-path .ci/api-breakages.txt --baseline-dir .build/api >"$log" 2>&1; then
    grep -E '^No breaking changes' "$log" || true
    exit 0
fi
if ! grep -q 'API breakage:' "$log"; then
    cat "$log" >&2
    echo "error: The interfaces were not compared: $revision or this checkout does not build." >&2
    exit 1
fi
grep -E 'breaking change|API breakage:' "$log" >&2
cat >&2 <<'ADVICE'
error: These changes break programs that use the libraries. Restore the old declaration, deprecated if need be. If the change is intended, add
its line, from "API breakage:" on, to .ci/api-breakages.txt, and an entry to CHANGELOG.md.
ADVICE
exit 1
