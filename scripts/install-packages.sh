#!/usr/bin/env bash
# Installs the given apt packages, except those that are installed: install-packages.sh PACKAGE…
set -euo pipefail

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian: install what these packages hold by other means, then run swift build." >&2
    printf '  %s\n' "$@" >&2
    exit 1
fi

# One call queries all packages. The output has a line for each package and architecture. An unknown package has no line and is an error.
declare -A installed=()
while read -r package status; do
    if [[ $status == installed ]]; then installed[$package]=1; fi
done < <(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
missing=()
for package in "$@"; do
    [[ -n ${installed[$package]-} ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, and no sudo to install them. As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

# Some packages have a system service. The tests start and end the programs themselves. The script therefore prevents apt from starting the
# service, and disables the service.
policy=/usr/sbin/policy-rc.d
has_own_policy=
remove_own_policy() {
    if [[ -n $has_own_policy ]]; then "${as_root[@]}" rm -f "$policy"; fi
}
trap remove_own_policy EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

list_services() {
    find /lib/systemd/system -maxdepth 1 -name '*.service' -printf '%f\n' 2>/dev/null | sort
}

echo "Installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes)
# A broken third-party package source must not prevent an installation that does not need it.
"${apt[@]}" update || echo "apt-get update failed; trying with the package lists at hand." >&2
services=$(list_services)
if [[ ! -e $policy ]]; then
    has_own_policy=1
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi
"${apt[@]}" install --no-install-recommends "${missing[@]}"
if command -v systemctl >/dev/null; then
    for service in $(comm -13 <(echo "$services") <(list_services)); do
        # A unit that does not start automatically, such as that of a socket, cannot be disabled.
        "${as_root[@]}" systemctl --quiet disable "$service" || true
    done
fi
