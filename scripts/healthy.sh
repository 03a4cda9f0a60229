#!/usr/bin/env bash
# The health check of the container: succeeds if the server is ready. The image has no curl.
set -euo pipefail

exec 3<>"/dev/tcp/127.0.0.1/${DUET_PORT:-8080}"
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS= read -r -t 5 status <&3
[[ $status == "HTTP/1.1 200 "* ]]
