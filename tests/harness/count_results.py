#!/usr/bin/env python3
"""Counts the tests in a JUnit file of CTest.

Usage: count_results.py FILE ALLOWED

Prints `passed failed skipped` on the first line, then one line for each test that failed or was
skipped, with the reason, and the end of what the first failed tests printed. A skipped test that the file
ALLOWED does not name, with its reason, has failed. Exit code 1 where a file cannot be read or FILE holds no test.
"""

import fnmatch
import re
import sys
import xml.etree.ElementTree as tree

SHOWN_FAILURES = 10  # tests whose output is shown
SHOWN_LINES = 40  # of each

# What a failure looks like in a test's output, most specific first.
FAILURES = [
    r"runtime error: .*",
    r"ERROR: \w+Sanitizer: .*",
    r"WARNING: ThreadSanitizer: .*",
    r"\S+:\d+: Failure\n.*",
]


def skip_reason(output):
    """What the test gave GTEST_SKIP(), or the first line it printed."""
    found = re.search(r": Skipped\n(.*)", output)
    if found:
        return found.group(1).strip()
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"


def failure_reason(output, message):
    """The first sign of trouble in the output, else what CTest says."""
    for pattern in FAILURES:
        found = re.search(pattern, output)
        if found:
            return found.group(0).replace("\n", " ")
    return message or "ended without saying why"


def read_allowed(path):
    """(pattern of a name, words of the reason) of every line."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split(None, 1) for line in file if line.strip() and not line.startswith("#")]
    return [(pattern, words.strip()) for pattern, words in lines]


def is_allowed(name, reason, allowed):
    """True for a test that may be skipped for this reason."""
    return any(fnmatch.fnmatchcase(name, pattern) and words in reason for pattern, words in allowed)


def verdict(case):
    """('passed' | 'failed' | 'skipped', reason) of one <testcase>."""
    output = case.findtext("system-out") or ""
    failure = case.find("failure")
    if failure is not None or case.get("status") == "fail":
        message = failure.get("message") if failure is not None else ""
        return "failed", failure_reason(output, message)
    skipped = case.find("skipped")
    if case.get("status") == "run" and skipped is None:
        return "passed", ""
    message = (skipped.get("message") if skipped is not None else "") or ""
    if case.get("status") == "disabled":
        return "skipped", "disabled in the source"
    if message.startswith("SKIP_"):
        return "skipped", skip_reason(output)
    return "failed", message or "did not run"  # a test that was meant to run and is missing


def count(path, allowed):
    """Totals by verdict and the lines to show."""
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    lines = []
    details = []
    for case in tree.parse(path).getroot().iter("testcase"):
        outcome, reason = verdict(case)
        if outcome == "skipped" and not is_allowed(case.get("name"), reason, allowed):
            outcome, reason = "failed", f"skipped, which tests/harness/allowed_skips.txt does not allow: {reason}"
        totals[outcome] += 1
        if outcome != "passed":
            lines.append(f"  {outcome}: {case.get('name')}: {reason}")
        if outcome == "failed" and totals["failed"] <= SHOWN_FAILURES:
            details.append(f"  --- {case.get('name')}")
            output = (case.findtext("system-out") or "").rstrip().splitlines()
            details += ["  | " + line for line in output[-SHOWN_LINES:]]
    return totals, lines + details


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        totals, lines = count(arguments[0], read_allowed(arguments[1]))
    except (OSError, ValueError, tree.ParseError) as error:
        print(f"count_results.py: {error}", file=sys.stderr)
        return 1
    if not sum(totals.values()):
        print(f"count_results.py: {arguments[0]} holds no test", file=sys.stderr)
        return 1
    print(totals["passed"], totals["failed"], totals["skipped"])
    print("\n".join(lines), end="\n" if lines else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
