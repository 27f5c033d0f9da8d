"""Many tenants and users with names that look alike call at random: nobody may get what is another's.

    python3 checks/http/walls.py target/release/memoriter [--calls 100000] [--tenants 50] [--threads 8] [--seed 6]

Everybody remembers a word of their own. Then each call is sent by a random user, often with the id or name of somebody
else, and its answer is searched for words of others. What is another's must be answered as what is not there: same
status, same body. Needs nothing but Python.
"""

import argparse
import hashlib
import itertools
import random
import re
import sys
import threading
import time
import urllib.parse
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from served import Served  # noqa: E402

# Names that are prefixes of each other, hold what is special elsewhere, or look the same (the second `а` is Cyrillic).
USERS = ["1", "12", "a", "a_b", "a-b", "a%", "..", "A", "а", "a/b"]
# A tenant's name is a file's name: 1 to 64 of a-z, 0-9, `_` and `-`.
TENANTS = ["default", "defaul", "default1", "default-", "default_", "-default"] + [
    "".join(letters) for length in (1, 2, 3) for letters in itertools.product("a1_-", repeat=length)
]
MARK = re.compile(r"marker[0-9a-f]{12}")
# Users whose names are in nobody's key.
OUTSIDERS = ["b", "me", "user"]


class User:
    """Somebody with a key and a word of their own."""

    def __init__(self, tenant, name, key):
        self.tenant, self.name, self.key = tenant, name, key
        digest = hashlib.blake2s(f"{tenant}\n{name}".encode()).hexdigest()
        self.mark = f"marker{digest[:12]}"

    def __str__(self):
        return f"{self.name!r} of {self.tenant}"


def settle(user, caller):
    """What the user tells, keeps and saves; gives the ids by kind."""
    fact = {"statement": f"The code word is {user.mark}", "key": "user.code_word", "value": user.mark}
    memory = caller.ok("POST", "/v1/memories", {"facts": [fact]})["decisions"][0]["id"]
    said = {"session_id": "s", "messages": [{"role": "user", "content": f"Remember that my door says {user.mark}"}]}
    turn = caller.ok("POST", "/v1/memories", said)["turns"][0]["id"]
    field = {"name": "word", "value": user.mark}
    caller.ok("PATCH", "/v1/sessions/s/state", {"fields": [field]})
    checkpoint = caller.ok("POST", "/v1/sessions/s/checkpoints", {"label": user.mark, "question": user.mark})["id"]
    caller.ok("POST", "/v1/memories", {"facts": [{"statement": f"Somebody wrote {user.mark}", "origin": "web"}]})
    return {"memory": memory, "turn": turn, "checkpoint": checkpoint}


def own_calls(user, other):
    """Calls that find what is the user's own, and the names of others in places where they mean nothing."""
    name = urllib.parse.quote(other.name, safe="")
    return [
        ("POST", "/v1/memories/search", {"query": "What is the code word?"}),
        ("POST", "/v1/memories/search", {"query": other.mark, "k": 200}),
        ("POST", "/v1/memories/search", {"query": "code word", "agent_id": other.name}),
        ("GET", "/v1/memories?state=all&limit=1000", None),
        ("GET", "/v1/review?limit=1000", None),
        ("GET", "/v1/sessions", None),
        ("GET", "/v1/sessions/s/turns", None),
        ("GET", "/v1/sessions/s/state", None),
        ("GET", "/v1/sessions/s/checkpoints", None),
        ("GET", "/v1/sessions/s/checkpoints/latest", None),
        ("GET", f"/v1/sessions/{name}/turns", None),
        ("GET", "/v1/memories/user.code_word/history", None),
        ("POST", "/v1/sessions/s/context", {"message": "What is the code word?"}),
        ("POST", "/v1/forget", {"about": other.mark, "dry_run": True}),
        ("POST", "/v1/erase", {"matching": other.mark, "dry_run": True}),
        ("PATCH", "/v1/sessions/s/state", {"fields": [{"name": "word", "value": user.mark}]}),
        ("POST", "/v1/memories", {"facts": [{"statement": f"The code word is {user.mark}", "key": "user.code_word",
                                             "value": user.mark}]}),
        ("GET", "/v1/export", None),
    ]


def denied_calls(other):
    """Calls that name another user."""
    name = urllib.parse.quote(other.name, safe="")
    place = {"user_id": other.name}
    return [
        ("POST", "/v1/memories/search", {"query": "code word", **place}),
        ("GET", f"/v1/memories?user_id={name}", None),
        ("GET", f"/v1/sessions/s/turns?user_id={name}", None),
        ("GET", f"/v1/export?user_id={name}", None),
        ("POST", "/v1/sessions/s/context", {"message": "code word", **place}),
        ("PATCH", "/v1/sessions/s/state", {"fields": [{"name": "word", "value": "taken"}], **place}),
        ("POST", "/v1/forget", {"key": "user.code_word", **place}),
        ("POST", "/v1/erase", {"all_of_user": True, **place}),
        ("POST", "/v1/memories", {"text": "I was here", **place}),
        ("GET", "/metrics", None),
    ]


def calls_by_id(ids):
    """Calls that name something by its id, by the kind of the id."""
    memory, turn, checkpoint = (ids[kind] for kind in ("memory", "turn", "checkpoint"))
    changed = {"statement": "The code word is gone", "value": "gone"}
    return [
        (memory, "GET", "/v1/memories/ID", None),
        (memory, "GET", "/v1/memories/ID/history", None),
        (memory, "PATCH", "/v1/memories/ID", changed),
        (memory, "DELETE", "/v1/memories/ID", None),
        (memory, "POST", "/v1/forget", {"ids": ["ID"]}),
        (memory, "POST", "/v1/review/ID", {"action": "approve"}),
        (memory, "POST", "/v1/erase", {"id": "ID"}),
        (turn, "POST", "/v1/erase", {"turn": "ID"}),
        (turn, "GET", "/v1/operations/ID", None),
        (checkpoint, "GET", "/v1/sessions/s/checkpoints/ID", None),
        (checkpoint, "POST", "/v1/sessions/s/checkpoints/ID", {"approve": True}),
    ]


def named(value, record):
    """The call with an id in the place of `ID`."""
    if isinstance(value, str):
        return value.replace("ID", record)
    if isinstance(value, list):
        return [named(item, record) for item in value]
    if isinstance(value, dict):
        return {name: named(inner, record) for name, inner in value.items()}
    return value


class Walls:
    """The calls, and what was wrong with their answers."""

    def __init__(self, served, users, ids):
        self.served, self.users, self.ids = served, users, ids
        self.wrong, self.statuses, self.lock = [], Counter(), threading.Lock()

    def run(self, seed, calls):
        """Sends so many calls, one after the other, on one connection."""
        chance = random.Random(seed)
        caller = self.served.caller("")
        counted, sent = Counter(), 0
        while sent < calls:
            user, other = chance.choice(self.users), chance.choice(self.users)
            caller.headers["Authorization"] = f"Bearer {user.key}"
            kind = chance.randrange(4)
            if kind < 2:
                sent += self.own(user, chance.choice(own_calls(user, other)), caller, counted)
            elif kind == 2:
                stranger = User(user.tenant, chance.choice([*USERS, *OUTSIDERS]), "")
                sent += self.denied(user, stranger, chance, caller, counted)
            elif user is not other:
                sent += self.foreign(user, chance.choice(calls_by_id(self.ids[other])), caller, counted)
        with self.lock:
            self.statuses += counted

    def own(self, user, call, caller, counted):
        """Whatever it finds is the user's own."""
        self.send(user, call, caller, counted)
        return 1

    def denied(self, user, stranger, chance, caller, counted):
        """Another name is refused before anything is looked at."""
        call = chance.choice(denied_calls(stranger))
        if stranger.name == user.name and call[1] != "/metrics":
            return 0
        status, text = self.send(user, call, caller, counted)
        if status != 403:
            self.note(f"{user}: {call} was answered with {status} {text}")
        return 1

    def foreign(self, user, call, caller, counted):
        """The id of another's is answered as one that is not there."""
        record, method, path, body = call
        answers = []
        for id_sent in (record, self.missing(record)):
            status, text = self.send(user, (method, named(path, id_sent), named(body, id_sent)), caller, counted)
            answers.append((status, text.replace(id_sent, "ID")))
        if answers[0] != answers[1] or answers[0][0] not in (404, 409):
            self.note(f"{user}: {method} {path} tells what is another's: {answers}")
        return 2

    @staticmethod
    def missing(record):
        """An id of the same form that is nobody's."""
        return record[:-6] + f"{int(record[-6:], 16) ^ 0x5A5A5A:06x}"

    def send(self, user, call, caller, counted):
        status, text = caller.send(*call)
        counted[status] += 1
        if status >= 500:
            self.note(f"{user}: {call} failed: {status} {text}")
        # What the caller says is said again by some errors.
        said = set(MARK.findall(str(call)))
        for mark in set(MARK.findall(text)) - {user.mark}:
            if mark not in said or status == 200:
                self.note(f"{user}: {call} brought {mark}")
        return status, text

    def note(self, what):
        with self.lock:
            self.wrong.append(what)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary", help="the command to check")
    arguments.add_argument("--calls", type=int, default=100_000)
    arguments.add_argument("--tenants", type=int, default=50)
    arguments.add_argument("--threads", type=int, default=8)
    arguments.add_argument("--seed", type=int, default=6)
    chosen = arguments.parse_args()
    tenants = TENANTS[: chosen.tenants]
    with Served(chosen.binary, "--rate", "1000000") as served:
        users = [User(tenant, name, served.key(tenant, name)) for tenant in tenants for name in USERS]
        ids = {user: settle(user, served.caller(user.key)) for user in users}
        print(f"{len(users)} users in {len(tenants)} tenants are settled", flush=True)
        walls = Walls(served, users, ids)
        begun = time.monotonic()
        share = -(-chosen.calls // chosen.threads)
        threads = [threading.Thread(target=walls.run, args=(chosen.seed + n, share)) for n in range(chosen.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - begun
        sent = sum(walls.statuses.values())
        statuses = "  ".join(f"{status}: {count}" for status, count in sorted(walls.statuses.items()))
        print(f"{sent} calls in {took:.0f} s  {statuses}")
        # Nobody was hindered, and nothing of anybody's was changed by another.
        for user in users:
            text = served.caller(user.key).ok("GET", "/v1/memories?state=all&limit=1000")
            if not any(memory["value"] == user.mark for memory in text["memories"]):
                walls.note(f"{user} lost the code word")
        failures = served.failures()
    for line in [*walls.wrong[:20], *failures[:20]]:
        print(line, file=sys.stderr)
    if walls.wrong or failures or sent < chosen.calls:
        raise SystemExit(f"{len(walls.wrong)} answers were wrong, {len(failures)} failures were logged")
    print("ok: no foreign mark, and what is another's is answered as what is not there")


if __name__ == "__main__":
    main()
