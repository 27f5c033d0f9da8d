"""Several processes on one file: two MCP servers on stdio and one HTTP server, mixed load, kill -9 of one MCP server
again and again.

    python3 checks/several/several.py target/release/memoriter --seconds 60

Every fact that was acknowledged must be there in the end, `memoriter verify` must find nothing, and no call may be told
that the store is busy, or take five seconds. Needs Python 3.9 and nothing else.
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_SECONDS = 5.0


class Mcp:
    """One `memoriter mcp`, spoken to in frames of a line."""

    def __init__(self, program, env):
        self.process = subprocess.Popen(
            [program, "mcp", "--user", "priya"], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.call("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "several", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError
            message = json.loads(line)
            if message.get("id") == self.number:
                return message

    def tool(self, name, arguments):
        answer = self.call("tools/call", {"name": name, "arguments": arguments})
        result = answer.get("result")
        if result is None or result.get("isError"):
            raise RuntimeError(json.dumps(answer)[:400])
        return result


class Shared:
    """What all threads know."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds
        self.lock = threading.Lock()
        self.acknowledged = {}
        self.calls = 0
        self.slowest = 0.0
        self.failures = []

    def is_going(self):
        return time.monotonic() < self.end

    def timed(self, who, call):
        begun = time.monotonic()
        try:
            return call()
        finally:
            took = time.monotonic() - begun
            with self.lock:
                self.calls += 1
                self.slowest = max(self.slowest, took)
                if took > LIMIT_SECONDS:
                    self.failures.append(f"{who}: a call took {took:.1f} s")

    def noted(self, key, value):
        with self.lock:
            self.acknowledged[key] = value


def write_by_mcp(shared, program, env, name, kills):
    server, number, seeded = Mcp(program, env), 0, random.Random(name)
    while shared.is_going():
        number += 1
        key, value = f"{name}{number}.word", f"{name}-{seeded.getrandbits(48):012x}"
        try:
            shared.timed(name, lambda: server.tool(
                "save_memory", {"text": f"The word {name} {number} is {value}", "key": key, "value": value}))
            shared.noted(key, value)
            if number % 5 == 0:
                shared.timed(name, lambda: server.tool("search_memory", {"query": f"word {name} {number}"}))
        except (EOFError, BrokenPipeError):
            # Only who is killed may break off; what was not acknowledged may be there or not.
            if not kills:
                shared.failures.append(f"{name}: the server ended")
                return
            server = Mcp(program, env)
        except RuntimeError as error:
            shared.failures.append(f"{name}: {error}")
        if kills and seeded.random() < 0.02:
            server.process.kill()
    server.process.stdin.close()
    server.process.wait()


def write_by_http(shared, address, name):
    host, port = address.split(":")
    connection, number, seeded = http.client.HTTPConnection(host, int(port), timeout=30), 0, random.Random(name)

    def post(path, body):
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()

    while shared.is_going():
        number += 1
        key, value = f"{name}{number}.word", f"{name}-{seeded.getrandbits(48):012x}"
        fact = {"statement": f"The word {name} {number} is {value}", "key": key, "value": value}
        status, told = shared.timed(name, lambda: post("/v1/memories", {"user_id": "priya", "facts": [fact]}))
        if status == 200:
            shared.noted(key, value)
        else:
            shared.failures.append(f"{name}: {status} {told[:300]!r}")
        if number % 5 == 0:
            status, told = shared.timed(
                name, lambda: post("/v1/memories/search", {"user_id": "priya", "query": f"word {name} {number}"}))
            if status != 200:
                shared.failures.append(f"{name}: {status} {told[:300]!r}")


def stored(program, env):
    found, cursor = {}, None
    while True:
        more = ["--cursor", cursor] if cursor else []
        told = subprocess.run(
            [program, "--user", "priya", "list", "--json", "--all", "--limit", "1000", *more],
            env=env, capture_output=True, text=True, check=True)
        page = json.loads(told.stdout)
        found.update({memory["key"]: memory["value"] for memory in page["memories"]})
        cursor = page["next_cursor"]
        if not cursor:
            return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program")
    arguments.add_argument("--seconds", type=int, default=60)
    given = arguments.parse_args()
    program = os.path.abspath(given.program)
    with tempfile.TemporaryDirectory() as folder:
        env = {"HOME": folder, "MEMORITER_DATA": os.path.join(folder, "data"), "PATH": os.environ["PATH"]}
        server = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--log", "quiet"],
            env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = server.stderr.readline().strip().rsplit("http://", 1)[1]
        shared = Shared(given.seconds)
        threads = [
            threading.Thread(target=write_by_mcp, args=(shared, program, env, "one", False)),
            threading.Thread(target=write_by_mcp, args=(shared, program, env, "two", True)),
            threading.Thread(target=write_by_http, args=(shared, address, "three")),
            threading.Thread(target=write_by_http, args=(shared, address, "four")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        server.terminate()
        ended = server.wait(timeout=30)
        found = stored(program, env)
        lost = [key for key, value in shared.acknowledged.items() if found.get(key) != value]
        verified = subprocess.run([program, "verify", "--json"], env=env, capture_output=True, text=True)
    print(f"{shared.calls} calls, slowest {shared.slowest:.2f} s; {len(shared.acknowledged)} facts acknowledged, "
          f"{len(lost)} lost; server ended with {ended}; verify {verified.returncode}")
    for failure in shared.failures[:10]:
        print(failure)
    if lost or shared.failures or verified.returncode or ended:
        print("FAILED")
        sys.exit(1)
    print("ok")


if __name__ == "__main__":
    main()
