#!/usr/bin/env python3
"""Each rule of check_tree.py finds its violation in a small tree made for it, and nothing in a good one."""

import pathlib
import tempfile
import unittest

import check_tree

# Local names, and declarations that another file of the folder may have too.
OWN = """// Own.
namespace {
using Json = Ordered;
constexpr int kFirst = 1, kRounds = 5;
struct Cut {
};
void turned(int a) {
}
}  // namespace
int toText(int a) {
}
const char* nameOf(double a) {
}
"""
ALIKE = """// Alike.
namespace {
using Json = Ordered;
const char* text = "kRounds = 1";  // constexpr int kRounds = 5;
double rounds = 5 * kRounds;
}  // namespace
int toText(double a) {
}
const char* nameOf(int a) {
}
"""

PROTO = """// A contract.
syntax = "proto3";
package tenon.v1;
service Scenes {
  // Role: work.
  rpc Upload(stream Part) returns (Scene);
}
message Scene {
  string id = 1;  // hexadecimal digits
  repeated Part parts = 2;
  map<string, double> parameters = 3;
  oneof place {
    int32 shelf = 4;
  }
  optional double weight = 5;
}
message Part {}
"""
RECORDED = """tenon.v1.Scenes.Upload(stream tenon.v1.Part) returns (tenon.v1.Scene)
message tenon.v1.Scene
tenon.v1.Scene.id = 1 string
tenon.v1.Scene.parts = 2 repeated tenon.v1.Part
tenon.v1.Scene.parameters = 3 map<string, double>
tenon.v1.Scene.shelf = 4 oneof place int32
tenon.v1.Scene.weight = 5 optional double
message tenon.v1.Part
"""
CONTRACT = "runtime/service/tenon/v1/scenes.proto"

GOOD = {
    CONTRACT: PROTO,
    "tests/architecture/contract.txt": RECORDED,
    "CMakeLists.txt": "project(tenon)\n",
    ".github/workflows/ci.yml": "name: CI\n",
    "physics/README.md": "# Physics\n",
    "content/README.md": "# Content\n",
    "xr/README.md": "# XR\n",
    "runtime/README.md": "# Runtime\n",
    "tests/README.md": "# Tests\n",
    "physics/world.h": "// The world.\n#pragma once\n#include <map>\n",
    "physics/collision/bullet/adapter.cpp": '// Adapter.\n#include <bullet/btBulletCollisionCommon.h>\n',
    "content/step/reader/main.cpp": "// Reads.\n#include <gp_Pnt.hxx>\n",
    "content/load.cpp": '// Loads.\n#include "physics/world.h"\n',
    "xr/vulkan/probe.cpp": '// Queries.\n#include <vulkan/vulkan.hpp>\n',
    "runtime/main.cpp": '// Starts.\n#include "xr/vulkan/probe.h"\n',
    "runtime/record/own.cpp": OWN,
    "runtime/record/alike.cpp": ALIKE,
    "runtime/replay/own.cpp": OWN,
    "tests/physics/world_test.cpp": '// Tests.\n#include "physics/world.h"\n',
}

# rule, file, its text, what the message must contain
BAD = [
    ("arrows", "physics/a.cpp", '// A.\n#include "content/load.h"\n', "physics/a.cpp:2"),
    ("arrows", "content/a.cpp", '// A.\n  #  include <xr/view.h>\n', "content/a.cpp:2"),
    ("arrows", "runtime/a.cpp", '// A.\n#include "tests/support/rig.h"\n', "tests/support/rig.h"),
    ("circles", "xr/vulkan/a.cpp", '// A.\n#include "runtime/main.h"\n', "runtime, xr/vulkan"),
    ("bullet", "physics/collision/a.h", "// A.\n#pragma once\n#include <btBulletCollisionCommon.h>\n", ":3"),
    ("bullet", "content/a.cpp", "// A.\n#include <LinearMath/btVector3.h>\n", "LinearMath"),
    ("cad", "content/step/a.cpp", "// A.\n#include <gp_Pnt.hxx>\n", "content/step/reader"),
    ("graphics", "runtime/a.cpp", "// A.\n#include <vulkan/vulkan.h>\n", "xr/vulkan"),
    ("graphics", "xr/render/a.cpp", "// A.\n#include <openxr/openxr.h>\n", "xr/openxr"),
    ("layers", "xr/render/a.cpp", '// A.\n#include "content/parts/display_mesh.h"\n', "xr/render/a.cpp:2"),
    ("layers", "xr/vulkan/a.cpp", '// A.\n#include "xr/openxr/xr_frame.h"\n', "xr/vulkan/a.cpp:2"),
    ("colors", "runtime/a.cpp", "// A.\nconst ImVec4 kWarning(0.98f, 0.72f, 0.30f, 1);\n", "runtime/a.cpp:2"),
    ("colors", "xr/a.cpp", "// A.\nlist.AddLine(a, b, IM_COL32(255, 0, 0, 255));\n", "xr/a.cpp:2"),
    ("colors", "xr/a.cpp", '// A.\nImGui::TextColored({0.5f, 1, 0, 1}, "a");\n', "palette.h"),
    ("order", "physics/a.cpp", "// A.\n#include <unordered_map>\n", "unordered_map"),
    ("comments", "xr/a.cpp", "#include <map>\n", "xr/a.cpp:1"),
    ("comments", "xr/a.cpp", "", "xr/a.cpp:1"),
    ("headers", "xr/a.h", "// A.\nint a();\n", "pragma once"),
    ("lengths", "xr/a.cpp", "// A.\n" * 801, "801 lines"),
    ("names", "xr/BadName.cpp", "// A.\n", "snake_case"),
    ("names", "xr/string_utils.cpp", "// A.\n", "what it does"),
    ("names", "xr/a.cpp", "// A.\nclass SceneMan" "ager {};\n", "xr/a.cpp:2"),
    ("leftovers", "xr/a.cpp", "// A.\n// TO" "DO: later\n", "xr/a.cpp:2"),
    ("leftovers", "runtime/a.sh", "# A.\ncd /ho" "me/someone\n", "path of one machine"),
    ("usings", "xr/a.cpp", "// A: View.\nusing content::View;\nint a(other::View b);\n", "xr/a.cpp:2"),
    ("includes", "xr/a.cpp", "// A.\nstd::vector<int> a;\n", "xr/a.cpp:2"),
    ("includes", "xr/a.cpp", '// A.\n#include "physics/world.h"\n#include <Eigen/Core>\nEigen::Quaterniond a;\n', ":4"),
    ("local_names", "runtime/record/b.cpp", "// B.\nnamespace {\nconst double kRounds = 5;\n}  // namespace\n",
     "runtime/record/own.cpp:4"),
    ("local_names", "runtime/record/b.cpp", "// B.\nvoid b() {\n  constexpr double kRounds = 5;\n}\n", "b.cpp:3"),
    ("local_names", "runtime/record/b.cpp",
     "// B.\nnamespace {\n[[nodiscard]] std::map<int, int> turned(const B& b) {\n}\n}  // namespace\n", "b.cpp:3"),
    ("local_names", "runtime/record/b.cpp", "// B.\nint turned(const B& b) {\n}\n", "b.cpp:2"),
    ("local_names", "runtime/record/b.cpp", "// B.\nusing tenon::testing::turned;\n", "b.cpp:2"),
    ("local_names", "runtime/record/b.cpp", "// B.\nusing Cut = int;\n", "own.cpp:5"),
    ("local_names", "runtime/record/b.cpp", "// B.\n#define Cut 5\n", "own.cpp:5"),
    ("local_names", "runtime/record/z.cpp", "// Z.\nusing Json = Other;\n", "alike.cpp:3"),
    ("dialect", "xr/a.cpp", "// A.\n// Told.\n", "xr/a.cpp:2"),
    ("contract", CONTRACT, PROTO.replace("  string id = 1;", ""), "contract.txt:3: tenon.v1.Scene.id has been removed"),
    ("contract", CONTRACT, PROTO.replace("id = 1", "id = 6"), "was '1 string', is '6 string'"),
    ("contract", CONTRACT, PROTO.replace("string id", "bytes id"), "was '1 string', is '1 bytes'"),
    ("contract", CONTRACT, PROTO.replace("repeated Part", "Part"), "tenon.v1.Scene.parts was"),
    ("contract", CONTRACT, PROTO.replace("<string, double>", "<string, float>"), "tenon.v1.Scene.parameters was"),
    ("contract", CONTRACT, PROTO.replace("optional double", "double"), "tenon.v1.Scene.weight was"),
    ("contract", CONTRACT, PROTO.replace("oneof place", "oneof spot"), "tenon.v1.Scene.shelf was"),
    ("contract", CONTRACT, PROTO.replace("(stream Part)", "(Part)"), "tenon.v1.Scenes.Upload was"),
    ("contract", CONTRACT, PROTO.replace("rpc Upload", "rpc Store"), "tenon.v1.Scenes.Upload has been removed"),
    ("contract", CONTRACT, PROTO.replace("message Part {}", "message Piece {}"), "message tenon.v1.Part has been removed"),
    ("readmes", "xr/README.md", None, "xr/README.md"),
    ("toplevel", "scripts/a.py", "pass\n", "scripts/a.py:1: scripts belongs in"),
    ("toplevel", "Doxyfile", "QUIET = YES\n", "Doxyfile:1"),
]


def violations(rule_name, files):
    """What a rule says about a tree of these files (path -> text; None: leave it out)."""
    with tempfile.TemporaryDirectory() as directory:
        for path, text in files.items():
            if text is not None:
                target = pathlib.Path(directory, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
        return list(getattr(check_tree, rule_name)(check_tree.Tree(directory)))


class CheckTree(unittest.TestCase):
    def test_a_good_tree_passes_every_rule(self):
        for rule in check_tree.RULES:
            with self.subTest(rule=rule.__name__):
                self.assertEqual(violations(rule.__name__, GOOD), [])

    def test_every_rule_finds_its_violation(self):
        for rule, path, text, expected in BAD:
            with self.subTest(rule=rule, path=path):
                found = violations(rule, {**GOOD, path: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn(expected, found[0])

    def test_a_name_of_an_included_header_counts(self):
        header = {"runtime/record/b.h": "// B.\n#pragma once\ninline void turned() {\n}\n"}
        for include in ('"b.h"', '"runtime/record/b.h"'):
            source = {"runtime/record/b.cpp": f"// B.\n#include {include}\n"}
            found = violations("local_names", {**GOOD, **header, **source})
            self.assertEqual(len(found), 1, found)
            self.assertIn("runtime/record/b.h:3", found[0])
        self.assertEqual(violations("local_names", {**GOOD, **header}), [])

    def test_a_name_in_another_namespace_does_not_count(self):
        for namespace, count in (("tenon::a", 1), ("tenon::b", 0)):
            text = "// A.\nnamespace {}\nnamespace {{\nint turns = 5;\n}}  // namespace\n}}  // namespace\n"
            files = {
                "runtime/replay/a.cpp": text.format("tenon::a {"),
                "runtime/replay/b.cpp": text.format(namespace + " {"),
            }
            self.assertEqual(len(violations("local_names", {**GOOD, **files})), count, namespace)

    def test_a_name_within_a_namespace_of_its_own_does_not_count(self):
        text = "// B.\nnamespace tenon {\nnamespace reason {\nconstexpr int kRounds = 5;\n}  // namespace reason\n}  // namespace tenon\n"
        self.assertEqual(violations("local_names", {**GOOD, "runtime/record/b.cpp": text}), [])

    def test_no_rule_is_untested(self):
        self.assertEqual({rule.__name__ for rule in check_tree.RULES}, {bad[0] for bad in BAD})

    def test_a_contract_may_grow(self):
        grown = PROTO.replace("string id = 1;", "string id = 1; string name = 6;").replace(
            "message Part {}", "message Part {} message Hand { enum Side { LEFT = 0; } Side side = 1; }")
        self.assertEqual(violations("contract", {**GOOD, CONTRACT: grown}), [])

    def test_dialect_is_counted_in_prose_and_not_in_code_or_keys(self):
        counts = {
            "// A.\n// Nobody is\n// told; it lets go.\n": 3,
            'f("Told");\nf("it was told");\nf("\\"told\\" twice");\n': 2,  # a key, and two sentences
            "int told = asked;  // `told`, the always retold\n": 0,
            "const char c = '\"'; int told; f(\"it asks\");\n": 1,
            "/* Poses that are none;\n   somebody knows: there are none. */\n": 3,
            "TEST(Jam, isToldWhy) {\nTEST_F(Crowd,\n       AGoodTest) { int told; }\n": 2,
        }
        for text, count in counts.items():
            with self.subTest(text=text):
                self.assertEqual(len(self.words("xr/a.cpp", text)), count)
        self.assertEqual(len(self.words("xr/a.md", "It knows.\n`told`\n```\nthis is told\n```\n")), 1)
        self.assertRegex(self.words("xr/a.md", "```\ntold\n```\nknows\n")[0], "^xr/a.md:4: 'knows'")

    def words(self, path, text):
        return violations("dialect", {path: text})

    def test_no_rule_is_untested(self):
        self.assertEqual({rule.__name__ for rule in check_tree.RULES}, {bad[0] for bad in BAD})


if __name__ == "__main__":
    unittest.main()
