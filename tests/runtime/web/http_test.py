"""tenon serve --http: who may read what, and what the port does with requests that no browser sends."""

import base64
import concurrent.futures
import json
import os
import re
import signal
import socket as sockets
import ssl
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request
import zlib
from pathlib import Path
from urllib.parse import urlparse

import tenon
from server_process import SCENES, refusal, server
from web_socket import Rows, WebSocket, request

TOKENS = {"observe": "observer-0123456789abcdef", "work": "worker-0123456789abcdef"}


def authorization(token):
    return {"Authorization": f"Bearer {token}"}


class Port(unittest.TestCase):
    """A server on loopback, without tokens."""

    @classmethod
    def setUpClass(cls):
        cls.context = server("--http", "127.0.0.1:0", listen="127.0.0.1:0")
        cls.running = cls.context.__enter__()
        cls.page = cls.running.page
        cls.client = tenon.connect(cls.running.address)
        cls.simulation = cls.client.simulation(SCENES / "bolt-in-plate.json", record=True)

    @classmethod
    def tearDownClass(cls):
        cls.simulation.close()
        cls.context.__exit__(None, None, None)

    def status(self, target, **options):
        return request(self.page, target, **options)[0]

    def test_headers_forbid_other_scripts_frames_and_stored_data(self):
        for target in ("/", "/data/list", f"/data/sessions/{self.simulation.id}", "/page/live.js", "/none"):
            _, headers, _ = request(self.page, target)
            self.assertIn("default-src 'none'; script-src 'self'; style-src 'self'", headers["content-security-policy"])
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertNotIn("access-control-allow-origin", headers)
            if target.startswith("/data"):
                self.assertEqual(headers["cache-control"], "no-store")
        page = request(self.page, "/")[2].decode()
        self.assertNotIn("<style", page)
        self.assertNotRegex(page, r"<script(?! src=\"/page/)|<[^>]* (on\w+|style)=")

    def test_the_list_and_the_documents(self):
        listed = json.loads(request(self.page, "/data/list")[2])
        self.assertEqual([one["id"] for one in listed["sessions"]], [self.simulation.id])
        self.assertNotIn(self.simulation.id, [one["id"] for one in listed["records"]])  # it grows
        status, headers, body = request(self.page, f"/data/sessions/{self.simulation.id}")
        self.assertEqual((status, headers["content-encoding"]), (200, "deflate"))
        document = zlib.decompress(body)
        length = int.from_bytes(document[:4], "little")
        session = json.loads(document[4:4 + length])
        self.assertEqual((session["format"], session["live"]), (2, True))
        self.assertEqual([part["name"] for part in session["parts"]], list(self.simulation.scene.parts))

    def test_the_metrics_count_what_a_session_did(self):
        with self.client.simulation(SCENES / "stack.json") as simulation:
            simulation.step(25)
            status, headers, body = request(self.page, "/metrics")
            self.assertEqual((status, headers["content-type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
            lines = body.decode().splitlines()
            label = f'{{session="{simulation.id}"}}'
            values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
            self.assertEqual(float(values[f"tenon_session_steps_total{label}"]), 25)
            self.assertGreater(float(values[f"tenon_session_step_seconds_total{label}"]), 0)
            self.assertEqual(float(values[f"tenon_session_real_time_ratio{label}"]), 1)
            self.assertEqual(float(values["tenon_sessions"]), 2)
            self.assertEqual(float(values["tenon_sessions_crashed_total"]), 0)
            self.assertGreater(float(values["process_resident_memory_bytes"]), 1e6)
            for name in values:
                self.assertIn(f"# HELP {name.split('{')[0]} ", body.decode())
        after = request(self.page, "/metrics")[2].decode()
        self.assertNotIn(simulation.id, after)

    def test_a_record_has_the_document_of_the_exported_page(self):
        with self.client.simulation(SCENES / "bolt-in-plate.json", record=True) as simulation:
            simulation.step(300)
            record = simulation.record
        with tempfile.TemporaryDirectory() as folder:
            file, page = f"{folder}/r.tenon", f"{folder}/r.html"
            self.client.download(record, file)
            subprocess.run([os.environ["TENON_PROGRAM"], "export", file, "--format", "web", "--out", page], check=True,
                           capture_output=True)
            text = Path(page).read_text(encoding="utf-8")
            exported = base64.b64decode(re.search(r'<script id="session" type="text/plain">([^<]*)', text)[1])
            self.assertEqual(request(self.page, f"/data/records/{record}")[2], exported)

    def test_a_damaged_record_is_refused_in_one_line_and_harms_nothing(self):
        record = "0123456789abcdef"
        (self.running.data / "records" / f"{record}.tenon").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
        try:
            status, _, body = request(self.page, f"/data/records/{record}")
            self.assertEqual(status, 422)
            self.assertEqual(body.count(b"\n"), 1)
            self.assertIn(record.encode(), body)
        finally:
            (self.running.data / "records" / f"{record}.tenon").unlink()
        self.assertEqual(self.status("/data/list"), 200)

    def test_a_session_that_ends_while_its_document_is_made_says_so(self):
        with server("--http", "127.0.0.1:0", listen="127.0.0.1:0") as running:
            simulation = tenon.connect(running.address).simulation(SCENES / "bolt-in-plate.json")
            (worker,) = running.workers()
            os.kill(worker, signal.SIGSTOP)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                answer = pool.submit(request, running.page, f"/data/sessions/{simulation.id}")
                with self.assertRaises(concurrent.futures.TimeoutError):
                    answer.result(0.5)  # it waits for the process
                os.kill(worker, signal.SIGKILL)
                status, _, body = answer.result(30)
            self.assertEqual(status, 410)
            self.assertIn(b"its process was ended by signal 9", body)

    def test_paths_do_not_leave_the_page(self):
        secret = self.running.data / "records" / "secret"
        secret.write_text("secret", encoding="utf-8")
        for target in ("/../secret", "/page/../../secret", "/page/%2e%2e/secret", "/data/records/../secret", "/data/records/secret",
                       "/data/records/..%2fsecret", "//etc/passwd", "/page/page.html", "/page/", "/data/", "/sessions/x",
                       f"/records/{'0' * 16}/..", f"/data/sessions/{'0' * 15}G", "/data/records/0123456789abcdef%00", "*", "http://x/"):
            status, _, body = request(self.page, target)
            self.assertEqual(status, 404, target)
            self.assertNotIn(b"secret\n", body.replace(b"no such", b""))
        self.assertEqual(self.status("/data/records/0000000000000000"), 404)
        secret.unlink()

    def test_hosts_of_other_names_are_refused(self):
        port = self.page.rsplit(":", 1)[1]
        for host in ("example.com", f"example.com:{port}", "127.0.0.1.example.com", "localhost.example.com", "127.0.0.1:1", "[::2]", "x@localhost"):
            for target in ("/", "/data/list", "/page/live.js"):
                self.assertEqual(self.status(target, headers={"Host": host}), 421, host)
            with self.assertRaisesRegex(ConnectionRefusedError, "421"):
                WebSocket(self.page, self.simulation.id, headers={"Host": host})
        self.assertEqual(self.status("/", drop=("Host",)), 421)
        for host in (f"localhost:{port}", "localhost", f"127.0.0.1:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
            self.assertEqual(self.status("/data/list", headers={"Host": host}), 200, host)

    def test_pages_of_other_origins_get_nothing(self):
        origins = ("http://example.com", "null", self.page.replace("http", "https"), self.page + "0", "http://127.0.0.1")
        for origin in origins:
            self.assertEqual(self.status("/data/list", headers={"Origin": origin}), 403, origin)
            with self.assertRaisesRegex(ConnectionRefusedError, "403.*another site's"):
                WebSocket(self.page, self.simulation.id, headers={"Origin": origin})
        self.assertEqual(self.status("/data/list", headers={"Origin": self.page}), 200)

    def test_methods_and_sizes(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE"):
            self.assertEqual(self.status("/", method=method), 405, method)
        status, headers, body = request(self.page, "/", method="HEAD")
        self.assertEqual((status, body), (200, b""))
        self.assertGreater(int(headers["content-length"]), 1000)
        self.assertEqual(self.status("/", headers={"X-Long": "x" * 20000}), 431)
        self.assertEqual(self.status("/" + "x" * 20000), 431)
        long_body = b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n" + b"x" * 5000
        self.assertEqual(self.status("/", raw=long_body), 413)
        self.assertEqual(self.status("/", raw=b"\x16\x03\x01 this is not HTTP\r\n\r\n"), 400)

    def test_messages_of_observers_are_checked(self):
        for message in ({}, {"token": 1}, [], {"point": {"part": 0, "at": [0, 0, 0]}}):
            socket = WebSocket(self.page, self.simulation.id, None)
            socket.send(message)
            self.assertIn("error", socket.receive())
            self.assertEqual(socket.receive(), ("close", 1008))
            socket.close()
        for point in ({}, {"part": 0}, {"part": 99, "at": [0, 0, 0]}, {"part": -1, "at": [0, 0, 0]}, {"part": 0, "at": [0, 0]},
                      {"part": 0, "at": [0, 0, 1e9]}, {"part": 0, "at": ["0", 0, 0]}, {"part": 1e30, "at": [0, 0, 0]}, {"part": 0.5, "at": [0, 0, 0]}):
            socket = WebSocket(self.page, self.simulation.id)
            socket.send({"point": point})
            message = socket.receive()
            while not (isinstance(message, dict) and "error" in message):
                message = socket.receive()
            self.assertRegex(message["error"], "message: (part|at): ")
            self.assertEqual(socket.receive(), ("close", 1008))
            socket.close()
        socket = WebSocket(self.page, self.simulation.id, None)
        socket.send({"token": "x" * 5000})
        self.assertEqual(socket.receive()[0], "close")
        socket.close()

    def tumbling_boxes(self, count):
        """A scene whose frames are some 20 bytes a box."""
        scene = json.loads((SCENES / "free-fall.json").read_text(encoding="utf-8"))
        scene["parts"] = [dict(scene["parts"][0], name=f"box {k}", position=[200 * (k % 20), 200 * (k // 20), 0])
                          for k in range(count)]
        file = self.running.folder / "boxes.json"
        file.write_text(json.dumps(scene), encoding="utf-8")
        return file

    def test_a_slow_observer_misses_frames_and_gets_the_newest(self):
        steps, count = 20, 100  # of each call; calls
        with self.client.simulation(self.tumbling_boxes(300)) as simulation:
            fast, slow = (WebSocket(self.page, simulation.id, receive_buffer=size) for size in (None, 4096))
            rows, frames, size = Rows(), 0, 0
            rows.add(fast.receive())
            for tick in range(steps, count * steps + 1, steps):  # the slow one does not read
                simulation.step(steps)
                while rows.row[0] < tick:
                    data = fast.receive()
                    rows.add(data)
                    frames += 1
                    size += len(data)
            self.assertGreaterEqual(frames, count)  # some are of the midst of a call
            self.assertGreater(size, 400_000)  # of which 64 KiB, doubled by the system, are on the way
            late, seen = Rows(), 0
            while not late.row or late.row[0] < count * steps:
                late.add(slow.receive())
                seen += 1
            self.assertEqual(late.row, rows.row)
            self.assertLess(seen, frames / 2)
            fast.close()
            slow.close()

    def test_a_late_observer_gets_the_events_before(self):
        with self.client.simulation(SCENES / "bolt-in-plate.json") as simulation:
            lists = []
            for late in (False, True):
                if late:
                    simulation.step(4000)
                observer = WebSocket(self.page, simulation.id)
                if not late:
                    observer.receive()
                    simulation.step(100)
                events, rows = [], Rows()
                while not rows.row or rows.row[0] < (4100 if late else 100):
                    message = observer.receive()
                    if isinstance(message, bytes):
                        rows.add(message)
                    else:
                        events += message["events"]
                lists.append(events)
                observer.close()
            self.assertEqual(lists[1][:len(lists[0])], lists[0])
            self.assertIn("grab", [event["kind"] for event in lists[1]])

    def test_an_observer_that_does_not_read_delays_no_other_and_gets_the_newest_row_next(self):
        boxes = [{"name": f"box{k}", "material": "steel", "shape": {"kind": "box", "size": [2, 2, 2]},
                  "position": [20 * k, 0, 0]} for k in range(1000)]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        scene = Path(folder.name) / "boxes.json"
        scene.write_text(json.dumps({"tenon": 1, "title": "Boxes that fall", "unit": "mm", "duration_s": 1,
                                     "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
                                     "parts": boxes}), encoding="utf-8")
        with self.client.simulation(scene) as simulation:
            silent = WebSocket(self.page, simulation.id, receive_buffer=2048)
            reading = WebSocket(self.page, simulation.id)

            def next_row(observer, rows):
                message = observer.receive()
                while not isinstance(message, bytes):
                    message = observer.receive()
                rows.add(message)
                return len(message)

            rows, sent = Rows(), 0
            for step in range(1, 101):
                simulation.step(1)
                while not rows.row or rows.row[0] < step:
                    sent += next_row(reading, rows)
            self.assertGreater(sent, 500_000, "many times what the buffers hold")
            rows, received = Rows(), 0
            while not rows.row or rows.row[0] < 100:
                next_row(silent, rows)
                received += 1
            self.assertLess(received, 50, "it has missed the others")
            silent.close()
            reading.close()

    def test_half_a_request_is_given_up(self):
        address = urlparse(self.page)
        halves = [b"", b"GET /data/list HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "]
        connections = []
        for half in halves:
            connections.append(sockets.create_connection((address.hostname, address.port)))
            connections[-1].sendall(half)
        for connection in connections:
            self.assertEqual(connection.recv(1), b"")  # the server closes it; without a limit this waits forever
            connection.close()

    def test_too_many_connections_are_refused_and_others_go_on(self):
        address = urlparse(self.page)

        def connections(count, source):
            return [sockets.create_connection((address.hostname, address.port), timeout=60, source_address=(source, 0))
                    for _ in range(count)]

        def closed(some):
            count = 0
            for connection in some:
                try:
                    count += connection.recv(1) == b""
                except ConnectionResetError:
                    count += 1
            return count

        # An address has its share, and leaves the rest to others: the next 4 are answered so, then no more are.
        many = connections(220, "127.0.0.2")
        self.assertEqual(closed(many[196:]), 24)
        for refused, method in zip(many[192:196], ("GET", "GET", "GET", "HEAD")):
            refused.sendall(f"{method} /too-many HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            answer = b""
            while received := refused.recv(4096):
                answer += received
            self.assertTrue(answer.startswith(b"HTTP/1.1 503 "), answer)
            body = answer.partition(b"\r\n\r\n")[2]
            if method == "HEAD":
                self.assertEqual(body, b"")
            else:
                self.assertIn(b"too many connections are open", body)
        self.assertEqual(self.running.log_text().count('"path":"/too-many"'), 4)
        self.assertEqual(self.status("/data/list"), 200)
        many += connections(110, "127.0.0.3")
        self.assertEqual(closed(many[288:]), 42)
        for connection in many:
            connection.close()
        for _ in range(100):
            try:
                if self.status("/data/list") == 200:
                    return
            except (OSError, IndexError, ValueError):
                continue
        self.fail("no connection is free again")


class Tokens(unittest.TestCase):
    """With tokens: on loopback without TLS, and elsewhere with it."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.tokens = cls.folder / "tokens"
        cls.tokens.write_text("".join(f"{role} {role}r {token}\n" for role, token in TOKENS.items()), encoding="utf-8")
        cls.tokens.chmod(0o600)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                        "key.pem", "-out", "certificate.pem", "-days", "1000", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True, cwd=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_data_need_a_token_and_the_page_does_not(self):
        with server("--http", "127.0.0.1:0", "--tokens", str(self.tokens), listen="127.0.0.1:0") as running:
            client = tenon.connect(running.address, token=TOKENS["work"])
            simulation = client.simulation(SCENES / "bolt-in-plate.json")
            data = ("/data/list", "/metrics", f"/data/sessions/{simulation.id}", "/data/records/0000000000000000",
                    "/data/studies/0000000000000000", "/data/studies/0000000000000000/csv")
            for target in data:
                for headers in ({}, authorization("wrong-0123456789abcdef"), authorization(""), {"Authorization": "Basic eDp4"}):
                    status, fields, body = request(running.page, target, headers=headers)
                    self.assertEqual((status, fields["www-authenticate"]), (401, "bearer"))
                    self.assertNotIn(b"bolt", body)
            self.assertEqual(request(running.page, "/")[0], 200)
            self.assertEqual(request(running.page, "/data/list", headers=authorization(TOKENS["observe"]))[0], 200)
            for token in ("", "wrong-0123456789abcdef"):
                socket = WebSocket(running.page, simulation.id, token)
                self.assertRegex(socket.receive()["error"], "token")
                self.assertEqual(socket.receive(), ("close", 1008))
                socket.close()
            simulation.close()
            self.assertNotIn("0123456789abcdef", running.log_text().replace(simulation.id, ""))

    def test_other_addresses_have_tls(self):
        options = ["--certificate", str(self.folder / "certificate.pem"), "--key", str(self.folder / "key.pem"), "--tokens", str(self.tokens)]
        with server("--http", "0.0.0.0:0", *options) as running:
            port = running.page.rsplit(":", 1)[1]
            self.assertEqual(running.page, f"https://0.0.0.0:{port}")
            trust = ssl.create_default_context(cafile=self.folder / "certificate.pem")
            request_ = urllib.request.Request(f"https://localhost:{port}/data/list", headers=authorization(TOKENS["observe"]))
            with urllib.request.urlopen(request_, context=trust) as answer:
                self.assertEqual(json.load(answer)["client"], "observer")
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"https://localhost:{port}/data/list", context=trust)
            self.assertEqual(refused.exception.code, 401)
            offered = subprocess.run(["openssl", "s_client", "-connect", f"localhost:{port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
                                     input=b"", capture_output=True)
            self.assertIn(b"protocol version", offered.stderr)

    def test_clients_need_a_certificate_of_the_given_authority(self):
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=self.folder)

        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        for name in ("authority", "stranger"):
            openssl("req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "1000", "-subj", f"/CN={name}")
        openssl("req", *key, "-keyout", "client.key", "-out", "client.request", "-subj", "/CN=client")
        openssl("x509", "-req", "-in", "client.request", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days",
                "1000", "-out", "client.pem")
        file = {name: str(self.folder / name) for name in ("certificate.pem", "key.pem", "authority.pem", "client.pem", "client.key",
                                                           "stranger.pem", "stranger.key")}
        options = ["--certificate", file["certificate.pem"], "--key", file["key.pem"], "--tokens", str(self.tokens)]
        with server("--http", "0.0.0.0:0", *options, "--client-ca", file["authority.pem"], listen="0.0.0.0:0") as running:
            port = running.address.rsplit(":", 1)[1]
            access = {"token": TOKENS["work"], "authority": file["certificate.pem"]}
            client = tenon.connect(f"localhost:{port}", **access, certificate=file["client.pem"], key=file["client.key"])
            self.assertEqual(client.sessions(), [])
            page = f"https://localhost:{running.page.rsplit(':', 1)[1]}/data/list"
            trust = ssl.create_default_context(cafile=file["certificate.pem"])
            trust.load_cert_chain(file["client.pem"], file["client.key"])
            with urllib.request.urlopen(urllib.request.Request(page, headers=authorization(TOKENS["observe"])), context=trust) as answer:
                self.assertEqual(json.load(answer)["client"], "observer")
            # Browsers resume the session of their last connection.
            session = None
            for _ in range(2):
                with sockets.create_connection(("localhost", int(running.page.rsplit(":", 1)[1]))) as plain:
                    with trust.wrap_socket(plain, server_hostname="localhost", session=session) as connection:
                        self.assertEqual(connection.session_reused, session is not None)
                        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
                        session = connection.session
            for certificate, key in [("", ""), (file["stranger.pem"], file["stranger.key"])]:
                with self.assertRaisesRegex(tenon.SimulationError, "no server answers"):
                    tenon.connect(f"localhost:{port}", **access, certificate=certificate, key=key)
                trust = ssl.create_default_context(cafile=file["certificate.pem"])
                if certificate:
                    trust.load_cert_chain(certificate, key)
                with self.assertRaises((ssl.SSLError, urllib.error.URLError, ConnectionError)):
                    urllib.request.urlopen(urllib.request.Request(page, headers=authorization(TOKENS["observe"])), context=trust)

    def test_an_authority_that_is_none_is_refused_by_name(self):
        other = self.folder / "authority.txt"
        other.write_text("no certificate", encoding="utf-8")
        self.assertIn(f"{other}: is not a certificate; name a PEM file",
                      refusal("--listen", "127.0.0.1:0", "--data", str(self.folder / "data"), "--certificate",
                              str(self.folder / "certificate.pem"), "--key", str(self.folder / "key.pem"), "--client-ca", str(other)))

    def test_addresses_that_cannot_be(self):
        data = ["--data", str(self.folder / "data")]
        listen = ["--listen", "127.0.0.1:0", *data]
        self.assertIn("--http: 0.0.0.0:7180: can be reached by others; add --certificate, --key and --tokens",
                      refusal(*listen, "--http", "0.0.0.0:7180").replace('"', ""))
        self.assertIn("is a Unix socket, which browsers cannot open", refusal(*listen, "--http", "unix:/tmp/x"))
        self.assertIn("is not an address", refusal(*listen, "--http", "7180"))
        with server("--http", "127.0.0.1:0", listen="127.0.0.1:0") as running:
            taken = running.page.removeprefix("http://")
            self.assertIn("cannot be listened on (Address already in use); name another address", refusal(*listen, "--http", taken))


if __name__ == "__main__":
    unittest.main()
