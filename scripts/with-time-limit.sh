#!/usr/bin/env bash
# Runs a command that runs tests, and ends it after a time: with-time-limit.sh SECONDS COMMAND [ARGUMENT…]
#
# Only the process that runs the tests is killed. The Swift package manager then prints what it still has in its buffer, so that the output
# has all tests that have ended. Afterwards those that have not are listed.
# The exit status is the command's, or 124 after the time.
set -euo pipefail

if (($# < 2)); then
    echo "Usage: $0 SECONDS COMMAND [ARGUMENT…]" >&2
    exit 64
fi
limit=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints the process with this identifier and all that it has started.
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
# In a process of its own, which does nothing else: a sleep that the command outlives is killed with it.
(
    sleep "$limit" &
    trap 'kill $! 2>/dev/null; exit 0' TERM
    wait $!
    touch "$folder/late"
    for process in $(tree "$command"); do
        if tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -q '^[^ ]*\.xctest '; then kill -KILL "$process"; fi
    done
    # Where no tests were running, or where their end was not the end.
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
