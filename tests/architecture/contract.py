#!/usr/bin/env python3
"""The network contract, one line per message field, enum value and call, so that later versions can be compared.

Usage: contract.py PROTO... > contract.txt

A field is `package.Message.name = number label type`, a call `package.Service.Call(request) returns (response)`.
"""

import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|[\w.]+|[^\s\w]', re.DOTALL)
SCALARS = {"double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64",
           "sfixed32", "sfixed64", "bool", "string", "bytes"}


class Reader:
    """Reads the declarations of a .proto file; everything it does not handle is an error."""

    def __init__(self, path):
        self.path = path
        text = pathlib.Path(path).read_text(encoding="utf-8")
        self.tokens = [t for t in TOKEN.findall(text) if not t.startswith(("//", "/*"))]
        self.lines = []
        self.package = ""

    def next(self, expected=None):
        token = self.tokens.pop(0)
        if expected is not None and token != expected:
            raise ValueError(f"{self.path}: '{token}' stands where '{expected}' is expected")
        return token

    def skip_statement(self):
        while self.next() != ";":
            pass

    def read(self):
        while self.tokens:
            word = self.next()
            if word == "package":
                self.package = self.next() + "."
                self.next(";")
            elif word in ("syntax", "import", "option"):
                self.skip_statement()
            elif word == "message":
                self.message(self.package)
            elif word == "enum":
                self.enum(self.package)
            elif word == "service":
                self.service()
            elif word != ";":
                raise ValueError(f"{self.path}: '{word}' is no declaration")
        return self.lines

    def message(self, scope):
        scope += self.next() + "."
        self.lines.append(f"message {scope[:-1]}")
        self.next("{")
        self.fields(scope, "")

    def fields(self, scope, group):
        """Fields up to the closing brace; `group`: their oneof."""
        while (word := self.next()) != "}":
            if word == "message":
                self.message(scope)
            elif word == "enum":
                self.enum(scope)
            elif word == "oneof":
                name = self.next()
                self.next("{")
                self.fields(scope, f"oneof {name} ")
            elif word in ("reserved", "option"):
                self.skip_statement()
            elif word != ";":
                self.field(scope, group, word)

    def field(self, scope, group, word):
        label = f"{word} " if word in ("repeated", "optional") else group
        kind = self.next() if label and not group else word
        if kind == "map":
            self.next("<")
            key = self.next()
            self.next(",")
            kind = f"map<{key}, {self.qualified(self.next())}>"
            self.next(">")
        else:
            kind = self.qualified(kind)
        name = self.next()
        self.next("=")
        self.lines.append(f"{scope}{name} = {self.next()} {label}{kind}")
        self.skip_statement()

    def qualified(self, kind):
        return kind if kind in SCALARS or "." in kind else self.package + kind

    def enum(self, scope):
        scope += self.next() + "."
        self.next("{")
        while (word := self.next()) != "}":
            if word in ("reserved", "option"):
                self.skip_statement()
                continue
            self.next("=")
            self.lines.append(f"{scope}{word} = {self.next()} value")
            self.skip_statement()

    def service(self):
        scope = self.package + self.next() + "."
        self.next("{")
        while (word := self.next()) != "}":
            if word != "rpc":
                self.skip_statement()
                continue
            name, types = self.next(), []
            for _ in range(2):
                self.next("(")
                stream = self.next()
                types.append("stream " + self.qualified(self.next()) if stream == "stream" else self.qualified(stream))
                self.next(")")
                if len(types) == 1:
                    self.next("returns")
            self.lines.append(f"{scope}{name}({types[0]}) returns ({types[1]})")
            if self.next() == "{":
                while self.next() != "}":
                    pass


def declarations(paths):
    """The lines of these .proto files."""
    return [line for path in paths for line in Reader(path).read()]


def subject(line):
    """What a line declares: the name of a field, message or call."""
    return re.split(r" = |\(", line)[0]


def breaks(recorded, present):
    """(subject, what is wrong) of every recorded line that clients rely on and that has gone or changed."""
    now = {subject(line): line for line in present}
    for line in recorded:
        name = subject(line)
        if now.get(name) == line:
            continue
        was = line.removeprefix(name).strip(" =")
        if name in now:
            yield name, f"was '{was}', is '{now[name].removeprefix(name).strip(' =')}'; add another one instead"
        else:
            yield name, "has been removed; keep it"


if __name__ == "__main__":
    print("\n".join(declarations(sys.argv[1:])))
