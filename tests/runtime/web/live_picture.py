"""Takes a picture of the page of tenon serve --http: a running session of flange.json, at which someone points.

From the root of the repository:
  PYTHONPATH=build/release/python /usr/bin/python3 tests/runtime/web/live_picture.py OUT.png [--size WxH] [--list]
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
os.environ.setdefault("TENON_PROGRAM", str(ROOT / "build/release/tenon"))
os.environ.setdefault("TENON_SOURCE_DIR", str(ROOT))
sys.path.append(str(ROOT / "tests/runtime/service"))

import tempfile  # noqa: E402

import tenon  # noqa: E402
from browser import Browser  # noqa: E402
from server_process import SCENES, server  # noqa: E402
from web_socket import WebSocket  # noqa: E402

NAMES = {"work robot-cell": "robot-cell-0123456789", "observe Maria": "maria-0123456789abcdef", "observe guest": "guest-0123456789abcdef"}
STEPS, CALL = 7750, 25  # of the session; of a call, so that the page gets its frames


def take(running, options):
    client = tenon.connect(running.address, token=NAMES["work robot-cell"])
    with client.simulation(SCENES / "flange.json", record=True) as before:
        before.step(3000)
    phone = options.width < 500
    browser = Browser(sharpness=1)
    try:
        with client.simulation(SCENES / "flange.json", record=True) as simulation:
            path = "/" if options.list else f"/sessions/{simulation.id}"
            browser.open(f"{running.page}{path}#token={NAMES['observe guest']}", options.width, options.height, phone)
            browser.run("tenon.ready")
            if options.list:
                return browser.picture()
            for _ in range(STEPS // CALL):
                simulation.step(CALL)
            browser.wait_for(f"tenon.viewer.time > {STEPS * simulation.dt - 1e-9}")
            colleague = WebSocket(running.page, simulation.id, NAMES["observe Maria"])
            part = list(simulation.scene.parts).index("flange")
            colleague.send({"point": {"part": part, "at": [0.0, -0.03, 0.0]}})
            browser.wait_for("Tenon.pointers().length")
            picture = browser.picture()
            colleague.close()
            return picture
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--size", default="1000x640", help="of the window [px]")
    parser.add_argument("--list", action="store_true", help="the list of sessions instead")
    options = parser.parse_args()
    options.width, options.height = map(int, options.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        tokens = Path(folder) / "tokens"
        tokens.write_text("".join(f"{who} {token}\n" for who, token in NAMES.items()), encoding="utf-8")
        tokens.chmod(0o600)
        with server("--http", "127.0.0.1:0", "--tokens", str(tokens), listen="127.0.0.1:0") as running:
            Path(options.out).write_bytes(take(running, options))


if __name__ == "__main__":
    main()
