// Untrusted text is escaped.
#include "content/input/printable.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "content/input/wording.h"
#include "content/reader/load_scene.h"

namespace tenon::content {
namespace {

TEST(Printable, PlainTextStaysAsItIs) {
  for (const char* text : {"", "peg", "Ø8 × 30 µm – „Größe“ 螺栓 🔩", "C:\\new", "a\\x1b"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("\x1b[2Jpeg\r\n\t\x7f"), "\\u001b[2Jpeg\\u000d\\u000a\\u0009\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, DirectionAndInvisibleCharactersAreEscaped) {
  EXPECT_EQ(printable("peg\u202egnp.exe"), "peg\\u202egnp.exe");
  EXPECT_EQ(printable("\u2066a\u2069\u200b\ufeff\u2028"), "\\u2066a\\u2069\\u200b\\ufeff\\u2028");
  EXPECT_EQ(printable("\U000E0041"), "\\udb40\\udc41");
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("a\xff\xfe"), "a\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a surrogate pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
}

TEST(Printable, LineEndingsCanBePreservedAndEscapingIsIdempotent) {
  EXPECT_EQ(printable("a\nb\r", LineEndings::preserved), "a\nb\\u000d");
  const std::string once = printable("\x1b\xff\u202e");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, EscapesAreThoseOfJson) {
  const std::string name = "\x7f\u202e\U000E0041\u009b";
  EXPECT_EQ(nlohmann::json::parse('"' + printable(name) + '"'), name);
}

TEST(InputError, EscapesWhatItQuotes) {
  const InputError error("s\xff.json", "/parts/0/\u202e", "is \x1b[31m", "remove it\n");
  EXPECT_STREQ(error.what(), "s\\xff.json: /parts/0/\\u202e: is \\u001b[31m; remove it\\u000a");
}

TEST(InputError, LongBytesThatAreNotUtf8AreTruncatedNotDropped) {
  EXPECT_EQ(oneLine(std::string(100, '\x80'), 4), "\\x80…");
}

}  // namespace
}  // namespace tenon::content
