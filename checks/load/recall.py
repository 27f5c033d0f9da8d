"""How fast recalls are answered over loopback, beside connections that rest and others that trickle.

    python3 checks/load/recall.py target/release/memoriter [--memories 10000] [--rate 1000] [--seconds 30]
        [--idle 1000] [--slow 200]

Fills one user's scope with facts, opens connections that only rest and such that never end the head of their request,
then lets wrk ask: once at a rate, which tells the latency, and once as fast as it is answered, which tells the
throughput. Needs `wrk`. Wants a release build, and a machine with nothing else to do: wrk itself takes some of a core.
With `--seconds 300` the resident memory of three lines tells whether it stays flat. Ends with 1 where a request fails,
the rate is not reached, or one that trickles is not given up; not where it is slow.
"""

import argparse
import itertools
import json
import os
import random
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from served import Served  # noqa: E402

# Facts of one call.
FACTS_PER_CALL = 100
# Questions that are asked in turn.
QUESTIONS = 500
# A connection that rests is closed after 30 s; each says something within that.
AWAKE_EVERY_SECS = 15
# One that trickles sends a line this often, and is given up after 30 s.
TRICKLE_EVERY_SECS = 5
GIVEN_UP_SECS = 30
# Connections at a rate: more than are ever busy. As fast as possible: below what one credential may have in flight.
CONNECTIONS_AT_RATE, CONNECTIONS_AT_MOST = 16, 32

COLOURS = "red blue green yellow black white brown grey purple orange silver golden".split()
THINGS = "kettle ladder bicycle lamp suitcase guitar blanket camera umbrella printer tent drill mirror clock".split()
OWNERS = "Anna Ben Clara David Emma Felix Greta Hugo Ines Jonas Kira Leo Mona Nils Olga Paul Rosa Sven Tara Uwe".split()
PLACES = "attic cellar garage kitchen hallway office shed balcony library workshop bathroom garden".split()


def facts(count, chance):
    """Sentences about things and where they are, each under a key of its own."""
    for number in range(count):
        colour, thing, owner, place = (chance.choice(words) for words in (COLOURS, THINGS, OWNERS, PLACES))
        value = f"the {place}, shelf {number}"
        yield {
            "statement": f"The {colour} {thing} of {owner} is in {value}",
            "key": f"thing{number}.place",
            "value": value,
        }


def questions(chance):
    """What is asked, as bodies."""
    for _ in range(QUESTIONS):
        colour, thing, owner = (chance.choice(words) for words in (COLOURS, THINGS, OWNERS))
        yield json.dumps({"query": f"Where is the {colour} {thing} of {owner}?", "k": 10})


def fill(me, count, chance):
    """Remembers the facts, and asks once, so that the index is there."""
    every = list(facts(count, chance))
    for at in range(0, count, FACTS_PER_CALL):
        decisions = me.ok("POST", "/v1/memories", {"facts": every[at : at + FACTS_PER_CALL]})["decisions"]
        if any(decision["decision"] != "ADD" for decision in decisions):
            raise SystemExit(f"a fact was not added: {decisions}")
    found = me.ok("POST", "/v1/memories/search", {"query": "Where is the blue kettle of Anna?"})
    if found["considered"] < count or not found["results"]:
        raise SystemExit(f"{found['considered']} memories are there, and {len(found['results'])} were found")


class Resting:
    """Connections that stay open and ask for nothing but health, now and then."""

    def __init__(self, served, key, count):
        self.callers = [served.caller(key) for _ in range(count)]
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.wake()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        for caller in self.callers:
            caller.connection.close()

    def keep(self):
        # One after the other, so that they are a trickle and not a wave.
        for caller in itertools.cycle(self.callers):
            if self.is_over.wait(AWAKE_EVERY_SECS / len(self.callers)):
                return
            caller.ok("GET", "/healthz")

    def wake(self):
        for caller in self.callers:
            caller.ok("GET", "/healthz")


class Trickling:
    """Connections that send a line of a head now and then, and never its end."""

    def __init__(self, served, count):
        self.place = (served.host, served.port)
        self.count, self.given_up, self.longest_secs = count, 0, 0.0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.keep, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def keep(self):
        every = [self.begun() for _ in range(self.count)]
        while not self.is_over.wait(TRICKLE_EVERY_SECS):
            for at, (connection, begun) in enumerate(every):
                try:
                    connection.sendall(b"X-More: 1\r\n")
                except OSError:
                    self.given_up += 1
                    self.longest_secs = max(self.longest_secs, time.monotonic() - begun)
                    connection.close()
                    every[at] = self.begun()
        now = time.monotonic()
        self.longest_secs = max([self.longest_secs, *(now - begun for _, begun in every)])
        for connection, _ in every:
            connection.close()

    def begun(self):
        connection = socket.create_connection(self.place)
        connection.sendall(b"POST /v1/memories/search HTTP/1.1\r\nHost: localhost\r\n")
        return connection, time.monotonic()


def load(served, key, asked, connections, pause_ms, seconds):
    """What wrk measured."""
    environment = {
        **os.environ,
        "MEMORITER_CHECK_KEY": key,
        "MEMORITER_CHECK_PAUSE_MS": str(pause_ms),
        "MEMORITER_CHECK_QUESTIONS": str(asked),
    }
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(HERE / "recall.lua"), served.address]
    ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    told = [line for line in ran.stdout.splitlines() if line.startswith("RESULT ")]
    if not told:
        raise SystemExit(f"wrk gave no result: {ran.stdout}{ran.stderr}")
    return json.loads(told[0].removeprefix("RESULT "))


def tell(name, result, served):
    """A line for people; gives the recalls a second."""
    per_second = result["requests"] / result["secs"]
    parts = ("p50", "p90", "p99", "p999", "max")
    times = "  ".join(f"{part} {result[f'{part}_ms']:.2f} ms" for part in parts)
    memory = served.resident_mib()
    memory = f"  {memory:.0f} MiB resident" if memory else ""
    print(f"{name:20} {per_second:7.0f}/s  {times}  {result['failed']} failed{memory}", flush=True)
    return per_second


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary", help="the command to measure, a release build")
    arguments.add_argument("--memories", type=int, default=10_000)
    arguments.add_argument("--rate", type=int, default=1_000, help="recalls a second")
    arguments.add_argument("--seconds", type=int, default=30, help="of each load")
    arguments.add_argument("--idle", type=int, default=1_000, help="connections that rest")
    arguments.add_argument("--slow", type=int, default=200, help="connections that trickle")
    chosen = arguments.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("wrk is missing: apt-get install wrk")
    # A thousand connections are a thousand files, here and in the server.
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most_files, 16_384), most_files))
    chance = random.Random(6)
    with Served(chosen.binary) as served:
        key = served.key(user="priya")
        fill(served.caller(key), chosen.memories, chance)
        asked = Path(served.folder.name) / "questions.txt"
        asked.write_text("\n".join(questions(chance)) + "\n")
        tell("to warm up", load(served, key, asked, CONNECTIONS_AT_RATE, 0, 3), served)
        # Between the end of an answer and the next question; the answer takes about the one millisecond.
        pause_ms = max(1, round(1_000 * CONNECTIONS_AT_RATE / chosen.rate) - 1)
        with Resting(served, key, chosen.idle), Trickling(served, chosen.slow) as trickling:
            paced = load(served, key, asked, CONNECTIONS_AT_RATE, pause_ms, chosen.seconds)
            reached = tell(f"at {chosen.rate} a second", paced, served)
            hurried = load(served, key, asked, CONNECTIONS_AT_MOST, 0, chosen.seconds)
            tell("as fast as possible", hurried, served)
        failures = served.failures()
    print(f"{trickling.given_up} that trickled were given up; the longest was there {trickling.longest_secs:.0f} s")
    for line in failures[:20]:
        print(line, end="", file=sys.stderr)
    # It is noticed with the line after the next.
    if trickling.longest_secs > GIVEN_UP_SECS + 3 * TRICKLE_EVERY_SECS:
        raise SystemExit("one that trickles was not given up")
    if paced["failed"] or hurried["failed"] or failures:
        raise SystemExit("some requests failed")
    if reached < 0.9 * chosen.rate:
        raise SystemExit(f"only {reached:.0f} a second were reached, so the latency is not that of {chosen.rate}")


if __name__ == "__main__":
    main()
