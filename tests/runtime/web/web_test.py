"""tenon export --format web: what the page shows is what the session has, in Chromium, on a desk and on a phone."""

import math
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from session import Session, added, distance

PROGRAM = os.environ["TENON_PROGRAM"]
SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"
NEEDS_BROWSER = unittest.skipUnless(shutil.which("chromium"), "there is no chromium: apt install chromium")
MICROMETER = 1e-6


def tenon(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def record(folder, name, *arguments):
    """Records a scene, and exports it: the session file and its page."""
    session, page = folder / f"{name}.tenon", folder / f"{name}.html"
    run = tenon("run", *arguments, "--record", session)
    assert run.returncode in (0, 1), run.stderr
    export = tenon("export", session, "--format", "web", "--out", page)
    assert export.returncode == 0, export.stderr
    return session, page


def report_of(session):
    """The page of tenon export --format html."""
    file = session.with_suffix(".report.html")
    assert tenon("export", session, "--format", "html", "--out", file, "--force").returncode == 0
    return file.read_text(encoding="utf-8")


def from_segment(p, a, b):
    """Distance of a point from the line between two others."""
    d = [y - x for x, y in zip(a, b)]
    share = sum((x - y) * z for x, y, z in zip(p, a, d)) / (sum(x * x for x in d) or 1)
    return distance(p, [x + min(max(share, 0), 1) * y for x, y in zip(a, d)])


@NEEDS_BROWSER
class Page(unittest.TestCase):
    """The page of four-bolts in a window."""

    SIZE = 860, 480  # [px]; without a graphics card a small one is quicker

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file, cls.page = record(Path(cls.folder.name), "four", SCENES / "four-bolts.json")
        cls.session = Session(cls.file)
        cls.browser = Browser()
        cls.browser.open(cls.page, *cls.SIZE)
        cls.browser.run("tenon.ready")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.session.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.resize(*self.SIZE)
        self.browser.run("document.querySelector('[data-tab=goals]').click();"
                         "document.querySelector('[data-view=iso]').click(); tenon.seek(0)")

    def shown_at(self, time):
        return self.browser.run(f"tenon.seek({time!r}); tenon.shown()")

    def some_keyframes(self):
        """Every 41st of them, with the first and the last."""
        keyframes = self.session.keyframes()
        return keyframes[::41] + keyframes[-1:]

    def text(self, selector):
        return self.browser.run(f"document.querySelector({selector!r}).innerText")

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({selector!r})].map((e) => e.innerText)")

    def test_points_of_all_parts_are_within_a_micrometer(self):
        reach = 0.03  # about that of the screws, from the origin of their frame [m]
        points = [[0, 0, 0]] + [[s * reach * (k == axis) for k in range(3)] for axis in range(3) for s in (-1, 1)]
        compared, worst = 0, 0
        for tick, time in self.some_keyframes():
            shown = self.shown_at(time)
            self.assertEqual(shown["time_s"], time)
            for body, part in enumerate(shown["parts"]):
                if part is None:
                    self.assertEqual(self.session.bodies[body][0], "bench")  # a half-space: nothing to draw
                    continue
                self.assertEqual(part["name"], self.session.bodies[body][0])
                m = part["matrix"]  # by columns
                for p in points:
                    drawn = [sum(m[4 * k + row] * v for k, v in enumerate([*p, 1])) for row in range(3)]
                    worst = max(worst, distance(drawn, self.session.point(body, p, tick)))
                    compared += 1
        self.assertGreater(compared, 1000)
        self.assertLess(worst, MICROMETER)

    def test_forces_are_those_of_the_step_in_newtons(self):
        compared = 0
        for tick, time in self.some_keyframes():
            shown = self.shown_at(time)
            # Smaller arrows are not drawn, and each component is rounded.
            tolerance = 1e-3 + 0.01 * shown["scale"]["newtons"]
            sums, hands = {}, []
            for force in shown["forces"]:
                pair = force["i"], force["j"]
                if force["hand"]:
                    hands.append(force["newtons"])
                else:
                    sums[pair] = added(sums.get(pair, [0, 0, 0]), force["newtons"])
            recorded = self.session.contact_forces(tick)
            for pair in recorded.keys() | sums.keys():
                difference = distance(recorded.get(pair, [0, 0, 0]), sums.get(pair, [0, 0, 0]))
                self.assertLess(difference, 4 * tolerance, f"{pair} at {time} s")
                compared += pair in sums
            for force in self.session.hand_forces(tick):
                if math.hypot(*force) > tolerance:
                    self.assertLess(min(distance(force, drawn) for drawn in hands), tolerance, f"at {time} s")
                    compared += 1
        self.assertGreater(compared, 50)

    def test_labels_give_the_largest_forces(self):
        shown = self.shown_at(2.3)
        self.browser.drawn()
        sizes = sorted((math.hypot(*force["newtons"]) for force in shown["forces"]), reverse=True)
        labels = [float(text.removesuffix(" N")) for text in self.texts("#labels span:not([hidden])")]
        self.assertEqual(len(labels), 4)
        for label, size in zip(labels, sizes):
            self.assertAlmostEqual(label, size, delta=0.006 * size)

    def test_goals_have_the_recorded_verdict_depth_and_push(self):
        words = set()
        for tick, time in self.some_keyframes():
            self.shown_at(time)
            verdicts, figures = self.texts("#goals .pill"), self.texts("#goals .figures span")
            for goal, (verdict, depth, push) in enumerate(self.session.goals(tick)):
                self.assertEqual(verdicts[goal], verdict)
                words.add(verdict)
                # Stored to 0.1 um, shown to 1 um.
                if depth > 1e-7:
                    number, rest = figures[4 * goal].split(" ", 1)
                    self.assertAlmostEqual(float(number), depth * 1e3, delta=5.6e-4)
                    self.assertEqual(rest, "of 30 mm")
                elif depth <= 0:
                    self.assertEqual(figures[4 * goal], "not in the hole")
                shown = float(figures[4 * goal + 1].removesuffix(" N"))
                self.assertAlmostEqual(shown, push, delta=1e-3 + 0.006 * abs(push))
        self.assertLessEqual({"pending", "inserted"}, words)

    def test_words_are_those_of_the_report(self):
        report = report_of(self.file)
        self.assertEqual(self.text("#outcome"), re.search(r"<p class='verdict \w+'>([^<]*)", report)[1])
        self.shown_at(99)
        final = re.findall(r"<section id='goal-\d+'><h2>([^<]*)</h2><p class='verdict \w+'>([^<]*)", report)
        self.assertEqual(len(final), 4)
        self.assertEqual(list(zip(self.texts("#goals h2 span:first-child"), self.texts("#goals .pill"))), final)
        facts = dict(re.findall(r"<tr><th>([^<]*)</th><td[^>]*>([^<]*)", report))
        self.browser.run("document.querySelector('[data-tab=about]').click()")
        for label in ("Scene", "Recorded", "Length", "Ended", "Program"):
            self.assertIn(facts[label], self.texts("#about td"))

    def test_the_chart_has_the_points_of_the_insertion(self):
        tick, time = min(self.session.keyframes(), key=lambda keyframe: abs(keyframe[1] - 2.3))
        self.shown_at(time)
        points = [[float(c) for c in point.split(",")] for point in self.browser.run(
            "document.querySelector('.goal .whole').getAttribute('points')").split()]
        past = self.browser.run("document.querySelector('.goal .past').getAttribute('points')").split()
        self.assertLess(len(past), len(points))
        # The curve has a point for each keyframe; its line leaves out those that it passes within its width.
        curve = self.browser.run("""(() => { const {chart, goal} = tenon.viewer.goals.cards[0];
          return [...goal.curve].map((f) => [chart.x(1e3 * goal.depths[f]), chart.y(goal.pushes[f])]); })()""")
        self.assertGreater(len(curve), 100)
        self.assertLess(len(points), len(curve) / 2)
        for point in curve:
            self.assertLess(min(from_segment(point, a, b) for a, b in zip(points, points[1:])), 1)
        # Where the scales say that depth and push are.
        scale = self.browser.run("""(() => {
          const texts = [...document.querySelector('.goal svg').querySelectorAll('text')], at = (anchor, name) => texts
            .filter((t) => t.getAttribute('text-anchor') === anchor && !isNaN(t.textContent))
            .map((t) => [+t.textContent, +t.getAttribute(name)]);
          return {depth: at('middle', 'x'), push: at('end', 'y').map(([v, y]) => [v, y - 3.5])}; })()""")

        def value(axis, pixel):
            (a, at_a), (b, at_b) = scale[axis][0], scale[axis][-1]
            return a + (pixel - at_a) * (b - a) / (at_b - at_a)

        verdict, depth, push = self.session.goals(tick)[0]
        dot = self.browser.run("['cx', 'cy'].map((n) => +document.querySelector('.goal .dot').getAttribute(n))")
        self.assertEqual(verdict, "pending")
        self.assertAlmostEqual(value("depth", dot[0]), depth * 1e3, delta=0.01)
        self.assertAlmostEqual(value("push", dot[1]), push, delta=0.001)

    def test_a_click_on_an_event_goes_there(self):
        self.browser.run("document.querySelector('[data-tab=events]').click()")
        recorded = self.session.rows("SELECT t.session_s, e.kind FROM event e JOIN tick t ON t.tick = e.tick ORDER BY e.id")
        self.assertEqual(self.browser.run("document.querySelectorAll('#events li').length"), len(recorded))
        shown = [time for time, kind in recorded if not kind.startswith("contact-")]
        times = [float(text.removesuffix(" s")) for text in self.texts("#events li:not([hidden]) time")]
        self.assertEqual(times, [round(time, 3) for time in shown])
        for index in (1, 3):
            self.browser.run(f"document.querySelectorAll('#events li:not([hidden]) button')[{index}].click()")
            self.assertAlmostEqual(self.browser.run("tenon.shown().time_s"), shown[index], delta=1e-9)
        self.browser.run("document.querySelector('#contacts-box').click()")
        self.assertEqual(len(self.texts("#events li:not([hidden])")), len(recorded))

    def test_it_plays_and_stops(self):
        self.browser.run("document.querySelector('#play').click()")
        self.browser.run("""new Promise((done) => { const wait = () => tenon.shown().time_s > 0.2 ? done() :
          requestAnimationFrame(wait); wait(); })""")
        self.browser.run("document.querySelector('#play').click()")
        time = self.browser.run("tenon.shown().time_s")
        self.browser.drawn()
        self.assertEqual(self.browser.run("tenon.shown().time_s"), time)
        self.assertTrue(self.text("#now").startswith(f"{time:.3f}"))

    def test_parts_are_hidden_and_shown(self):
        hide = "document.querySelector('#parts [data-part=\"2\"] .eye').click()"
        self.browser.run("document.querySelector('[data-tab=parts]').click()")
        before = self.browser.picture()
        self.browser.run(hide)
        self.assertFalse(self.browser.run("tenon.shown().parts[2].visible"))
        self.assertNotEqual(self.browser.picture(), before)
        self.browser.run(hide)
        self.assertTrue(self.browser.run("tenon.shown().parts[2].visible"))

    def test_the_section_cuts_the_parts_open(self):
        self.shown_at(2.3)
        canvas = """(() => { const c = document.querySelector('canvas'), g = c.getContext('webgl2'); return g ? 1 : 0; })()"""
        self.assertEqual(self.browser.run(canvas), 1)
        before = self.browser.picture()
        self.browser.run("document.querySelector('.goal .foot button').click()")
        cut = self.browser.picture()
        self.assertNotEqual(cut, before)
        self.assertEqual(self.browser.run("document.querySelector('#section-axis').selectedOptions[0].text"),
                         "Through screw 1 into flange/front left")
        self.browser.run("""(() => { const s = document.querySelector('#section-slider'); s.value = 600;
          s.dispatchEvent(new Event('input')); })()""")
        self.assertNotEqual(self.browser.picture(), cut)
        self.assertRegex(self.text("#section-offset"), r"^[1-9]\d*\.\d mm$")
        self.browser.run("document.querySelector('#section-button').click()")
        self.assertTrue(self.browser.run("document.querySelector('#section-panel').hidden"))

    def test_the_mouse_orbits_pans_and_zooms(self):
        def camera():
            return self.browser.run("tenon.camera()")
        start = camera()
        self.browser.drag((200, 250), (260, 270))
        orbited = camera()
        self.assertGreater(distance(orbited["position"], start["position"]), 0.01)
        self.assertLess(distance(orbited["target"], start["target"]), 1e-9)
        self.browser.drag((200, 250), (230, 250), "right")
        panned = camera()
        self.assertGreater(distance(panned["target"], orbited["target"]), 0.001)
        self.browser.mouse("mouseWheel", 200, 250, deltaX=0, deltaY=-240)
        self.browser.drawn()
        zoomed = camera()
        self.assertLess(distance(zoomed["position"], zoomed["target"]), 0.97 * distance(panned["position"], panned["target"]))

    def test_it_needs_nothing_else_and_prints_nothing(self):
        for time in (0, 1.2345, 5, 10.4):
            self.shown_at(time)
            self.browser.drawn()
        self.browser.run("document.querySelector('#section-button').click()")
        self.browser.drawn()
        self.browser.run("document.querySelector('#section-button').click()")
        self.assertEqual(self.browser.console, [])
        self.assertEqual([url for url in self.browser.loaded if not url.startswith(("data:", "blob:"))],
                         [f"file://{self.page}"])

    def test_a_minute_is_less_than_five_megabytes(self):
        seconds = self.session.keyframes()[-1][1]
        self.assertAlmostEqual(seconds, 10.4)
        self.assertLess(self.page.stat().st_size, 5e6 * seconds / 60)

    def test_everything_is_in_the_window(self):
        for width in (860, 1000, 1400, 1920):
            self.browser.resize(width, 860)
            self.assertEqual(outside(self.browser), [], f"at {width} px")


OUTSIDE = """(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) return ['the page itself'];
  return [...document.querySelectorAll('header *, #view button, #section-panel *, #time button, #time select, #side *')]
    .filter((e) => e.getClientRects().length && !e.closest('svg *'))
    .filter((e) => e.getBoundingClientRect().right > width + 0.5 || e.getBoundingClientRect().left < -0.5)
    .map((e) => e.tagName + '.' + (e.className || e.id)); })()"""


def outside(browser):
    """Controls and texts that the window cuts off."""
    found = []
    browser.run("document.querySelector('#section-button').click()")
    for tab in ("goals", "events", "parts", "about"):
        browser.run(f"document.querySelector('[data-tab={tab}]').click()")
        found += browser.run(OUTSIDE)
    browser.run("document.querySelector('#section-button').click()")
    return found


@NEEDS_BROWSER
class Phone(unittest.TestCase):
    """A session that jammed, on a phone."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file, cls.page = record(Path(cls.folder.name), "jam", SCENES / "insertion-benchmark.json", "--duration", 1,
                                    "--set", "clearance_um=5", "--set", "friction=0.1")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.open(self.page, 390, 844, phone=True)
        self.browser.run("tenon.ready")

    def test_everything_is_in_the_window(self):
        for size in ((390, 844), (360, 640), (844, 390)):
            self.browser.resize(*size, phone=True)
            self.assertEqual(outside(self.browser), [], f"at {size} px")
        self.assertEqual(self.browser.console, [])

    def test_fingers_orbit_and_pinch(self):
        start = self.browser.run("tenon.camera()")
        self.browser.touch(((200, 200), (260, 220)))
        orbited = self.browser.run("tenon.camera()")
        self.assertGreater(distance(orbited["position"], start["position"]), 0.005)
        self.browser.touch(((180, 220), (120, 220)), ((220, 220), (280, 220)))
        pinched = self.browser.run("tenon.camera()")
        self.assertLess(distance(pinched["position"], pinched["target"]),
                        0.8 * distance(orbited["position"], orbited["target"]))

    def test_a_finger_moves_the_time(self):
        box = self.browser.run("(() => { const b = document.querySelector('#track .area').getBoundingClientRect();"
                               "return [b.left, b.top, b.width, b.height]; })()")
        y = box[1] + box[3] / 2
        self.browser.touch(((box[0] + 0.1 * box[2], y), (box[0] + 0.5 * box[2], y)))
        self.assertAlmostEqual(self.browser.run("tenon.shown().time_s"), 0.5, delta=0.02)

    def test_the_jam_has_the_words_of_the_report(self):
        report = report_of(self.file)
        self.browser.run("tenon.seek(99)")
        verdict = re.search(r"<section id='goal-0'><h2>[^<]*</h2><p class='verdict bad'>([^<]*)", report)[1]
        self.assertEqual(verdict, "jammed")
        self.assertEqual(self.browser.run("document.querySelector('.goal .pill').innerText"), verdict)
        self.assertTrue(self.browser.run("document.querySelector('.goal .pill').classList.contains('bad')"))
        self.assertEqual(self.browser.run("document.querySelector('#outcome').innerText"), "0 of 1 goal inserted")
        session = Session(self.file)
        time, text = session.rows("SELECT time_s, text FROM event WHERE kind = 'jam'")[0]
        session.close()
        self.assertIn(f"peg into block/bore: {text}", self.browser.run(
            "[...document.querySelectorAll('#events li.jam span')].map((e) => e.textContent)"))
        self.assertEqual(len(self.browser.run("[...document.querySelectorAll('.spot.jam')].map((e) => e.title)")), 1)
        self.assertGreater(time, 0)


@NEEDS_BROWSER
class Odd(unittest.TestCase):
    """Pages of sessions with little in them, damaged pages, and texts that could be taken for markup."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def test_a_scene_without_goals_says_so(self):
        _, page = record(self.path, "fall", SCENES / "free-fall.json", "--duration", 0.5)
        self.browser.open(page, 860, 480)
        self.browser.run("tenon.ready")
        self.assertEqual(self.browser.run("document.querySelector('#outcome').innerText"), "The scene has no goals.")
        self.browser.run("tenon.seek(0.5)")
        self.browser.drawn()
        self.assertEqual(self.browser.console, [])

    def test_texts_of_a_scene_stay_texts(self):
        text = (SCENES / "free-fall.json").read_text(encoding="utf-8")
        title = "</script><script>document.title = 'taken'</script> & {{session}} \\u00b5"
        scene = self.path / "markup.json"
        scene.write_text(re.sub(r'"title": "[^"]*"', lambda _: f'"title": "{title}"', text), encoding="utf-8")
        _, page = record(self.path, "markup", scene, "--duration", 0.05)
        self.browser.open(page, 860, 480)
        self.browser.run("tenon.ready")
        expected = title.replace("\\u00b5", "µ")
        self.assertEqual(self.browser.run("document.querySelector('#title').textContent"), expected)
        self.assertEqual(self.browser.run("document.title"), expected)
        self.assertEqual(self.browser.console, [])

    def changed(self, name, *statements):
        """The page of a session of bolt-in-plate, after statements that a damaged or forged file may come from."""
        session = self.path / f"{name}.tenon"
        assert tenon("run", SCENES / "bolt-in-plate.json", "--duration", 0.7, "--record", session).returncode in (0, 1)
        database = sqlite3.connect(session)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        page = self.path / f"{name}.html"
        return tenon("export", session, "--format", "web", "--out", page), page

    def test_a_hand_without_a_direction_is_drawn(self):
        export, page = self.changed("zero", "UPDATE hand_state SET qw = 0, qx = 0, qy = 0, qz = 0")
        self.assertEqual(export.returncode, 0, export.stderr)
        self.browser.open(page, 860, 480)
        self.browser.run("tenon.ready")
        pose = self.browser.run("tenon.viewer.session.hands[0].motion.at(3, 0.5)")
        self.assertEqual(pose["q"], [1, 0, 0, 0])
        self.browser.run("tenon.seek(0.6)")
        self.browser.drawn()
        self.assertEqual(self.browser.console, [])

    def test_names_in_a_forged_record_stay_texts(self):
        name = "<img src=x onerror=alert(1)> \" & \U0001f529"
        export, page = self.changed("forged", f"UPDATE hand SET name = '{name}'", f"UPDATE event SET text = '{name}'",
                                    f"UPDATE goal_state SET verdict = '{name}'")
        if export.returncode != 0:  # refused in one line
            self.assertEqual((export.returncode, len(export.stderr.strip().splitlines())), (2, 1), export.stderr)
            return
        self.browser.open(page, 860, 480)
        self.browser.run("tenon.ready")
        self.browser.run("tenon.seek(0.6)")
        self.assertEqual(self.browser.run("document.querySelector('.goal .pill').textContent"), name)
        self.assertTrue(self.browser.run("document.querySelector('.goal .pill').classList.contains('none')"))
        self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)
        self.assertEqual(self.browser.console, [])

    def test_a_long_curve_is_thinned_within_its_line(self):
        _, page = record(self.path, "thin", SCENES / "free-fall.json", "--duration", 0.05)
        self.browser.open(page, 860, 480)
        self.browser.run("tenon.ready")
        worst, kept, count = self.browser.run("""(() => {
          const x = [], y = [], n = 200000;
          for (let k = 0; k < n; ++k) {  // forth and back, with a step and noise below the line's width
            const t = k / n, at = t < 0.5 ? 2 * t : 2 - 2 * t;
            x.push(300 * at + 0.1 * Math.sin(k));
            y.push(40 * Math.sin(8 * at) + (t > 0.3 ? 20 : 0) + 0.1 * Math.cos(1.7 * k));
          }
          const kept = Tenon.thinned(x, y, 0.5);
          let worst = 0;
          for (let s = 0; s + 1 < kept.length; ++s) {
            const [a, b] = [kept[s], kept[s + 1]], dx = x[b] - x[a], dy = y[b] - y[a], l2 = dx * dx + dy * dy || 1;
            for (let k = a; k <= b; ++k) {
              const u = Math.min(Math.max(((x[k] - x[a]) * dx + (y[k] - y[a]) * dy) / l2, 0), 1);
              worst = Math.max(worst, Math.hypot(x[k] - x[a] - u * dx, y[k] - y[a] - u * dy));
            }
          }
          return [worst, [kept[0], kept[kept.length - 1]], kept.length];
        })()""")
        self.assertEqual(kept, [0, 199999])
        self.assertLess(worst, 1)  # the width of the lines is 1.5 and 2
        self.assertLess(count, 2000)

    def test_a_damaged_page_says_so(self):
        _, page = record(self.path, "cut", SCENES / "free-fall.json", "--duration", 0.1)
        text = page.read_text(encoding="utf-8")
        start = text.index('id="session"')
        damaged = self.path / "damaged.html"
        damaged.write_text(text[:start] + re.sub(r">[^<]{200}", ">", text[start:], count=1), encoding="utf-8")
        self.browser.open(damaged, 860, 480)
        self.browser.run("tenon.ready.catch(() => 0)")
        self.assertIn("damaged", self.browser.run("document.querySelector('#message').innerText"))


class BadInput(unittest.TestCase):
    """One clear line, exit code 2, and nothing half-written."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.file, cls.page = record(cls.path, "s", SCENES / "bolt-in-plate.json", "--duration", 0.5)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def refuse(self, session, out, expected, **options):
        before = sorted(self.path.iterdir())
        run = tenon("export", session, "--format", "web", "--out", out, **options)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
        self.assertRegex(run.stderr, expected)
        self.assertEqual(sorted(self.path.iterdir()), before)

    def test_a_truncated_session(self):
        cut = self.path / "cut.tenon"
        whole = self.file.read_bytes()
        cut.write_bytes(whole[:len(whole) // 2])
        self.refuse(cut, self.path / "new.html", "cut.tenon")

    def test_a_session_without_steps(self):
        still = self.path / "still.tenon"
        shutil.copy(self.file, still)
        database = sqlite3.connect(still)
        for table in ("tick", "body_state", "hand_state", "joint_state", "contact_frame", "goal_state", "hand_input", "command",
                      "command_value", "event", "head_pose"):
            database.execute(f"DELETE FROM {table} WHERE tick > 0")
        database.execute("DELETE FROM contact_episode")
        database.commit()
        database.close()
        self.refuse(still, self.path / "new.html", "still.tenon: tick: has no steps, only the start; record a session")

    def test_a_page_that_exists(self):
        self.refuse(self.file, self.page, "exists already; name another file, or overwrite it with --force")

    def test_a_folder_that_does_not(self):
        self.refuse(self.file, self.path / "none" / "new.html", "cannot be written .No such file")

    def test_a_name_of_another_kind(self):
        self.refuse(self.file, self.path / "new.glb", "is not named as an HTML page; end its name in .html or .htm")

    def test_a_full_disk(self):
        def fill():  # the largest file that may be written
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        self.refuse(self.file, self.path / "new.html", "cannot be written .File too large.; name a file", preexec_fn=fill)


if __name__ == "__main__":
    unittest.main()
