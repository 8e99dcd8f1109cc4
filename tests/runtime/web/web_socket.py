"""A WebSocket of a test, over plain sockets: reads as slowly as a test does, and sends what no browser would."""

import base64
import json
import os
import socket
import struct
from urllib.parse import urlparse


def request(page, target, *, method="GET", headers=None, drop=(), raw=None):
    """(status, headers, body) of one HTTP request. `headers` replace those of a browser, `drop` leaves some out."""
    address = urlparse(page)
    fields = {"Host": address.netloc, "Connection": "close", **(headers or {})}
    text = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items() if k not in drop) + "\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall(raw if raw is not None else text.encode())
        data = b""
        while chunk := connection.recv(1 << 16):
            data += chunk
    return parsed(data)


def parsed(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), fields, body


class WebSocket:
    """Opens a session's frames. Raises ConnectionRefusedError with (status, body) where the server refuses."""

    def __init__(self, page, session, token="", *, headers=None, receive_buffer=None):
        address = urlparse(page)
        self.socket = socket.socket()
        self.socket.settimeout(60)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect((address.hostname, address.port))
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": address.netloc, "Origin": page, "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        self.socket.sendall((f"GET /data/sessions/{session}/live HTTP/1.1\r\n" +
                             "".join(f"{k}: {v}\r\n" for k, v in fields.items()) + "\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        if status != 101:
            self.socket.close()
            raise ConnectionRefusedError(status, (self.buffer or b"").decode())
        if token is not None:
            self.send({"token": token})

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError("closed")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, message):
        self.send_bytes(1, json.dumps(message).encode())

    def send_bytes(self, kind, data):
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + bytes(b ^ mask[k % 4] for k, b in enumerate(data)))

    def receive(self):
        """The next message: an object, the bytes of a frame, or ("close", code)."""
        whole, opcode = b"", 0
        while True:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            data = self._take(length)
            kind = first & 15
            if kind <= 2:  # a message, or a part of one
                opcode = kind or opcode
                whole += data
                if first & 0x80:
                    return json.loads(whole) if opcode == 1 else whole
            if kind == 8:
                return "close", struct.unpack(">H", data[:2])[0]
            if kind == 9:
                self.send_bytes(10, data)

    def close(self):
        self.socket.close()


class Rows:
    """Decodes frames."""

    def __init__(self):
        self.row = []

    def add(self, data):
        numbers, value, shift = [], 0, 0
        for byte in data:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
        assert shift == 0 and numbers[0] == len(numbers) - 1
        steps = [n // 2 if n % 2 == 0 else -(n + 1) // 2 for n in numbers[1:]]
        before = self.row + [0] * max(len(steps) - len(self.row), 0)
        self.row = [a + b for a, b in zip(before, steps)]
        return self.row
