"""How long a client of `memoriter mcp` waits: from the start of the process to the first answer, and for one call.

    python checks/mcp/figures.py PATH-OF-MEMORITER [MEMORIES]

Fills a new store with MEMORIES (10,000) through the server itself, starts it anew and asks. Needs nothing but Python.
"""

import json
import subprocess
import sys
import tempfile
import time

STARTS = 20
CALLS = 1_000
AT_ONCE = 32
WORDS = """river lantern orchard copper violin harbour meadow saddle thunder willow marble compass velvet anchor bramble
candle falcon granite hollow ivory juniper kettle ladder magnet needle otter pepper quarry ribbon saffron timber
umbrella valley walnut yarrow zephyr basket cobalt dragon ember""".split()


class Server:
    def __init__(self, program, data):
        self.started = time.perf_counter()
        self.process = subprocess.Popen([program, "mcp", "--data", data], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, method, params):
        self.number += 1
        frame = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self):
        answer = json.loads(self.process.stdout.readline())
        assert "result" in answer and not answer["result"].get("isError"), answer
        return answer["result"]

    def open(self):
        self.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                 "clientInfo": {"name": "figures", "version": "1"}})
        self.hear()
        return time.perf_counter() - self.started

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def text(number):
    pick = lambda step: WORDS[(number * step + number // 41) % len(WORDS)]
    return f"Note {number}: the {pick(3)} by the {pick(7)} was painted with {pick(11)} and {pick(17)}"


def fill(server, count):
    waiting = 0
    for number in range(count):
        server.send("tools/call", {"name": "save_memory", "arguments": {"text": text(number), "kind": "episodic"}})
        waiting += 1
        if waiting == AT_ONCE:
            server.hear()
            waiting -= 1
    for _ in range(waiting):
        server.hear()


def report(name, seconds):
    seconds = sorted(seconds)
    at = lambda share: seconds[min(len(seconds) - 1, int(share * len(seconds)))] * 1000
    print(f"{name:34} p50 {at(.5):7.2f} ms   p95 {at(.95):7.2f} ms   p99 {at(.99):7.2f} ms   n {len(seconds)}")


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as data:
        server = Server(program, data)
        server.open()
        start = time.perf_counter()
        fill(server, count)
        print(f"{count} memories saved in {time.perf_counter() - start:.1f} s, {AT_ONCE} calls at once")
        server.end()

        starts = []
        for _ in range(STARTS):
            server = Server(program, data)
            starts.append(server.open())
            server.end()
        report("start to first answer", starts)

        server = Server(program, data)
        server.open()
        first = time.perf_counter()
        server.send("tools/call", {"name": "search_memory", "arguments": {"query": text(5)}})
        server.hear()
        print(f"{'first search':34}     {(time.perf_counter() - first) * 1000:7.2f} ms, with the index of the scope read in")
        calls = {
            "ping": ("ping", lambda n: {}),
            "search_memory, k 5": ("tools/call", lambda n: {"name": "search_memory", "arguments": {
                "query": f"What was painted with {WORDS[n % len(WORDS)]}?", "k": 5}}),
            "save_memory": ("tools/call", lambda n: {"name": "save_memory", "arguments": {
                "text": text(count + n), "kind": "episodic"}}),
            "get_context, budget 2,000": ("tools/call", lambda n: {"name": "get_context", "arguments": {
                "session": "s", "message": f"What about the {WORDS[n % len(WORDS)]}?", "budget": 2000}}),
        }
        for name, (method, params) in calls.items():
            seconds = []
            for number in range(CALLS):
                start = time.perf_counter()
                server.send(method, params(number))
                server.hear()
                seconds.append(time.perf_counter() - start)
            report(name, seconds)
        server.end()


main()
