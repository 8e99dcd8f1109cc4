#!/usr/bin/env python3
"""batches.py keeps files apart whose names clash, and no others."""

import pathlib
import tempfile
import unittest

import batches

OWN_CONSTANT = "namespace a {\nnamespace {\nconstexpr int kFirst = 1, kRounds = 5;\n}  // namespace\n}\n"


def batch_of_each(files):
    """Batch by name of file, for files of these texts."""
    with tempfile.TemporaryDirectory() as directory:
        paths = [pathlib.Path(directory, name) for name in files]
        for path in paths:
            path.write_text(files[path.name], encoding="utf-8")
        return {pathlib.Path(path).name: number for number, path in batches.batches(map(str, paths))}


def together(one, two):
    placed = batch_of_each({"one.cpp": one, "two.cpp": two})
    return placed["one.cpp"] == placed["two.cpp"]


class Batches(unittest.TestCase):
    def test_files_with_names_of_their_own_come_together(self):
        self.assertTrue(together(OWN_CONSTANT, "namespace {\nint kSteps = 5;\n}  // namespace\n"))

    def test_two_constants_of_one_name_come_apart(self):
        self.assertFalse(together(OWN_CONSTANT, "namespace {\nconst double kRounds = 5;\n}  // namespace\n"))

    def test_a_constant_and_one_of_a_function_come_apart(self):
        self.assertFalse(together(OWN_CONSTANT, "void a() {\n  constexpr double kRounds = 5;\n}\n"))
        self.assertTrue(together(OWN_CONSTANT, "void a() {\n  const double rounds = 5 * kRounds;\n}\n"))

    def test_two_functions_of_one_name_come_apart(self):
        text = "namespace {\n[[nodiscard]] std::map<int, int> turned(const A& a) {\n}\n}  // namespace\n"
        self.assertFalse(together(text, "namespace {\nvoid turned(int) {\n}\n}  // namespace\n"))

    def test_a_hidden_name_and_a_shared_one_come_apart(self):
        self.assertFalse(together("namespace {\nvoid turned() {}\n}  // namespace\n", "int turned(int a) {\n}\n"))

    def test_overloads_of_a_shared_function_come_together(self):
        self.assertTrue(together("int toText(int a) {\n}\n", "int toText(double a) {\n}\n"))

    def test_types_aliases_and_macros_come_apart(self):
        for first in ("struct Cut {\n};\n", "using Cut = int;\n", "#define Cut 5\n"):
            self.assertFalse(together(f"namespace {{\n{first}}}  // namespace\n", "struct Cut {\n};\n"), first)

    def test_a_name_in_a_comment_or_string_does_not_count(self):
        self.assertTrue(together(OWN_CONSTANT, '// constexpr int kRounds = 5;\nconst char* a = "kRounds = 1";\n'))

    def test_a_name_of_an_included_header_counts(self):
        header = min(batches.ROOT.glob("physics/math/*.h")).relative_to(batches.ROOT)
        name = sorted(batches.names(batches.ROOT / header)[1])[0]
        own = f"namespace {{\nvoid {name}() {{}}\n}}  // namespace\n"
        self.assertFalse(together(own, f'#include "{header}"\n'))

    def test_a_name_of_a_header_beside_the_file_counts(self):
        files = {
            "one.h": "inline void turned() {}\n",
            "one.cpp": '#include "one.h"\n',
            "two.cpp": "namespace {\nvoid turned() {}\n}  // namespace\n",
        }
        with tempfile.TemporaryDirectory() as directory:
            for name, text in files.items():
                pathlib.Path(directory, name).write_text(text, encoding="utf-8")
            placed = batches.batches([f"{directory}/one.cpp", f"{directory}/two.cpp"])
        self.assertEqual(len({number for number, _ in placed}), 2)

    def test_a_name_used_of_another_namespace_and_a_hidden_one_come_apart(self):
        used = "using tenon::testing::sceneOf;\nusing tenon::Json;\n"
        self.assertFalse(together(used, "namespace {\nint sceneOf(int a) {\n}\n}  // namespace\n"))
        self.assertTrue(together(used, used))

    def test_a_batch_is_not_endless(self):
        self.assertFalse(together("\n" * batches.LINES, "\n" * 2))


if __name__ == "__main__":
    unittest.main()
