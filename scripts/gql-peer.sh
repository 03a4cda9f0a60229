#!/usr/bin/env bash
# Checks GraphQL over WebSocket with the Python client gql as an independent client: gql-peer.sh
#
# The script needs Python 3 with venv, and installs gql into .build/gql. DUET_PROGRAM is a built duet. By default, the script builds it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/.build/gql
if [[ -z ${DUET_PROGRAM-} ]]; then
    make release
    DUET_PROGRAM=$PWD/.build/release/duet
fi

mkdir -p "$folder"
if [[ ! -e $folder/venv/installed ]]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet 'gql[websockets]==4.4.0'
    touch "$folder/venv/installed"
fi

data=$(mktemp -d "$folder/data.XXXXXX")
server=
# shellcheck disable=SC2317 # reached through the trap
finish() {
    if [[ -n $server ]]; then
        kill -TERM "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$data"
}
trap finish EXIT

python3 - "$data/shop.sqlite" <<'PYTHON'
import sqlite3, sys

shop = sqlite3.connect(sys.argv[1])
shop.executescript("""
    PRAGMA journal_mode = wal;
    CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL);
    INSERT INTO customers VALUES (1, 'Ada', 'north'), (2, 'Bob', 'south');
""")
PYTHON
"$DUET_PROGRAM" introspect "sqlite:$data/shop.sqlite" --writes --output "$data/api.yaml"
cat >>"$data/api.yaml" <<'YAML'

roles:
  clerk:
    resources:
      customers: {read: {where: {region: {eq: {claim: region}}}}, update: {where: {region: {eq: {claim: region}}}}}
YAML
export DUET_TOKEN_SECRET='a secret of this script, with 32 bytes or more' DUET_TOKEN_ISSUER=gql DUET_TOKEN_AUDIENCE=duet
"$DUET_PROGRAM" serve --database "sqlite:$data/shop.sqlite" --api "$data/api.yaml" --port 0 >"$data/output" 2>"$data/log" &
server=$!
for ((attempt = 0; attempt < 200; attempt++)); do
    grep -q 'http://127.0.0.1:[0-9]' "$data/output" && break
    sleep 0.1
done
port=$(grep -o 'http://127.0.0.1:[0-9]*' "$data/output" | head -n 1 | grep -o '[0-9]*$')

"$folder/venv/bin/python" - "$port" "$data/shop.sqlite" <<'PYTHON'
import asyncio, base64, hashlib, hmac, json, os, sqlite3, sys, time

from gql import Client, gql
from gql.transport.exceptions import TransportConnectionFailed, TransportQueryError, TransportServerError
from gql.transport.websockets import WebsocketsTransport

url, path = f"ws://127.0.0.1:{sys.argv[1]}/graphql", sys.argv[2]


def token(region, seconds=600):
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    claims = {"iss": "gql", "aud": "duet", "exp": int(time.time()) + seconds, "role": "clerk", "region": region, "sub": region}
    text = part(b'{"alg":"HS256"}') + b"." + part(json.dumps(claims).encode())
    key = os.environ["DUET_TOKEN_SECRET"].encode()
    return "Bearer " + (text + b"." + part(hmac.digest(key, text, hashlib.sha256))).decode()


def transport(payload, **options):
    return WebsocketsTransport(url, init_payload=payload, subprotocols=["graphql-transport-ws"], **options)


def change(name, identifier):
    shop = sqlite3.connect(path, timeout=10)
    with shop:
        shop.execute("UPDATE customers SET name = ? WHERE id = ?", (name, identifier))
    shop.close()


names = gql("subscription { customers(first: 5) { nodes { name } } }")


def read(result):
    return [node["name"] for node in result["customers"]["nodes"]]


async def operations():
    async with Client(transport=transport({"Authorization": token("north")}, ping_interval=1), fetch_schema_from_transport=True) as session:
        first, second = session.subscribe(names), session.subscribe(gql("subscription { customer(id: 2) { name } }"))
        assert read(await anext(first)) == ["Ada"]
        assert await anext(second) == {"customer": None}
        change("Eve", 1)
        assert read(await anext(first)) == ["Eve"]
        mutation = gql('mutation { updateCustomer(id: 1, patch: {name: "Zoe"}) { customer { name } } }')
        assert (await session.execute(mutation))["updateCustomer"]["customer"]["name"] == "Zoe"
        assert read(await anext(first)) == ["Zoe"]
        await first.aclose()
        assert (await session.execute(gql("{ customer(id: 1) { name } }")))["customer"]["name"] == "Zoe"
        try:
            await session.execute(gql("{ customer(id: 1) { name } }"), operation_name="Missing")
            raise AssertionError("an unknown operation was executed")
        except TransportQueryError:
            pass
        await asyncio.sleep(2.5)  # pings of the client


async def refusal():
    try:
        async with Client(transport=transport({"Authorization": "Bearer nonsense"})):
            raise AssertionError("a connection without a valid token was accepted")
    except (TransportConnectionFailed, TransportServerError) as error:
        assert "4403" in f"{error!r} {error.__cause__!r}", repr(error)


async def expiry():
    try:
        async with Client(transport=transport({"Authorization": token("south", seconds=2)})) as session:
            async for result in session.subscribe(names):
                assert read(result) == ["Bob"]
        raise AssertionError("the connection was not closed")
    except (TransportConnectionFailed, TransportServerError) as error:
        assert "4401" in f"{error!r} {error.__cause__!r}", repr(error)


for check in (operations, refusal, expiry):
    asyncio.run(asyncio.wait_for(check(), 60))
    print(f"{check.__name__}: passed")
PYTHON
