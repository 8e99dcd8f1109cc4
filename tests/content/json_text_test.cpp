// Edits of a JSON text keep every byte that they do not concern, comments too, and give valid JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "content/edit/json_style.h"
#include "content/edit/json_text.h"
#include "content/input/input_error.h"
#include "content/input/parse_json.h"

namespace tenon::content::test::json_text_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kText = R"(// top
{
  "title": "a", // of it
  "unit": "mm", "rate": 1,
  /* the list */
  "parts": [
    // first
    {"name": "one", "position": [1, "=2 + x", 3]}, // behind one
    {"name": "two"}  /* behind two */
  ], "empty": [], "none": {
    // nothing yet
  }
}
)";

JsonText text() {
  return {kText, "test"};
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string all = kText;
  return all.replace(all.find(from), from.size(), to);
}

TEST(JsonText, AValueIsReplacedInItsPlace) {
  JsonText edited = text();
  edited.set("/parts/0/position/0", 7.5);
  EXPECT_EQ(edited.text(), replaced("[1, \"=2", "[7.5, \"=2"));
}

TEST(JsonText, AnElementIsAppendedOnItsOwnLineBehindComments) {
  JsonText edited = text();
  edited.append("/parts", {{"name", "three"}});
  EXPECT_EQ(edited.text(), replaced("{\"name\": \"two\"}  /* behind two */",
                                    "{\"name\": \"two\"},  /* behind two */\n    {\"name\": \"three\"}"));
}

TEST(JsonText, EmptyContainersAreFilled) {
  JsonText edited = text();
  edited.append("/empty", {{"a", 1}});
  edited.set("/none/b", true);
  EXPECT_NE(edited.text().find("\"empty\": [\n    {\"a\": 1}\n  ]"), std::string::npos) << edited.text();
  EXPECT_NE(edited.text().find("{\n    // nothing yet\n    \"b\": true\n  }"), std::string::npos)
      << edited.text();
}

TEST(JsonText, AMemberIsInsertedInTheOrderOfTheFields) {
  constexpr std::array<std::string_view, 5> kOrder{"title", "description", "unit", "rate", "parts"};
  JsonText edited = text();
  edited.set("/description", "d", kOrder);
  EXPECT_EQ(edited.text(), replaced("// of it\n", "// of it\n  \"description\": \"d\",\n"));
  JsonText inLine = text();
  inLine.set("/parts/0/kind", "k", std::array<std::string_view, 3>{"name", "kind", "position"});
  EXPECT_EQ(inLine.text(), replaced("\"one\", ", "\"one\", \"kind\": \"k\", "));
}

TEST(JsonText, ARemovedElementTakesItsLineAndLeavesTheOthers) {
  JsonText first = text();
  first.remove("/parts/0");
  EXPECT_EQ(first.text(),
            replaced("    {\"name\": \"one\", \"position\": [1, \"=2 + x\", 3]}, // behind one\n", ""));
  JsonText last = text();
  last.remove("/parts/1");
  EXPECT_EQ(last.text(),
            replaced("}, // behind one\n    {\"name\": \"two\"}  /* behind two */", "} // behind one"));
  JsonText inLine = text();
  inLine.remove("/unit");
  EXPECT_EQ(inLine.text(), replaced("\"unit\": \"mm\", ", ""));
  inLine.remove("/parts/0/position");
  inLine.remove("/parts/0/name");
  EXPECT_NE(inLine.text().find("    {}, // behind one"), std::string::npos) << inLine.text();
}

TEST(JsonText, NamesWithSlashesAndTildesAreFound) {
  JsonText edited(R"({"a/b": {"~1": 1, "\"q\"": 2}})", "test");
  edited.set("/a~1b/~01", 5);
  edited.remove("/a~1b/\"q\"");
  EXPECT_EQ(edited.text(), R"({"a/b": {"~1": 5}})");
}

TEST(JsonText, BadTextIsRejectedWithItsPlace) {
  EXPECT_THROW(JsonText("{\"a\": }", "file.json"), InputError);
}

TEST(JsonStyle, LinesAreShortAndNumbersPlain) {
  EXPECT_EQ(styled({{"p", {number(0.1 + 0.2), number(-3.0), number(1e-13)}}}, 0, 0),
            R"({"p": [0.3, -3, 0]})");
  const Json longOne = {{"name", std::string(80, 'x')}, {"shape", {{"kind", "box"}, {"size", {1, 2, 3}}}}};
  const std::string lines = styled(longOne, 4, 4);
  EXPECT_NE(lines.find("\n      \"shape\": {\"kind\": \"box\", \"size\": [1, 2, 3]}\n    }"),
            std::string::npos)
      << lines;
  EXPECT_EQ(Json::parse(lines), longOne);
}

/// A random value without empty names.
Json randomValue(std::mt19937& random, int depth) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  switch (depth <= 0 ? below(3) : below(5)) {
    case 0:
      return below(1000);
    case 1:
      return std::string(static_cast<std::size_t>(below(30)), 'x') + "\" , ] } // /* \\ ü";
    case 2:
      return below(2) == 0;
    case 3: {
      Json array = Json::array();
      for (int k = below(4); k > 0; --k) array.push_back(randomValue(random, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (int k = below(4); k > 0; --k)
        object["m" + std::to_string(below(9))] = randomValue(random, depth - 1);
      return object;
    }
  }
}

/// The text with comments and line breaks at random places between tokens.
std::string withComments(const std::string& text, std::mt19937& random) {
  std::string out;
  bool inString = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"' && (k == 0 || text[k - 1] != '\\')) inString = !inString;
    out += text[k];
    if (inString || std::string_view(",[]{}").find(text[k]) == std::string_view::npos) continue;
    constexpr std::array<const char*, 6> kBetween{"", "", " ", "\n  ", " // c ] , }\n", " /* \" [ */ "};
    out += kBetween[random() % kBetween.size()];
  }
  return out;
}

std::size_t commentsIn(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("/* \" [ */"); at != text.npos; at = text.find("/* \" [ */", at + 1))
    ++count;
  return count;
}

TEST(JsonText, RandomEditsDoWhatTheSameEditsOfTheTreeDo) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Json tree = {{"list", randomValue(random, 3)}, {"more", Json::array()}};
    if (!tree["list"].is_array()) tree["list"] = Json::array({tree["list"]});
    JsonText edited(withComments(tree.dump(), random), "test");
    for (int k = 0; k < 6; ++k) {
      const Json added = randomValue(random, 2);
      const std::size_t comments = commentsIn(edited.text());
      if (random() % 3 == 0) {
        edited.append("/list", added);
        tree["list"].push_back(added);
        EXPECT_EQ(commentsIn(edited.text()), comments);
      } else if (!tree["list"].empty() && random() % 2 == 0) {
        const std::size_t at = random() % tree["list"].size();
        edited.remove("/list/" + std::to_string(at));
        tree["list"].erase(at);
      } else {
        const std::string name = "new" + std::to_string(random() % 3);
        edited.set("/" + name, added);
        tree[name] = added;
      }
      ASSERT_NO_THROW(parseJson(edited.text(), "test")) << edited.text();
      ASSERT_EQ(parseOrderedJson(edited.text(), "test"), tree) << edited.text();
    }
  }
}

}  // namespace
}  // namespace tenon::content::test::json_text_test
