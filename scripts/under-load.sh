#!/usr/bin/env bash
# Runs a command under load: under-load.sh COMMAND [ARGUMENT…]
#
# The load is two loops that use the processors, and a loop that writes and syncs a file. The loops end when the script ends, even if the
# script is killed, and after an hour at the latest. The exit status is that of the command.
set -euo pipefail

if (($# == 0)); then
    echo "Usage: $0 COMMAND [ARGUMENT…]" >&2
    exit 64
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/duet-load.XXXXXX")
loads=()
command=

# shellcheck disable=SC2317 # reached through the trap
finish() {
    trap '' HUP INT TERM
    if [[ -n $command ]]; then
        kill -TERM "$command" 2>/dev/null || true
        wait "$command" 2>/dev/null || true
    fi
    # Each load has its own process group.
    for load in "${loads[@]}"; do kill -KILL -- "-$load" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# timeout ends the loop after an hour. setpriv ends timeout and the loop with this script, even if the script is killed. timeout has its own
# process group, which contains the loop.
load() {
    setpriv --pdeathsig KILL timeout --signal=KILL 3600 \
        setpriv --pdeathsig KILL bash -c "$1" load "$folder/file" </dev/null >/dev/null 2>&1 &
    loads+=($!)
}
load 'while :; do :; done'
load 'while :; do :; done'
load 'while :; do dd if=/dev/zero of="$1" bs=64K count=64 conv=fsync; done'

# The command runs in the background, so that the script handles a signal at once.
"$@" </dev/null &
command=$!
status=0
wait "$command" || status=$?
command=
exit "$status"
