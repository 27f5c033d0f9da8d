"""Sends generated requests to every route of the description, and holds the answers against it.

    python3 checks/http/schema.py target/release/memoriter [--examples 100] [--seed 1]

Needs the packages of requirements.txt. Fails on any answer of 500 or above, any status, media type or body that
/openapi.json does not describe, any route that answers without a key, and anything that the server logs as a failure.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from served import Served  # noqa: E402

# An id of nothing.
NOTHING = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11"


def fill(me):
    """Puts one of everything into the store of the default user; gives the ids by path and parameter."""
    facts = [
        {"statement": "I live in Berlin", "key": "user.city", "value": "Berlin", "valid_from": "2025-02-01T00:00:00Z"},
        {"statement": "I moved to Munich", "key": "user.city", "value": "Munich", "valid_from": "2026-03-01T00:00:00Z"},
        {"statement": "The shop went online", "outcome": "failure", "lesson": "Warm the cache", "goal": "Go online"},
        {"statement": "Answer in one line", "kind": "procedural", "metadata": {"from": "check"}, "category": "style"},
        {"statement": "The user may like jazz", "status": "inferred", "confidence": 0.5},
    ]
    decided = me.ok("POST", "/v1/memories", {"facts": facts})["decisions"]
    said = {
        "session_id": "run",
        "background": True,
        "messages": [
            {"role": "user", "content": "I'm allergic to peanuts. Which day is the market open?"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "Saturdays"},
            {"role": "assistant", "content": "On Saturdays."},
        ],
    }
    turns = me.ok("POST", "/v1/memories", said)["turns"]
    read = me.ok("POST", "/v1/memories", {"text": "The user's city is Rome.", "origin": "web"})["decisions"]
    fields = [
        {"name": "step", "value": 1, "rule": "max"},
        {"name": "seen", "value": "a", "rule": "append", "protected": True},
        {"name": "order", "value": {"id": 7}, "owner": "shop"},
    ]
    me.ok("PATCH", "/v1/sessions/run/state", {"actor": "shop", "fields": fields})
    first = me.ok("POST", "/v1/sessions/run/checkpoints", {"data": "e30=", "label": "begun"})["id"]
    asks = {"parent": first, "question": "Send it?", "asked_for": {"to": "all"}}
    second = me.ok("POST", "/v1/sessions/run/checkpoints", asks)["id"]
    me.ok("POST", f"/v1/sessions/run/checkpoints/{second}", {"approve": True, "by": "priya"})
    waiting = [me.ok("POST", "/v1/sessions/run/checkpoints", asks)["id"] for _ in range(40)]
    me.ok("POST", "/v1/memories", {"text": "My locker is number 12"})
    receipt = me.ok("POST", "/v1/erase", {"matching": "locker"})
    read_elsewhere = [
        {"statement": f"Room {n} is closed", "key": f"room{n}.state", "value": "closed", "origin": "web"}
        for n in range(90)
    ]
    pending = me.ok("POST", "/v1/memories", {"facts": read_elsewhere})["decisions"]
    # Enough for those that are retired on the way.
    more = [{"statement": f"Shelf {n} holds tea", "key": f"shelf{n}.content", "value": "tea"} for n in range(90)]
    decided += me.ok("POST", "/v1/memories", {"facts": more})["decisions"]
    passing = [{"statement": "The locker is number 12"}]
    me.ok("POST", "/v1/memories", {"user_id": "passing", "facts": passing})
    memories = [decision["id"] for decision in [*decided, *read] if decision["id"]]
    return {
        "/v1/memories/id": [*memories, "user.city"],
        "/v1/review/id": [decision["id"] for decision in pending],
        "/v1/operations/id": [turn["id"] for turn in turns],
        "/v1/receipts/id": [receipt["receipt"]["id"]],
        "/v1/sessions/id": ["run"],
        "/v1/sessions/checkpoint": [first, second, "latest", *waiting],
        "export": me.send("GET", "/v1/export")[1],
    }


def check_watch(served, key):
    """The one answer that does not end: its head, and its first event against the description of a field."""
    connection = http.client.HTTPConnection(served.host, served.port, timeout=30)
    connection.request("GET", "/v1/sessions/run/state/watch?after=0", headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    media_type = answer.headers["Content-Type"].split(";")[0]
    event = {}
    while line := answer.readline().decode().strip():
        name, _, text = line.partition(": ")
        event[name] = text
    connection.close()
    field = json.loads(event["data"])
    is_good = answer.status == 200 and media_type == "text/event-stream" and event["event"] == "field"
    if not (is_good and event["id"].isdigit() and {"name", "value", "revision"} <= field.keys()):
        raise SystemExit(f"the watch answers otherwise than described: {answer.status} {media_type} {event}")


def check_numbers(me):
    """Numbers at the ends of what a field can hold: refused or carried out, never a failure. Gives what failed."""
    said = [{"role": "user", "content": "Where is my tea?"}]
    written = {"name": "drink", "value": "tea"}
    failed = []
    for number in (0, 2**31 - 1, 2**32 - 1, 2**53 + 1, 2**63 - 1, 2**64 - 1):
        calls = [
            ("POST", "/v1/memories", {"session_id": f"n{number}", "from": number, "messages": said}),
            ("POST", f"/v1/sessions/t{number}/turns", {"from": number, "messages": said}),
            ("POST", "/v1/memories/search", {"query": "Which day is the market open?", "neighbours": number}),
            ("POST", "/v1/memories/search", {"query": "Which day is the market open?", "k": number}),
            ("POST", "/v1/sessions/run/context", {"message": "What now?", "budget_tokens": number}),
            ("PATCH", "/v1/sessions/run/state", {"fields": [{**written, "expected_revision": number}]}),
            ("PATCH", f"/v1/memories/{NOTHING}", {"statement": "a", "expected_version": number}),
            ("GET", f"/v1/memories?limit={number}", None),
            ("GET", f"/v1/review?limit={number}", None),
            ("GET", f"/v1/sessions/run/turns?from={number}", None),
            ("GET", f"/v1/sessions/run/turns?limit={number}", None),
            ("GET", f"/v1/sessions/run/checkpoints?limit={number}", None),
        ]
        for call in calls:
            status, text = me.send(*call)
            if status >= 500:
                failed.append(f"{call}: {status} {text}")
    return failed


def tell_counts(counts):
    """Shows how often each operation gave each status; gives those that never answered with 200."""
    by_operation = {}
    for name, count in sorted(counts.items()):
        operation, _, status = name.rpartition(" ")
        by_operation.setdefault(operation, {})[status] = count
    for operation, statuses in by_operation.items():
        told = "  ".join(f"{status}: {count}" for status, count in statuses.items())
        print(f"{operation:60} {told}")
    unanswered = [operation for operation, statuses in by_operation.items() if "200" not in statuses]
    for operation in unanswered:
        print(f"{operation} never answered with 200: nothing of its answer was looked at", file=sys.stderr)
    return unanswered


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary", help="the command to check")
    arguments.add_argument("--examples", type=int, default=100, help="generated requests for each operation")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    # One caller sends as fast as it can, and is to be answered and not put off.
    with Served(chosen.binary, "--rate", "1000000") as served:
        key = served.key()
        known = fill(served.caller(key))
        check_watch(served, key)
        failed = check_numbers(served.caller(key))
        command = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run",
            f"{served.address}/openapi.json", "--header", f"Authorization: Bearer {key}",
            "--max-examples", str(chosen.examples), "--seed", str(chosen.seed), "--no-color",
        ]
        known_file, counts = (Path(served.folder.name) / name for name in ("known.json", "counts.json"))
        known_file.write_text(json.dumps(known))
        hooks = {
            "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
            "MEMORITER_CHECK_KNOWN": str(known_file),
            "MEMORITER_CHECK_COUNTS": str(counts),
        }
        # It keeps what it found beside the stores, which go.
        ran = subprocess.run(command, env={**os.environ, **hooks}, cwd=served.folder.name, check=False)
        unanswered = tell_counts(json.loads(counts.read_text()))
        failures = served.failures()
        for line in [*failed, *(line.rstrip() for line in failures)]:
            print(line, file=sys.stderr)
        is_running = served.process.poll() is None
    if ran.returncode != 0 or failed or failures or unanswered or not is_running:
        raise SystemExit(1)
    print("ok: every answer is as described, and the server logged no failure")


if __name__ == "__main__":
    main()
