#!/usr/bin/env bash
# Installs those of the named apt packages that are missing: install-packages.sh PACKAGE…
set -euo pipefail

is_installed() {
    # One line per architecture; a package that is unknown prints nothing.
    dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian: install what these packages hold by other means, then run swift build." >&2
    printf '  %s\n' "$@" >&2
    exit 1
fi

missing=()
for package in "$@"; do
    is_installed "$package" || missing+=("$package")
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

echo "Installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes)
# A broken third-party source must not stop an installation that does not need it.
"${apt[@]}" update || echo "apt-get update failed; trying with the package lists at hand." >&2
"${apt[@]}" install --no-install-recommends "${missing[@]}"
