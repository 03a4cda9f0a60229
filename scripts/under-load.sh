#!/usr/bin/env bash
# Runs a command on a busy machine: under-load.sh COMMAND [ARGUMENT…]
#
# Beside it run two loops that compute, and one that writes a file and syncs it. They end with the command, however that ends, and
# after an hour at the latest. The exit status is the command's.
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
    # Each has a process group of its own.
    for load in "${loads[@]}"; do kill -KILL -- "-$load" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# timeout, whose group the loop is in, ends it after an hour; setpriv ends both with this script, even if that is killed.
load() {
    setpriv --pdeathsig KILL timeout --signal=KILL 3600 \
        setpriv --pdeathsig KILL bash -c "$1" load "$folder/file" </dev/null >/dev/null 2>&1 &
    loads+=($!)
}
load 'while :; do :; done'
load 'while :; do :; done'
load 'while :; do dd if=/dev/zero of="$1" bs=64K count=64 conv=fsync; done'

# In the background, so that a signal to this script is answered at once.
"$@" </dev/null &
command=$!
status=0
wait "$command" || status=$?
command=
exit "$status"
