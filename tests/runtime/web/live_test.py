"""tenon serve --http: what the page shows of a running session is what its states say, in Chromium."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import tenon
from browser import Browser
from server_process import SCENES, ServerProcess, server
from session import added, distance, rotated

NEEDS_BROWSER = unittest.skipUnless(shutil.which("chromium"), "there is no chromium: apt install chromium")
MICROMETER = 1e-6
TICK = 1e-3  # of four-bolts [s]
DESK, PHONE = (1400, 860), (390, 844)
TOKEN = "0123456789abcdef0123456789abcdef"
OUTSIDE = """(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) return ['the page itself'];
  return [...document.querySelectorAll('header *, #view button, #time button, #time select, #side *, #start *')]
    .filter((e) => e.getClientRects().length && !e.closest('svg *'))
    .filter((e) => e.getBoundingClientRect().right > width + 0.5 || e.getBoundingClientRect().left < -0.5)
    .map((e) => e.tagName + '.' + (e.className || e.id)); })()"""
OVERLAPS = """(() => { const all = [...document.querySelectorAll('#view .tools button')].map((b) => b.getBoundingClientRect());
  return all.some((a, i) => all.some((b, j) => i < j && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom)); })()"""


class Observed:
    """A session of a server, and a browser that shows it."""

    def __init__(self, running, browser, scene="four-bolts.json", **options):
        self.running, self.browser = running, browser
        self.client = tenon.connect(running.address)
        self.simulation = self.client.simulation(SCENES / scene if isinstance(scene, str) else scene, **options)
        self.ticks = 0

    def open(self, size=DESK, phone=False):
        self.browser.open(f"{self.running.page}/sessions/{self.simulation.id}", *size, phone)
        self.browser.run("tenon.ready")

    def step(self, count):
        """Computes steps, and waits until the page shows the last one."""
        self.simulation.step(count)
        self.ticks += count
        self.browser.wait_for(f"tenon.viewer.time > {(self.ticks - 0.5) * TICK}")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)")


@NEEDS_BROWSER
class Live(unittest.TestCase):
    """four-bolts, stepped from the client while the page watches."""

    @classmethod
    def setUpClass(cls):
        cls.context = server("--http", "127.0.0.1:0", listen="127.0.0.1:0")
        cls.running = cls.context.__enter__()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.context.__exit__(None, None, None)

    def observed(self, *arguments, **options):
        return Observed(self.running, self.browser, *arguments, **options)

    def compare_points(self, state, shown):
        """Points on and off the axes of all parts; returns the largest distance [m]."""
        worst = 0
        for part, drawn in enumerate(shown["parts"]):
            if drawn is None:
                continue
            m, pose = drawn["matrix"], state.parts[part]
            for p in ([0, 0, 0], [0.03, 0, 0], [0, -0.03, 0], [0, 0, 0.03]):
                at = [sum(m[4 * k + row] * v for k, v in enumerate([*p, 1])) for row in range(3)]
                expected = added(pose["position"], rotated(list(pose["quaternion"]), p))
                worst = max(worst, distance(at, expected))
        return worst

    def compare_forces(self, state, shown):
        """Sums of the forces of each pair, and forces of hands."""
        tolerance = 4 * (1e-3 + 0.01 * shown["scale"]["newtons"])
        expected, drawn, hands = {}, {}, []
        for contact in state.contacts:
            pair = int(contact["part_a"]), int(contact["part_b"])
            on_b = [contact["force"] * n + f for n, f in zip(contact["normal"], contact["friction"])]
            expected[pair] = added(expected.get(pair, [0, 0, 0]), on_b)
        for force in shown["forces"]:
            if force["hand"]:
                hands.append(force["newtons"])
            else:
                pair = force["i"], force["j"]
                drawn[pair] = added(drawn.get(pair, [0, 0, 0]), force["newtons"])
        for pair in expected.keys() | drawn.keys():
            a, b = expected.get(pair, [0, 0, 0]), drawn.get(pair, [0, 0, 0])
            # Of two parts the arrow is on the second, unless only the first can move.
            self.assertLess(min(distance(a, b), distance([-x for x in a], b)), tolerance, pair)
        for hand in state.hands:
            if hand["part"] >= 0 and distance(hand["force"], [0, 0, 0]) > tolerance:
                self.assertLess(min(distance(hand["force"], force) for force in hands), tolerance)
        return len(drawn) + len(hands)

    def test_states_forces_goals_events_and_chart_are_those_of_the_session(self):
        it = self.observed(record=True)
        self.assertEqual(it.simulation.dt, TICK)
        it.open()
        worst, arrows, curve = 0, 0, []
        for _ in range(82):
            it.step(50)
            shown, state = self.browser.run("tenon.shown()"), it.simulation.state
            self.assertAlmostEqual(shown["time_s"], state.time, delta=1e-9)
            worst = max(worst, self.compare_points(state, shown))
            arrows += self.compare_forces(state, shown)
            self.assertEqual(it.texts(".goal .pill"), [str(v) for v in state.goals["verdict"]])
            curve.append((it.ticks, float(state.goals["depth"][0]), float(state.goals["push"][0])))
        self.assertLess(worst, MICROMETER)
        self.assertGreater(arrows, 200)
        self.assertEqual(it.texts(".goal .pill")[0], "inserted")
        self.assertTrue(self.browser.run("document.querySelector('.goal .pill').classList.contains('good')"))
        # Every point of the chart is the state of its step.
        points = self.browser.run("(() => { const {goals, frames} = tenon.viewer.session, g = goals[0];"
                                  "return g.curve.map((f) => [frames.times[f], g.depths[f], g.pushes[f]]); })()")
        states = {tick: (depth, push) for tick, depth, push in curve}
        self.assertGreater(len(points), 20)
        compared = 0
        for time, depth, push in points:
            if round(time / TICK) in states:
                compared += 1
                self.assertAlmostEqual(depth, states[round(time / TICK)][0], delta=1e-7)
                self.assertAlmostEqual(push, states[round(time / TICK)][1], delta=1e-4)
        self.assertGreater(compared, 20)
        self.assertNotEqual(self.browser.run("document.querySelector('.goal .past').getAttribute('points')"), "")
        self.compare_with_record(it)
        self.assertEqual(self.browser.console, [])

    def compare_with_record(self, it):
        """Events and bars of the time line are those of the record's page."""
        collect = """(() => ({
          events: [...document.querySelectorAll('#events li')].map((e) => e.textContent),
          bars: [...document.querySelectorAll('#track .bar')].map((e) => [e.textContent, +e.style.getPropertyValue('--from')]),
          marks: [...document.querySelectorAll('#track .spot')].map((e) => e.title).sort()}))()"""
        live = self.browser.run(collect)
        record = it.simulation.record
        it.simulation.close()
        self.browser.wait_for("document.querySelector('#outcome').textContent.startsWith('Ended')")
        self.assertEqual(it.text("#outcome"), "Ended: closed")
        self.assertIn("The session has ended: closed.", it.text("#message"))
        link = self.browser.run("document.querySelector('#message a').href")
        self.assertEqual(link, f"{self.running.page}/records/{record}")
        self.browser.open(link, *DESK)
        self.browser.run("tenon.ready")
        recorded = self.browser.run(collect)
        self.assertGreater(len(live["events"]), 5)
        self.assertEqual(recorded["events"].pop(), "4.100 send: closed")
        self.assertEqual(live, recorded)
        self.assertEqual(it.text("#outcome"), "1 of 4 goals inserted")

    def test_the_time_line_goes_back_and_live_follows(self):
        it = self.observed()
        it.open()
        for _ in range(6):
            it.step(100)
        self.browser.run("tenon.seek(0.3)")
        self.assertEqual(self.browser.run("document.querySelector('#live-button').getAttribute('aria-pressed')"), "false")
        it.simulation.step(100)
        self.browser.wait_for("tenon.viewer.session.end > 0.65")
        self.assertEqual(self.browser.run("tenon.viewer.time"), 0.3)
        self.browser.run("document.querySelector('#live-button').click()")
        self.assertAlmostEqual(self.browser.run("tenon.viewer.time"), 0.7)
        it.simulation.close()

    def test_it_shows_what_came_before_as_events_and_a_reset_goes_on(self):
        it = self.observed()
        it.simulation.step(700)
        it.open()
        self.assertIn("0.500 sleft grasps screw 1", it.texts("#events li"))
        self.assertAlmostEqual(self.browser.run("tenon.viewer.session.start"), 0.7)
        it.simulation.reset()
        it.ticks = 700
        it.step(100)
        self.assertLess(self.compare_points(it.simulation.state, self.browser.run("tenon.shown()")), MICROMETER)
        it.simulation.close()

    def test_a_session_that_plays_is_shown_while_it_does(self):
        it = self.observed()
        it.open()
        it.simulation.play()
        self.browser.wait_for("tenon.viewer.time > 0.3")
        self.assertEqual(it.text("#outcome"), "Live")
        it.simulation.pause()
        self.browser.wait_for("document.querySelector('#outcome').textContent === 'Live: paused'")
        state = it.simulation.state
        self.browser.wait_for(f"tenon.viewer.time > {state.time - 0.5 * TICK}")
        self.assertLess(self.compare_points(state, self.browser.run("tenon.shown()")), MICROMETER)
        it.simulation.close()

    def test_observers_show_each_other_places(self):
        it = self.observed()
        other = Browser()
        try:
            it.open()
            other.open(f"{self.running.page}/sessions/{it.simulation.id}", *DESK)
            other.run("tenon.ready")
            # The middle of the flange's upper face.
            box = self.browser.run("(() => { const b = document.querySelector('canvas').getBoundingClientRect();"
                                   "return [b.left + b.width / 2, b.top + b.height / 2]; })()")
            hit = self.browser.run(f"tenon.viewer.view.hitAt({box[0]}, {box[1]})")
            self.assertGreaterEqual(hit["part"], 0)
            before = it.simulation.state_hash
            self.browser.run("document.querySelector('#point-button').click()")
            self.browser.mouse("mousePressed", *box, button="left", clickCount=1)
            self.browser.mouse("mouseReleased", *box, button="left", clickCount=1)
            for observer in (self.browser, other):
                observer.wait_for("Tenon.pointers().length === 1")
                point = observer.run("Tenon.pointers()[0]")
                self.assertEqual((point["part"], point["name"]), (hit["part"], "an observer"))
                self.assertLess(distance(point["at"], hit["at"]), MICROMETER)
                self.assertEqual(observer.run("document.querySelector('.pointer span').textContent"), "an observer")
            self.assertEqual(it.simulation.state_hash, before)
            self.assertEqual(self.browser.run("document.querySelector('#point-button').getAttribute('aria-pressed')"), "false")
            self.assertEqual(self.browser.console + other.console, [])
        finally:
            other.close()
        it.simulation.close()

    def test_a_click_opens_a_session_from_the_list(self):
        it = self.observed()
        self.browser.open(f"{self.running.page}/", *DESK)
        self.browser.run("tenon.ready")
        self.assertEqual(it.texts("#running b"), ["A flange and four screws"])
        self.browser.run("document.querySelector('#running a').click()")
        self.browser.wait_for("window.tenon && tenon.viewer")
        self.assertEqual(it.text("#title"), "A flange and four screws")
        it.simulation.close()
        self.browser.open(f"{self.running.page}/sessions/{it.simulation.id}", *DESK)
        self.browser.run("tenon.ready")
        self.assertIn("This session has ended: closed.", it.text("#message"))

    def test_everything_is_in_the_window(self):
        it = self.observed()
        for size, phone in ((DESK, False), ((860, 600), False), (PHONE, True), ((844, 390), True)):
            it.open(size, phone)
            for tab in ("goals", "events", "parts", "about"):
                self.browser.run(f"document.querySelector('[data-tab={tab}]').click()")
                self.assertEqual(self.browser.run(OUTSIDE), [], f"{tab} at {size} px")
            self.assertFalse(self.browser.run(OVERLAPS), size)
            self.browser.open(f"{self.running.page}/", *size, phone)
            self.browser.run("tenon.ready")
            self.assertEqual(self.browser.run(OUTSIDE), [], f"list at {size} px")
        it.simulation.close()

    def test_names_of_parts_and_goals_stay_texts(self):
        hostile = ["<script>document.title = 'taken'</script>", "\"quoted\" 'part' & <b>bold</b>", "\U0001f529 bolt",
                   "\u05d1\u05d5\u05e8\u05d2"]
        scene = json.loads((SCENES / "four-bolts.json").read_text(encoding="utf-8"))
        text = json.dumps(scene)
        for old, new in zip(("screw 1", "screw 2", "screw 3", "screw 4"), hostile):
            text = text.replace(json.dumps(old), json.dumps(new))
        with open(self.running.folder / "hostile.json", "w", encoding="utf-8") as file:
            file.write(text)
        it = self.observed(self.running.folder / "hostile.json", record=True)
        it.open()
        it.step(700)
        shown = self.browser.run("tenon.viewer.session.parts.map((part) => part.name)")
        for name, goal in zip(hostile, it.texts(".goal h2 span:first-child")):
            self.assertIn(name, shown)
            self.assertTrue(goal.startswith(f"{name} into flange/"), goal)
        self.assertIn(f"0.500 sleft grasps {hostile[0]}", it.texts("#events li"))
        self.assertEqual(self.browser.run("document.title"), "A flange and four screws")
        self.assertEqual(self.browser.run("document.querySelectorAll('#side script, #side b, #track script').length"), 0)
        self.assertEqual(self.browser.console, [])
        record = it.simulation.record
        it.simulation.close()
        self.browser.open(f"{self.running.page}/records/{record}", *DESK)
        self.browser.run("tenon.ready")
        self.assertIn(f"0.500 sleft grasps {hostile[0]}", it.texts("#events li"))
        self.assertEqual(self.browser.console, [])


STUDY = {
    "tenon_study": 1,
    "scene": str(SCENES / "insertion-benchmark.json"),
    "design": "sobol",
    "count": 30,
    "seed": 1,
    "variables": [{"parameter": "clearance_um", "uniform": [-20, 40]}],
}


@NEEDS_BROWSER
class Studies(unittest.TestCase):
    """A study is shown with its numbers while it runs, and with its report at its end."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def test_progress_and_report_are_those_of_the_study(self):
        browser = self.browser
        with server("--http", "127.0.0.1:0", listen="127.0.0.1:0") as running:
            study = tenon.connect(running.address).study({**STUDY, "count": 3000}, threads=1)
            browser.open(f"{running.page}/", *DESK)
            browser.run("tenon.ready")
            self.assertEqual(self.text("#studies b"), "Insertion benchmark: a sharp peg, a chamfered bore, a compliant hand")
            browser.run("document.querySelector('#studies a').click()")
            browser.wait_for("window.tenon && tenon.study && tenon.study.shown.done > 0")
            shown = browser.run("tenon.study.shown")
            self.assertEqual((shown["running"], shown["cases"]), (True, 3000))
            self.assertEqual(browser.run("document.querySelector('#study-progress').value"), shown["done"])
            browser.run("document.querySelector('#study-report-button').click()")
            browser.wait_for("!document.querySelector('#study-report').hidden")
            study.stop()
            browser.run("tenon.ended")
            ended = study.progress
            self.assertEqual(self.text("#study-state"), "Stopped: stopped")
            self.assertEqual(self.text("#study-cases"), f"{ended['done']} of 3000 cases")
            self.compare_with_report(study, ended)
            self.assertEqual(browser.console, [])

    def compare_with_report(self, study, ended):
        low, high = ended["yield_interval"]
        self.assertEqual(self.text("#study-yield"), f"{ended['yield'] * 100:.1f} %, 95 % interval {low * 100:.1f} % to {high * 100:.1f} %")
        report = "document.querySelector('#study-report').shadowRoot"
        html = study.results("html").decode()
        verdict = re.search(r'<p class="verdict">([^<]+)</p>', html).group(1)
        self.assertEqual(self.browser.run(f"{report}.querySelector('.verdict').textContent"), verdict)
        self.assertIn(f"{ended['successes']} of {ended['done']} cases", verdict)
        self.assertEqual(self.browser.run(f"{report}.querySelectorAll('svg').length"), html.count("<svg"))
        # Its styles hold, and only there.
        style = "getComputedStyle({}).maxWidth"
        self.assertEqual(self.browser.run(style.format(f"{report}.querySelector('main')")), "1080px")
        self.assertEqual(self.browser.run(style.format("document.body")), "none")

    def test_a_finished_study_is_in_the_window_and_the_report_is_saved(self):
        browser = self.browser
        with server("--http", "127.0.0.1:0", listen="127.0.0.1:0") as running:
            study = tenon.connect(running.address).study(STUDY, threads=2)
            study.wait()
            for size, phone in ((DESK, False), (PHONE, True)):
                browser.open(f"{running.page}/studies/{study.id}", *size, phone)
                browser.run("tenon.ready")
                browser.run("tenon.ended")
                self.assertEqual(self.text("#study-state"), "Finished")
                self.assertEqual(browser.run("document.querySelector('#study-progress').value"), 30)
                self.assertEqual(browser.run(OUTSIDE), [])
            saved = browser.run("(async () => ({csv: await tenon.study.text('csv'), json: await tenon.study.text('json')}))()")
            for format, text in saved.items():
                self.assertEqual(text.encode(), study.results(format), format)
            browser.open(f"{running.page}/studies/0000000000000000", *DESK)
            browser.wait_for("!document.querySelector('#message').hidden")
            self.assertIn("is not on this server", self.text("#message"))


@NEEDS_BROWSER
class SignIn(unittest.TestCase):
    """A server with tokens."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def test_a_form_or_a_link_brings_the_token(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder) / "tokens"
            tokens.write_text(f"observe visitor {TOKEN}\nwork worker {TOKEN[::-1]}\n", encoding="utf-8")
            tokens.chmod(0o600)
            with server("--http", "127.0.0.1:0", "--tokens", str(tokens), listen="127.0.0.1:0") as running:
                client = tenon.connect(running.address, token=TOKEN[::-1])
                simulation = client.simulation(SCENES / "bolt-in-plate.json")
                self.form(running)
                self.link(running, simulation)
                simulation.close()
                self.assertNotIn(TOKEN, running.log_text())
                self.assertIn('"client":"visitor"', running.log_text())

    def form(self, running):
        browser = self.browser
        browser.open(f"{running.page}/", *PHONE, phone=True)
        fill = "(() => {{ document.querySelector('#token').value = '{}'; document.querySelector('#sign-in button').click(); }})()"
        browser.wait_for("document.querySelector('#sign-in').getClientRects().length")
        self.assertEqual(browser.run(OUTSIDE), [])
        self.assertEqual(browser.console, [])
        browser.run(fill.format("wrong-token-0123456789"))
        browser.wait_for("!document.querySelector('#sign-in-problem').hidden")
        self.assertIn("the token is not one of this server's", browser.run("document.querySelector('#sign-in-problem').textContent"))
        browser.run(fill.format(TOKEN))
        browser.wait_for("document.querySelector('#running b')")
        self.assertEqual(browser.run("document.querySelector('#client').textContent"), "Signed in as visitor (observe).")
        browser.run("sessionStorage.clear()")

    def link(self, running, simulation):
        browser = self.browser
        browser.open("about:blank", *DESK)
        browser.open(f"{running.page}/sessions/{simulation.id}#token={TOKEN}", *DESK)
        browser.run("tenon.ready")
        self.assertEqual(browser.run("location.href"), f"{running.page}/sessions/{simulation.id}")
        self.assertEqual(browser.run("document.querySelector('#title').innerText"), simulation.scene.title)
        browser.wait_for("tenon.viewer.session.frames.count > 0")
        browser.run("Tenon.connection.point(1, [0, 0, 0])")
        browser.wait_for("Tenon.pointers().length === 1")
        self.assertEqual(browser.run("Tenon.pointers()[0].name"), "visitor")
        self.assertFalse([url for url in browser.loaded if TOKEN in url and "#" not in url])
        self.assertEqual(browser.console, [])


@NEEDS_BROWSER
class GoneServer(unittest.TestCase):
    """A server that is stopped, and one that is killed and starts again."""

    def test_the_page_says_what_has_happened(self):
        browser = Browser()
        try:
            with tempfile.TemporaryDirectory() as folder:
                running = ServerProcess(folder, "--http", "127.0.0.1:0", listen="127.0.0.1:0")
                it = Observed(running, browser, "bolt-in-plate.json", record=True)
                it.open()
                self.assertEqual(running.stop(), 0)
                browser.wait_for("document.querySelector('#outcome').textContent.startsWith('Ended')")
                self.assertEqual(it.text("#outcome"), "Ended: the server was stopped")
            with tempfile.TemporaryDirectory() as folder:
                running = ServerProcess(folder, "--http", "127.0.0.1:0", listen="127.0.0.1:0")
                it = Observed(running, browser, "bolt-in-plate.json", record=True)
                it.open()
                page = running.page
                running.process.kill()
                running.process.wait()
                running.process.stdout.close()
                running.log.close()
                browser.wait_for("document.querySelector('#outcome').textContent === 'Connection lost'")
                self.assertRegex(it.text("#message"), r"^The server does not answer; trying again in [0-9.]+ s\.$")
                address = re.sub("^http://", "", page)
                again = ServerProcess(folder, "--http", address, listen="127.0.0.1:0")
                self.assertEqual(again.page, page)
                browser.wait_for("document.querySelector('#outcome').textContent === 'Disconnected'")
                self.assertIn("session: is not one of this server's", it.text("#message"))
                self.assertEqual(again.stop(), 0)
        finally:
            browser.close()


if __name__ == "__main__":
    unittest.main()
