#!/usr/bin/env bash
# Runs a command with a temporary MariaDB server: with-mariadb.sh [--volatile] [--odd] COMMAND [ARGUMENT…]
#
# The tests use both options, the benchmarks none:
#
# --volatile  The server does not wait for a disk: the data is in memory if /dev/shm has space, and the server syncs no file.
# --odd       The defaults of all session variables that change the meaning of statements are unusual. Duet sets these variables in its own
#             sessions, so the results of its statements do not depend on the defaults.
#
# The command gets URLs of the server in three environment variables. The URLs in DUET_TEST_MARIADB and DUET_BENCH_MARIADB have an empty database
# each, and a user who can also create databases named duet_…. The URL in DUET_TEST_MARIADB_ADMIN has the server's administrator.
#
# The exit status is that of the command. At the end, the script removes the server, its data, and all processes that the command has left. An
# empty data directory and the password remain in .build/mariadb. The next run copies the directory, because the creation of a data directory
# takes longer than the start of the server.
set -euo pipefail

volatile=
odd=
while [[ ${1-} == --* ]]; do
    case $1 in
    --volatile) volatile=1 ;;
    --odd) odd=1 ;;
    *)
        echo "error: The option $1 is unknown." >&2
        exit 64
        ;;
    esac
    shift
done
if (($# == 0)); then
    echo "Usage: $0 [--volatile] [--odd] COMMAND [ARGUMENT…]" >&2
    exit 64
fi

# /tmp and not TMPDIR: the path of a socket can have at most 107 bytes, and the server's account must have access to it.
parent=/tmp
# The size is in KiB. The tests use a tenth of it. By default a container has 64 MiB.
if [[ -n $volatile && -w /dev/shm ]] && (($(df --output=avail /dev/shm | tail -n 1) > 2097152)); then parent=/dev/shm; fi

# A run uses the folder, port and password of the last run, if they are free. They are part of the URLs in the environment. If the environment
# changes, the Swift package manager compiles the manifests of all dependencies again, which takes longer than most test suites.
kept=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)/.build/mariadb
mkdir -p "$kept"
password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
port=
number=$(cksum <<<"$kept $parent" | cut -d ' ' -f 1)
own=$parent/duet-mariadb.$number
mkdir -m 711 "$own" 2>/dev/null || true
# The lock is on the folder, which must belong to this account. The command inherits the lock: if this script is killed and the command
# continues, the next run uses another folder, port and password.
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
        # The command has its own process group, so the processes that it has left end, too.
        kill -TERM -- "-$command" 2>/dev/null || true
        for _ in {1..200}; do
            kill -0 "$command" 2>/dev/null || break
            sleep 0.05
        done
        kill -KILL -- "-$command" 2>/dev/null || true
    fi
    # The data is deleted, so the server need not shut down properly.
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

# The user's own settings must not apply to this server or its client.
unset MYSQL_HOME MYSQL_HOST MYSQL_PWD MYSQL_TCP_PORT MYSQL_UNIX_PORT

# MariaDB refuses to run as root. setpriv also ends the server with this script.
as_server=(setpriv --pdeathsig KILL)
account=
if ((EUID == 0)); then
    account=nobody
    if id mysql >/dev/null 2>&1; then account=mysql; fi
    as_server+=("--reuid=$(id -u "$account")" "--regid=$(id -g "$account")" --clear-groups)
    chown "$account" "$folder"
fi

cat >"$folder/init.sql" <<SQL
ALTER USER root@localhost IDENTIFIED BY '$password';
CREATE USER IF NOT EXISTS duet@'%' IDENTIFIED BY '$password';
GRANT ALL PRIVILEGES ON \`duet\\_%\`.* TO duet@'%';
CREATE DATABASE IF NOT EXISTS duet_test;
CREATE DATABASE IF NOT EXISTS duet_bench;
SQL
if [[ -n $odd ]]; then
    # One statement per line. The server executes init_connect for each connection of a user other than the administrator.
    cat >>"$folder/init.sql" <<SQL
SET GLOBAL sql_mode = 'ANSI,ALLOW_INVALID_DATES,EMPTY_STRING_IS_NULL,HIGH_NOT_PRECEDENCE,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY,PAD_CHAR_TO_FULL_LENGTH,SIMULTANEOUS_ASSIGNMENT,TIME_ROUND_FRACTIONAL';
SET GLOBAL old_mode = 'UTF8_IS_UTF8MB3,ZERO_DATE_TIME_CAST';
SET GLOBAL time_zone = '+05:45', GLOBAL tx_isolation = 'READ-UNCOMMITTED', GLOBAL autocommit = 0, GLOBAL completion_type = 'CHAIN';
SET GLOBAL sql_select_limit = 1, GLOBAL max_recursive_iterations = 1, GLOBAL system_versioning_asof = '2001-01-01', GLOBAL sql_auto_is_null = 1;
SET GLOBAL max_join_size = 1, GLOBAL sql_safe_updates = 1, GLOBAL standard_compliant_cte = 0;
SET GLOBAL group_concat_max_len = 4, GLOBAL div_precision_increment = 0, GLOBAL default_week_format = 3, GLOBAL lc_time_names = 'de_DE';
SET GLOBAL default_regex_flags = 'EXTENDED,MULTILINE', GLOBAL max_sort_length = 64, GLOBAL sort_buffer_size = 1024;
SET GLOBAL foreign_key_checks = 0, GLOBAL unique_checks = 0, GLOBAL check_constraint_checks = 0, GLOBAL sql_if_exists = 1, GLOBAL default_storage_engine = 'Aria';
SET GLOBAL init_connect = 'SET NAMES latin1, timestamp = 1';
SQL
fi
chmod 644 "$folder/init.sql" # in a folder that only the server's account and root can enter

# Call this function in a subshell. The server's account may have no access to the current folder.
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

# Create an empty data directory for this version of the server, or copy the one that an earlier run has created.
version=$(PATH=$PATH:/usr/sbin mariadbd --no-defaults --version | cksum | cut -d ' ' -f 1)
template=$kept/$version
if [[ ! -d $template ]]; then
    if ! (exec_as_server mariadb-install-db "${settings[@]}" --force \
        --auth-root-authentication-method=socket --skip-test-db) >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    # The complete directory is renamed, because another run may use it at the same time. If two runs rename, the second one may fail.
    made=$(mktemp -d "$kept/new.XXXXXX")
    cp -R "$folder/data/." "$made"
    mv -T "$made" "$template" 2>/dev/null || rm -rf "$made"
else
    cp -R "$template" "$folder/data"
    if [[ -n $account ]]; then chown -R "$account" "$folder/data"; fi
fi

start() {
    exec_as_server mariadbd "${settings[@]}" --socket="$socket" \
        --bind-address=127.0.0.1 --port="$port" --pid-file="$folder/pid" --init-file="$folder/init.sql" \
        --skip-name-resolve --character-set-server=utf8mb4 --max-connections=800 --performance-schema=OFF \
        --log-bin=changes --sync-binlog=0 --max-binlog-size=1G --log-bin-trust-function-creators=1 \
        --innodb-buffer-pool-size=128M >"$log" 2>&1 &
    server=$!
}

is_ready() {
    MYSQL_PWD=$password mariadb --no-defaults --user=duet --socket="$socket" --execute='DO 1' duet_test >/dev/null 2>&1
}

for _ in {1..5}; do
    [[ -n $port ]] || port=$((20000 + RANDOM % 12000)) # below the range of ephemeral ports
    start
    # The loop has no time limit, because the start can be slow on a busy machine. It ends if the server ends.
    while kill -0 "$server" 2>/dev/null; do
        if is_ready; then break 2; fi
        sleep 0.05
    done
    # Try again only if the port is in use.
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

# The command runs in the background, so that the script handles a signal at once. The shell ignores SIGINT for background commands, so env
# restores it.
setsid env --default-signal=INT,QUIT "$@" </dev/null &
command=$!
status=0
wait "$command" || status=$?
exit "$status"
