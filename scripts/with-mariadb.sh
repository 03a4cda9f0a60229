#!/usr/bin/env bash
# Runs a command beside a MariaDB server of its own: with-mariadb.sh COMMAND [ARGUMENT…]
#
# The command finds it in three URLs: DUET_TEST_MARIADB and DUET_BENCH_MARIADB, each an empty database, of a user who may
# also create any database named duet_…, and DUET_TEST_MARIADB_ADMIN, the server's administrator.
# The exit status is the command's. Server, data and whatever the command left running are gone afterwards.
set -euo pipefail

if (($# == 0)); then
    echo "Usage: $0 COMMAND [ARGUMENT…]" >&2
    exit 64
fi

# /tmp rather than TMPDIR: a socket's path may have 107 bytes, and the server's account must be able to reach it.
folder=$(mktemp -d /tmp/duet-mariadb.XXXXXX)
socket=$folder/socket
log=$folder/log
server=
command=

# shellcheck disable=SC2317 # reached through the trap
finish() {
    trap '' INT TERM HUP
    if [[ -n $command ]]; then
        # The command has a process group of its own, so what it started and left behind ends here too.
        kill -TERM -- "-$command" 2>/dev/null || true
        for _ in {1..100}; do
            kill -0 "$command" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL -- "-$command" 2>/dev/null || true
    fi
    # The data are thrown away, so there is nothing a slow shutdown could save.
    if [[ -n $server ]]; then
        kill -KILL "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Someone's own settings must not reach this server or its client.
unset MYSQL_HOME MYSQL_HOST MYSQL_PWD MYSQL_TCP_PORT MYSQL_UNIX_PORT

# MariaDB refuses to run as root. setpriv also ties the server's life to this script's.
as_server=(setpriv --pdeathsig KILL)
if ((EUID == 0)); then
    account=nobody
    if id mysql >/dev/null 2>&1; then account=mysql; fi
    as_server+=("--reuid=$(id -u "$account")" "--regid=$(id -g "$account")" --clear-groups)
    chown "$account" "$folder"
fi

password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
cat >"$folder/users.sql" <<SQL
ALTER USER root@localhost IDENTIFIED BY '$password';
CREATE USER IF NOT EXISTS duet@'%' IDENTIFIED BY '$password';
GRANT ALL PRIVILEGES ON \`duet\\_%\`.* TO duet@'%';
CREATE DATABASE IF NOT EXISTS duet_test;
CREATE DATABASE IF NOT EXISTS duet_bench;
SQL
chmod 644 "$folder/users.sql" # in a folder that only the server's account and root can enter

# To be run in a subshell. The server's account may not be able to enter the current folder.
exec_as_server() {
    cd "$folder"
    PATH=$PATH:/usr/sbin exec "${as_server[@]}" "$@"
}

if ! (exec_as_server mariadb-install-db --no-defaults --force --datadir="$folder/data" \
    --auth-root-authentication-method=socket --skip-test-db) >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

start() {
    exec_as_server mariadbd --no-defaults --datadir="$folder/data" --socket="$socket" \
        --bind-address=127.0.0.1 --port="$port" --pid-file="$folder/pid" --init-file="$folder/users.sql" \
        --skip-name-resolve --character-set-server=utf8mb4 --max-connections=800 --performance-schema=OFF --skip-log-bin \
        --innodb-buffer-pool-size=128M --innodb-log-file-size=64M --innodb-flush-log-at-trx-commit=2 >"$log" 2>&1 &
    server=$!
}

is_ready() {
    MYSQL_PWD=$password mariadb --no-defaults --user=duet --socket="$socket" --execute='DO 1' duet_test >/dev/null 2>&1
}

port=
for _ in {1..5}; do
    port=$((20000 + RANDOM % 12000)) # below the range from which connections take theirs
    start
    for _ in {1..600}; do
        kill -0 "$server" 2>/dev/null || break
        if is_ready; then break 2; fi
        sleep 0.1
    done
    # Only a port that is taken is worth another try.
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
    grep -q 'Address already in use' "$log" || break
done
if [[ -z $server ]]; then
    echo "MariaDB did not start:" >&2
    tail -n 20 "$log" >&2
    exit 1
fi

export DUET_TEST_MARIADB="mariadb://duet:$password@127.0.0.1:$port/duet_test?socket=$socket"
export DUET_BENCH_MARIADB="mariadb://duet:$password@127.0.0.1:$port/duet_bench?socket=$socket"
export DUET_TEST_MARIADB_ADMIN="mariadb://root:$password@localhost/mysql?socket=$socket"

# In the background, so that a signal to this script is answered at once; a shell would leave SIGINT ignored there.
setsid env --default-signal=INT,QUIT "$@" </dev/null &
command=$!
status=0
wait "$command" || status=$?
exit "$status"
