#!/usr/bin/env python3
"""count_results.py against CTest's JUnit files of every outcome."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("count_results.py")

PASSED = '<testcase name="a/A.Passes" status="run"><system-out>fine</system-out></testcase>'
FAILED = (
    '<testcase name="a/A.Fails" status="fail"><failure message=""/>'
    "<system-out>x_test.cpp:4: Failure\nExpected equality</system-out></testcase>"
)
SANITIZED = (
    '<testcase name="a/A.Races" status="fail"><failure message=""/>'
    "<system-out>WARNING: ThreadSanitizer: data race (pid=1)\nmore</system-out></testcase>"
)
SKIPPED = (
    '<testcase name="a/A.Skips" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
    "<system-out>x_test.cpp:5: Skipped\nno headset; connect one\n</system-out></testcase>"
)
DISABLED = '<testcase name="a/A.Off" status="disabled"><skipped message=""/></testcase>'
MISSING = (
    '<testcase name="b_NOT_BUILT" status="notrun"><skipped message="Unable to find executable"/></testcase>'
)


ALLOWED = "# may be skipped\na/A.Skips no headset\n*.Off   disabled\n"


def count(*cases, text=None, allowed=ALLOWED):
    """Exit code and lines of the script for a file of these test cases."""
    with tempfile.TemporaryDirectory() as directory:
        path, allowed_path = os.path.join(directory, "results.xml"), os.path.join(directory, "allowed.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if text is not None else f"<testsuite>{''.join(cases)}</testsuite>")
        with open(allowed_path, "w", encoding="utf-8") as file:
            file.write(allowed)
        command = [sys.executable, SCRIPT, path, allowed_path]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout.splitlines()


class CountResults(unittest.TestCase):
    def test_counts_each_outcome(self):
        code, lines = count(PASSED, PASSED, FAILED, SKIPPED, DISABLED)
        self.assertEqual(code, 0)
        self.assertEqual(lines[0], "2 1 2")

    def test_names_skipped_tests_with_their_reason(self):
        _, lines = count(SKIPPED, DISABLED)
        self.assertIn("  skipped: a/A.Skips: no headset; connect one", lines)
        self.assertIn("  skipped: a/A.Off: disabled in the source", lines)

    def test_a_skipped_test_that_is_not_allowed_has_failed(self):
        for allowed in ("", "a/A.Other no headset\n", "a/A.Skips no screen\n"):
            _, lines = count(PASSED, SKIPPED, allowed=allowed)
            self.assertEqual(lines[0], "1 1 0", allowed)
            self.assertIn("  failed: a/A.Skips: skipped, which tests/harness/allowed_skips.txt does not allow:"
                          " no headset; connect one", lines)

    def test_an_entry_without_a_reason_is_an_error(self):
        self.assertEqual(count(PASSED, allowed="a/A.Skips\n")[0], 1)

    def test_names_failures_with_their_first_sign(self):
        _, lines = count(FAILED, SANITIZED)
        self.assertIn("  failed: a/A.Fails: x_test.cpp:4: Failure Expected equality", lines)
        self.assertIn("  failed: a/A.Races: WARNING: ThreadSanitizer: data race (pid=1)", lines)
        self.assertIn("  | Expected equality", lines)

    def test_a_program_that_was_not_built_is_a_failure(self):
        _, lines = count(PASSED, MISSING)
        self.assertEqual(lines[0], "1 1 0")

    def test_no_result_is_an_error(self):
        self.assertEqual(count()[0], 1)
        self.assertEqual(count(text="not XML")[0], 1)


if __name__ == "__main__":
    unittest.main()
