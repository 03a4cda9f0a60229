#!/usr/bin/env bash
# Runs a command beside a MariaDB server of its own: with-mariadb.sh [--volatile] COMMAND [ARGUMENT…]
#
# With --volatile nothing waits for a disk: the data are in memory where /dev/shm has room, and the server syncs no file. Tests run
# so; benchmarks do not.
#
# The command finds it in three URLs: DUET_TEST_MARIADB and DUET_BENCH_MARIADB, each an empty database, of a user who may
# also create any database named duet_…, and DUET_TEST_MARIADB_ADMIN, the server's administrator.
# The exit status is the command's. Server, data and whatever the command left running are gone afterwards. Two things stay in
# .build/mariadb: an empty data directory and the password. The next run copies the directory, because creating one takes longer than
# starting the server.
set -euo pipefail

volatile=
if [[ ${1-} == --volatile ]]; then
    volatile=1
    shift
fi
if (($# == 0)); then
    echo "Usage: $0 [--volatile] COMMAND [ARGUMENT…]" >&2
    exit 64
fi

# /tmp rather than TMPDIR: a socket's path may have 107 bytes, and the server's account must be able to reach it.
parent=/tmp
# In kibibytes. The tests' data take a tenth of it; a container has 64 MiB unless told otherwise.
if [[ -n $volatile && -w /dev/shm ]] && (($(df --output=avail /dev/shm | tail -n 1) > 2097152)); then parent=/dev/shm; fi

# A run has the folder, port and password of the last run, if they are free. They are part of the URLs in the environment. If the environment
# changes, the Swift package manager compiles the manifests of all dependencies again, which takes longer than most suites.
kept=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)/.build/mariadb
mkdir -p "$kept"
password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
port=
number=$(cksum <<<"$kept $parent" | cut -d ' ' -f 1)
own=$parent/duet-mariadb.$number
mkdir -m 711 "$own" 2>/dev/null || true
# The lock is on the folder itself, which nobody else may have made. The command inherits it: if this script is killed and the command is
# not, the next run has another folder, port and password.
if [[ -d $own && ! -L $own && -O $own ]] && exec {lock}<"$own" && flock --nonblock "$lock" &&
    [[ $own -ef /proc/$$/fd/$lock ]]; then
    port=$((20000 + number % 12000))
    if [[ $(cat "$kept/password" 2>/dev/null) =~ ^[0-9a-f]{32}$ ]]; then
        password=$(<"$kept/password")
    else
        (umask 077 && printf %s "$password" >"$kept/password")
    fi
    folder=$own/run
    rm -rf "$folder" # of a run that was killed
    mkdir -m 700 "$folder"
else
    own=
    folder=$(mktemp -d "$parent/duet-mariadb.XXXXXX")
fi
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
        for _ in {1..200}; do
            kill -0 "$command" 2>/dev/null || break
            sleep 0.05
        done
        kill -KILL -- "-$command" 2>/dev/null || true
    fi
    # The data are thrown away, so there is nothing a slow shutdown could save.
    if [[ -n $server ]]; then
        kill -KILL "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$folder"
    [[ -z $own ]] || rmdir "$own" 2>/dev/null || true
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Someone's own settings must not reach this server or its client.
unset MYSQL_HOME MYSQL_HOST MYSQL_PWD MYSQL_TCP_PORT MYSQL_UNIX_PORT

# MariaDB refuses to run as root. setpriv also ties the server's life to this script's.
as_server=(setpriv --pdeathsig KILL)
account=
if ((EUID == 0)); then
    account=nobody
    if id mysql >/dev/null 2>&1; then account=mysql; fi
    as_server+=("--reuid=$(id -u "$account")" "--regid=$(id -g "$account")" --clear-groups)
    chown "$account" "$folder"
fi

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

settings=(--no-defaults "--datadir=$folder/data" "--tmpdir=$folder" --innodb-log-file-size=64M)
if [[ -n $volatile ]]; then
    settings+=(--innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=OFF --innodb-flush-method=nosync --debug-no-sync)
else
    settings+=(--innodb-flush-log-at-trx-commit=2)
fi

# An empty data directory of this version of the server, and of these settings of its files.
version=$(PATH=$PATH:/usr/sbin mariadbd --no-defaults --version | cksum | cut -d ' ' -f 1)
template=$kept/$version
if [[ ! -d $template ]]; then
    if ! (exec_as_server mariadb-install-db "${settings[@]}" --force \
        --auth-root-authentication-method=socket --skip-test-db) >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    # Renamed when it is complete, as another run may look at the same time; the second one of two fails, and need not succeed.
    made=$(mktemp -d "$kept/new.XXXXXX")
    cp -R "$folder/data/." "$made"
    mv -T "$made" "$template" 2>/dev/null || rm -rf "$made"
else
    cp -R "$template" "$folder/data"
    if [[ -n $account ]]; then chown -R "$account" "$folder/data"; fi
fi

start() {
    exec_as_server mariadbd "${settings[@]}" --socket="$socket" \
        --bind-address=127.0.0.1 --port="$port" --pid-file="$folder/pid" --init-file="$folder/users.sql" \
        --skip-name-resolve --character-set-server=utf8mb4 --max-connections=800 --performance-schema=OFF --skip-log-bin \
        --innodb-buffer-pool-size=128M >"$log" 2>&1 &
    server=$!
}

is_ready() {
    MYSQL_PWD=$password mariadb --no-defaults --user=duet --socket="$socket" --execute='DO 1' duet_test >/dev/null 2>&1
}

for _ in {1..5}; do
    [[ -n $port ]] || port=$((20000 + RANDOM % 12000)) # below the range from which connections take theirs
    start
    # It is ready or ends, however long that takes on a busy machine.
    while kill -0 "$server" 2>/dev/null; do
        if is_ready; then break 2; fi
        sleep 0.05
    done
    # Only a port that is taken is worth another try.
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
    grep -q 'Address already in use' "$log" || break
    port=
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
