"""Starts `tenon serve` for a test, on a Unix socket in a folder of its own."""

import contextlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path

SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"
PROGRAM = os.environ["TENON_PROGRAM"]


class ServerProcess:
    """A running server."""

    def __init__(self, folder, *options, listen=None):
        self.folder = Path(folder)
        self.data = self.folder / "data"
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        listen = listen or f"unix:{self.folder}/socket"
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", listen, "--data", self.data, *options],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        line = self.process.stdout.readline()
        if not line.startswith("tenon serves on "):
            self.process.wait()
            raise AssertionError(f"no server: {self.log_text()}")
        self.address = line.removeprefix("tenon serves on ").strip()
        if "--http" in options:
            line = self.process.stdout.readline()
            if not line.startswith("tenon shows sessions on "):
                self.process.wait()
                raise AssertionError(f"no page: {self.log_text()}")
            self.page = line.removeprefix("tenon shows sessions on ").strip()

    def log_text(self):
        return (self.folder / "log").read_text(encoding="utf-8")

    def workers(self):
        """Process ids of its sessions and jobs."""
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def stop(self):
        """Stops it with SIGTERM; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.process.stdout.close()
        self.log.close()
        return code


@contextlib.contextmanager
def server(*options, listen=None):
    """A server that is stopped at the end, and must then report success."""
    with tempfile.TemporaryDirectory() as folder:
        running = ServerProcess(folder, *options, listen=listen)
        try:
            yield running
        except BaseException:
            running.process.kill()
            running.process.wait()
            raise
        finally:
            if running.process.poll() is None:
                code = running.stop()
                assert code == 0, f"the server ended with {code}: {running.log_text()}"


def refusal(*options):
    """The one line with which `tenon serve` refuses options; it must exit with 2."""
    result = subprocess.run([PROGRAM, "serve", *options], capture_output=True, text=True, timeout=60)
    assert result.returncode == 2, f"exit code {result.returncode}: {result.stdout}{result.stderr}"
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr
