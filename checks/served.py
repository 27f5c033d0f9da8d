"""A running server over stores in a folder of its own, for the checks beside this file."""

import http.client
import json
import re
import subprocess
import tempfile
import threading
from pathlib import Path

# How long a server may take to say where it listens, or to stop.
WAIT_SECS = 60


class Served:
    """`memoriter serve` on a free port; gone with its stores at the end of the `with` block."""

    def __init__(self, binary, *options):
        self.binary = str(Path(binary).resolve())
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="memoriter-check-")

    def __enter__(self):
        command = [self.binary, "serve", "--listen", "127.0.0.1:0", "--log", "quiet", *self.options]
        self.process = subprocess.Popen(
            [*command, "--data", self.folder.name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stderr.readline()
        found = re.search(r"http://([0-9.]+):(\d+)", line)
        if found is None:
            raise SystemExit(f"the server does not start: {line}{self.process.stderr.read()}")
        self.host, self.port = found[1], int(found[2])
        self.address = f"http://{self.host}:{self.port}"
        # What it says later is kept: a failure of the store is told there and not to callers.
        self.said = []
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(WAIT_SECS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def key(self, tenant="default", user=None, rights="all"):
        """A new key: of one user, or of everybody in the tenant."""
        reach = ["--everybody"] if user is None else [f"--user={user}"]
        command = [self.binary, "key", "new", *reach, "--rights", rights, f"--tenant={tenant}", "--json"]
        made = subprocess.run([*command, "--data", self.folder.name], check=True, capture_output=True, text=True)
        return json.loads(made.stdout)["key"]

    def caller(self, key):
        """Somebody with a key."""
        return Caller(self.host, self.port, key)

    def failures(self):
        """What the server said of its own failures."""
        return [line for line in self.said if "ERROR" in line or "panicked" in line]

    def resident_mib(self):
        """Memory of the process, where the system tells it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return found and int(found[1]) / 1024


class Caller:
    """A connection that is kept open; for one thread at a time."""

    def __init__(self, host, port, key):
        self.connection = http.client.HTTPConnection(host, port, timeout=WAIT_SECS)
        self.headers = {"Authorization": f"Bearer {key}"}

    def send(self, method, path, body=None, headers=()):
        """Sends a request; gives the status and the text of the answer."""
        all_headers = {**self.headers, **dict(headers)}
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
            all_headers["Content-Type"] = "application/json"
        for is_last in (False, True):
            try:
                self.connection.request(method, path, body, all_headers)
                answer = self.connection.getresponse()
                return answer.status, answer.read().decode()
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # A connection that rested too long is closed; the next one is new.
                self.connection.close()
                if is_last:
                    raise
        raise AssertionError("unreachable")

    def ok(self, method, path, body=None, headers=()):
        """The same where only success will do; gives the JSON."""
        status, text = self.send(method, path, body, headers)
        if status != 200:
            raise SystemExit(f"{method} {path}: {status} {text}")
        return json.loads(text)
