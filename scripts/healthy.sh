#!/usr/bin/env bash
# The health check of the container: succeeds if the server is ready. The image has no curl. With TLS and without an admin
# port, the 400 for a request without encryption only shows that the server is live.
set -euo pipefail

exec 3<>"/dev/tcp/127.0.0.1/${DUET_ADMIN_PORT:-${DUET_PORT:-8080}}"
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS= read -r -t 5 status <&3
[[ $status == "HTTP/1.1 200 "* || (-n ${DUET_TLS_CERTIFICATE:-} && $status == "HTTP/1.1 400 "*) ]]
