"""Chromium without a window, driven through its debugging pipe (DevTools protocol): needs no other package.

As a program it takes a picture of a page of tenon export --format web: browser.py PAGE OUT.png [--time S] [--size WxH],
or of an element of another page: browser.py PAGE OUT.png --element SELECTOR.
"""

import argparse
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Draws on the processor, so that a page looks the same on every machine.
ARGUMENTS = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-background-networking"]
SILENCE_S = 300  # a browser that hangs
MESSAGES = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


class Browser:
    """One tab. Everything that the page prints on its console is in `console`, the addresses that it loads in `loaded`."""

    def __init__(self, sharpness=0.5):
        """`sharpness`: device pixels in a pixel; without a graphics card few are quicker."""
        self.sharpness = sharpness
        self.home = tempfile.mkdtemp()
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (commands, answers)]
        os.close(commands)
        os.close(answers)

        def connect():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        with open(os.path.join(self.home, "log"), "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                ["chromium", *ARGUMENTS, f"--user-data-dir={self.home}/profile", "about:blank"], preexec_fn=connect,
                close_fds=False, env=dict(os.environ, HOME=self.home), stdout=log, stderr=log)
        for end in ends:
            os.close(end)
        self._buffer, self._number, self._session, self._events = b"", 0, None, []
        self.console, self.loaded = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.call(f"{domain}.enable")

    def _receive(self):
        while b"\0" not in self._buffer:
            if not select.select([self._answers], [], [], SILENCE_S)[0]:
                raise TimeoutError(f"chromium did not answer for {SILENCE_S} s")
            data = os.read(self._answers, 1 << 16)
            if not data:
                with open(os.path.join(self.home, "log"), encoding="utf-8", errors="replace") as log:
                    raise EOFError(f"chromium ended: {log.read()[-2000:]}")
            self._buffer += data
        message, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(message)
        method = message.get("method")
        if method in MESSAGES:
            self.console.append(message["params"])
        elif method == "Network.requestWillBeSent":
            self.loaded.append(message["params"]["request"]["url"])
        elif method:
            self._events.append(method)
        return message

    def call(self, method, **parameters):
        """The result of a command of the protocol."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def run(self, code):
        """The value of a JavaScript expression in the page; waits for promises."""
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def resize(self, width, height, phone=False):
        """A window of this size [px]."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.sharpness,
                  mobile=phone)

    def open(self, page, width, height, phone=False):
        """Loads a file or an address in a window of this size [px]; on a phone with touch."""
        self.resize(width, height, phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.console.clear()
        self.loaded.clear()
        self._events.clear()
        page = str(page)
        self.call("Page.navigate", url=f"file://{page}" if page.startswith("/") else page)
        while "Page.loadEventFired" not in self._events:
            self._receive()

    def drawn(self):
        """Waits until the page has drawn what it is to show."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def wait_for(self, condition):
        """Waits until a JavaScript expression is true, at most a minute."""
        for _ in range(60 * 20):
            if self.run(f"Boolean({condition})"):
                self.drawn()
                return
            time.sleep(0.05)
        raise TimeoutError(f"never true: {condition}; the page shows {self.run('document.body.innerText')[:300]}")

    def picture(self, element=None):
        """The window, or the element that a selector names, as bytes of a PNG file."""
        self.drawn()
        part = {}
        if element:
            box = self.run(f"document.querySelector({json.dumps(element)}).getBoundingClientRect().toJSON()")
            part = {"clip": {**{name: box[name] for name in ("x", "y", "width", "height")}, "scale": 1},
                    "captureBeyondViewport": True}
        return base64.b64decode(self.call("Page.captureScreenshot", **part)["data"])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end, button="left"):
        self.mouse("mousePressed", *start, button=button, clickCount=1)
        for k in range(1, 5):
            at = [a + (b - a) * k / 4 for a, b in zip(start, end)]
            self.mouse("mouseMoved", *at, button=button, buttons=2 if button == "right" else 1)
        self.mouse("mouseReleased", *end, button=button, clickCount=1)
        self.drawn()

    def touch(self, *paths):
        """Fingers that move along straight paths of (start, end) at once."""
        for k in range(5):
            points = [{"x": a[0] + (b[0] - a[0]) * k / 4, "y": a[1] + (b[1] - a[1]) * k / 4, "id": finger}
                      for finger, (a, b) in enumerate(paths)]
            self.call("Input.dispatchTouchEvent", type="touchMove" if k else "touchStart", touchPoints=points)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.drawn()

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self._process.wait(30)
        os.close(self._commands)
        os.close(self._answers)
        shutil.rmtree(self.home, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description="Takes a picture of a page that tenon has written")
    parser.add_argument("page")
    parser.add_argument("out")
    parser.add_argument("--time", type=float, default=0, help="of the session [s]")
    parser.add_argument("--element", help="CSS selector of what is shown; without it the window of a session's page")
    parser.add_argument("--size", default="1000x640", help="of the window [px]")
    options = parser.parse_args()
    browser = Browser(sharpness=1)
    try:
        browser.open(os.path.abspath(options.page), *map(int, options.size.split("x")))
        if not options.element:
            browser.run(f"tenon.ready.then(() => tenon.seek({options.time}))")
        picture = browser.picture(options.element)
        with open(options.out, "wb") as file:
            file.write(picture)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
