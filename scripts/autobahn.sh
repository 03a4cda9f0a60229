#!/usr/bin/env bash
# Runs Autobahn's fuzzing client against the WebSocket layer of the server: autobahn.sh [CASE…]
#
# The cases are patterns such as 6.4.*; by default all cases except 12.* and 13.*, which test compression. The script ends with an error if
# the behaviour of a case is not OK or INFORMATIONAL, or if the connection of a case was not closed as expected.
#
# Autobahn needs CPython 2.7 (PYTHON2=python2.7) with pip. The script installs it into .build/autobahn, where the reports also are.
# ECHO_PROGRAM is a built websocket-echo. By default, the script builds it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON2:-python2.7}
folder=$PWD/.build/autobahn
if [[ -z ${ECHO_PROGRAM-} ]]; then
    DUET_WITHOUT_PLUGIN=1 swift build -c release --product websocket-echo --jobs "${JOBS:-2}"
    ECHO_PROGRAM=$(DUET_WITHOUT_PLUGIN=1 swift build -c release --show-bin-path)/websocket-echo
fi

mkdir -p "$folder"
if [[ ! -e $folder/packages/bin/wstest ]]; then
    rm -rf "$folder/packages"
    "$python" -m pip install --quiet --target "$folder/packages" autobahntestsuite==25.10.1
    # pip does not create the file of a namespace package, which Python 2 needs.
    touch "$folder/packages/zope/__init__.py"
fi

: >"$folder/port"
"$ECHO_PROGRAM" 0 >"$folder/port" &
server=$!
# shellcheck disable=SC2317 # reached through the trap
finish() {
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
trap finish EXIT
for ((attempt = 0; attempt < 100; attempt++)); do
    [[ -s $folder/port ]] && break
    sleep 0.1
done

cases=("${@:-*}")
quoted=$(printf '"%s",' "${cases[@]}")
cat >"$folder/spec.json" <<JSON
{
    "outdir": "$folder/reports",
    "servers": [{"agent": "duet", "url": "ws://127.0.0.1:$(<"$folder/port")"}],
    "cases": [${quoted%,}],
    "exclude-cases": ["12.*", "13.*"],
    "exclude-agent-cases": {}
}
JSON
rm -rf "$folder/reports"
PYTHONPATH=$folder/packages "$python" "$folder/packages/bin/wstest" -m fuzzingclient -s "$folder/spec.json" >"$folder/log" 2>&1 || {
    tail -n 40 "$folder/log" >&2
    exit 1
}

"$python" - "$folder/reports/index.json" <<'PYTHON'
import collections, json, sys

results = json.load(open(sys.argv[1]))["duet"]
counts = collections.Counter()
failures = []
for case in sorted(results, key=lambda name: [int(part) for part in name.split(".")]):
    behavior, close = results[case]["behavior"], results[case]["behaviorClose"]
    counts[behavior] += 1
    if behavior not in ("OK", "INFORMATIONAL") or close not in ("OK", "INFORMATIONAL"):
        failures.append("%s: %s, close %s" % (case, behavior, close))
print("%d cases: %s" % (len(results), ", ".join("%d %s" % (counts[name], name) for name in sorted(counts))))
if failures or not results:
    sys.exit("\n".join(failures) or "There is no result.")
PYTHON
