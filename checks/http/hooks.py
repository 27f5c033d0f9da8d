"""Gives generated requests something to find: ids that are there, and users who have memories."""

import atexit
import collections
import json
import os
import random
from pathlib import Path

import schemathesis

# What `schema.py` has put into the store.
KNOWN = json.loads(Path(os.environ["MEMORITER_CHECK_KNOWN"]).read_text())
# Seeded, as everything here: the same run sends the same.
CHOICE = random.Random(6)
# How often each operation gave each status.
COUNTS = collections.Counter()


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """Sends a text as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


# Fields whose form the description tells in words alone, and which may be left out.
TOLD_IN_WORDS = {
    "user_id", "agent_id", "cursor", "at", "since", "until", "as_of", "known_at", "valid_from", "valid_to",
    "expires_at", "ts", "origin", "kind", "outcome", "goal", "lesson", "status", "form", "from", "mode",
    "records", "state", "key", "expected_version", "expected_revision", "parent", "rule", "type", "owner",
    "metadata", "tool_calls", "asked_for", "category", "remove", "protected", "question", "neighbours",
    "budget_tokens", "turn",
}
# What such a field must hold to be taken, where it cannot be left out.
TAKEN = {
    "statement": "I like green tea", "query": "Where do I live?", "message": "Where do I live?",
    "content": "I like tea", "text": "My bike is blue", "about": "jazz", "matching": "locker", "role": "user",
    "name": "drink", "data": "e30=", "messages": [{"role": "user", "content": "I like tea"}], "limit": 5, "k": 3,
    "value": "tea",
}
# Of these exactly one may be told.
ALTERNATIVES = [("text", "messages", "facts"), ("turns", "messages"), ("ids", "about"), ("id", "session", "matching")]


def mend(value):
    """Makes of what fits the description what the rules in words take, too."""
    if isinstance(value, list):
        return [mend(item) for item in value[:5]]
    if not isinstance(value, dict):
        return value
    mended = {name: mend(inner) for name, inner in value.items() if name not in TOLD_IN_WORDS}
    mended.update({name: TAKEN[name] for name in mended.keys() & TAKEN.keys()})
    for names in ALTERNATIVES:
        told = [name for name in names if mended.get(name)]
        keep = CHOICE.choice(told) if told else None
        for name in names:
            if name != keep:
                mended.pop(name, None)
    return {name: inner for name, inner in mended.items() if inner is not None}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Half of the requests that follow the description are about what is there, and follow the rules in words."""
    path = case.operation.path
    generation = case.meta.generation.mode if case.meta else None
    if generation is None or not generation.is_positive:
        return
    is_destructive = path == "/v1/erase" and isinstance(case.body, dict)
    if CHOICE.random() < 0.5:
        named = case.path_parameters or {}
        for name in named:
            known = KNOWN.get(path.split("{")[0] + name)
            if known:
                named[name] = CHOICE.choice(known)
        if isinstance(case.query, dict):
            case.query = mend(case.query)
        if isinstance(case.body, dict):
            case.body = mend(case.body)
        if path == "/v1/import":
            case.body = KNOWN["export"]
    if is_destructive:
        # What others look for stays there; there is an erasure to see, too.
        case.body.pop("agent_id", None)
        case.body["user_id"] = "passing"


@schemathesis.hook
def after_call(context, case, response):
    """Counts, so that nobody takes a run for good in which everything was refused."""
    # Requests with methods that no route has are sent, too.
    if case.method.upper() != case.operation.method.upper():
        return
    COUNTS[f"{case.method} {case.operation.path} {response.status_code}"] += 1


@atexit.register
def tell():
    """Writes the counts where `schema.py` reads them."""
    Path(os.environ["MEMORITER_CHECK_COUNTS"]).write_text(json.dumps(COUNTS))
