#!/usr/bin/env bash
# Runs a test command with a time limit: with-time-limit.sh SECONDS COMMAND [ARGUMENT…]
#
# At the time limit, the script kills only the process that runs the tests. The Swift package manager then prints the rest of its buffer, so the
# output has all tests that have ended. After that, the script lists the tests that have not ended.
# The exit status is that of the command, or 124 after the time limit.
set -euo pipefail

if (($# < 2)); then
    echo "Usage: $0 SECONDS COMMAND [ARGUMENT…]" >&2
    exit 64
fi
limit=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints the identifiers of a process and of all its descendants.
tree() {
    local child
    echo "$1"
    for child in $(pgrep -P "$1" || true); do tree "$child"; done
}

mkfifo "$folder/output"
tee "$folder/log" <"$folder/output" &
printer=$!
"$@" >"$folder/output" 2>&1 &
command=$!
# The timer is a separate process. If the command ends first, the timer's sleep is killed, too.
(
    sleep "$limit" &
    trap 'kill $! 2>/dev/null; exit 0' TERM
    wait $!
    touch "$folder/late"
    for process in $(tree "$command"); do
        if tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -q '^[^ ]*\.xctest '; then kill -KILL "$process"; fi
    done
    # End the command if no tests were running, or if it continues after the end of the tests.
    sleep 60 &
    wait $!
    for process in $(tree "$command"); do kill -TERM "$process" 2>/dev/null || true; done
) &
watcher=$!

status=0
wait "$command" || status=$?
kill -TERM "$watcher" 2>/dev/null || true
wait "$printer"
if [[ -e $folder/late ]]; then
    status=124
    echo "This took longer than $limit seconds, and was ended: $*"
    # Lines such as: ◇ Test "Title" started. ✔ Test "Title" with 2 test cases passed after 0.5 seconds.
    names() { grep -E "$1" "$folder/log" | grep -oE 'Test ("[^"]*"|[A-Za-z0-9_]+\(\))' | sort || true; }
    comm -23 <(names '^[^ ]+ Test .* started\.$') <(names '^[^ ]+ Test .* (passed|failed|skipped)') | sed 's/^/Not ended: /'
fi
exit "$status"
