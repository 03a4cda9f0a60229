#!/usr/bin/env python3
"""Reloads the certificate and the description of a server many times while clients send requests.

    scripts/reloads.py .build/release/duet [COUNT]

The script starts `duet serve` on a free port of 127.0.0.1, with a certificate and a description of the sample database.
h2load sends requests over HTTP/2 and over HTTP/1.1 on connections that persist, and a further client opens a connection
for each request. In each of COUNT rounds, the script replaces the certificate and the description, and sends SIGHUP.
After that, a new connection must have the new certificate, and a response the new description. The script fails if a
request fails.
"""
import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time


def request(port, path):
    """Returns the certificate of the server and the body of a response with status 200, on a new connection."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
    try:
        connection.connect()
        certificate = connection.sock.getpeercert(binary_form=True)
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise OSError(f"status {response.status}: {body[:500]}")
        return certificate, body
    finally:
        connection.close()


class Load(threading.Thread):
    """Repeats a function until it is stopped. The function returns the number of its requests."""

    def __init__(self, function):
        super().__init__()
        self.function, self.count, self.errors, self.is_stopped = function, 0, [], False

    def run(self):
        while not self.is_stopped:
            try:
                self.count += self.function()
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(repr(error))


def single_request(port):
    request(port, "/departments")
    return 1


def many_requests(port, *options):
    command = ["h2load", "-t1", "-c4", "-n4000", *options, f"https://127.0.0.1:{port}/departments"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "4000 succeeded, 0 failed, 0 errored, 0 timeout" not in output or "status codes: 4000 2xx" not in output:
        raise OSError(output)
    return 4000


def replace(source, target):
    """Replaces a file in one step, so that it is never incomplete."""
    shutil.copy(source, target + ".new")
    os.rename(target + ".new", target)


def prepare(program, folder):
    """Writes a database, two certificates, and two descriptions whose name of a field differs."""
    database = f"sqlite:{folder}/sample.sqlite"
    run = {"check": True, "capture_output": True, "text": True}
    subprocess.run([program, "sample", "--database", database, "--employees", "100"], **run)
    description = subprocess.run([program, "introspect", database], **run).stdout
    for index in range(2):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=server{index}",
             "-keyout", f"{folder}/{index}.key", "-out", f"{folder}/{index}.pem"], **run)
        with open(f"{folder}/{index}.yaml", "w") as file:
            file.write(re.sub(r"\bdeptName\b", f"name{index}", description))
    return database


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        database = prepare(program, folder)

        def select(index):
            for kind in ("key", "pem", "yaml"):
                replace(f"{folder}/{index}.{kind}", f"{folder}/server.{kind}")

        select(0)
        certificates = [ssl.PEM_cert_to_DER_cert(open(f"{folder}/{index}.pem").read()) for index in range(2)]
        log = open(f"{folder}/log", "w")
        server = subprocess.Popen(
            [program, "serve", "--port", str(port), "--database", database, "--api", "server.yaml",
             "--tls-certificate", "server.pem", "--tls-key", "server.key", "--log-level", "info"],
            cwd=folder, stdout=log, stderr=log)

        def wait(path, index):
            """Waits until a new connection has a certificate and a response the description that belongs to it."""
            deadline = time.time() + 60
            while True:
                try:
                    certificate, body = request(port, path)
                    if certificate == certificates[index] and f"name{index}".encode() in body:
                        return
                except OSError:
                    if server.poll() is not None or time.time() > deadline:
                        raise
                if time.time() > deadline:
                    raise TimeoutError(f"after 60 s, the server has not reloaded its files: {body[:200]}")

        loads = [
            Load(lambda: single_request(port)), Load(lambda: many_requests(port, "-m10")),
            Load(lambda: many_requests(port, "--h1")),
        ]
        try:
            wait("/departments", 0)
            for load in loads:
                load.start()
            start = time.time()
            for number in range(1, count + 1):
                select(number % 2)
                server.send_signal(signal.SIGHUP)
                wait("/departments", number % 2)
            seconds = time.time() - start
            for load in loads:
                load.is_stopped = True
            for load in loads:
                load.join()
            errors = [error for load in loads for error in load.errors]
            counts = ", ".join(f"{load.count} {name}" for load, name in zip(loads, ("with a handshake each", "over HTTP/2", "over HTTP/1.1")))
            print(f"{count} reloads in {seconds:.0f} s; requests: {counts}; {len(errors)} errors")
            for error in errors[:5]:
                print(error)
            refused = [line for line in open(f"{folder}/log") if "description" in line and "could not" in line]
            for line in refused[:5]:
                print(line)
            return 1 if errors or refused else 0
        finally:
            for load in loads:
                load.is_stopped = True
            server.terminate()
            server.wait()


sys.exit(main())
