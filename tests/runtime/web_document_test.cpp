// The page for browsers without a browser: its numbers as bytes, its size, and that it stands alone. What it
// shows is compared in tests/runtime/web.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/web/number_track.h"
#include "runtime/web/stream_table.h"
#include "runtime/web/web_page.h"
#include "tests/runtime/session_file.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

/// What decode.js does.
std::int64_t takeSigned(const std::string& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(at++));
    value |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) break;
  }
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

TEST(WebNumbers, SignedNumbersOfAnySizeComeBack) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{63}, std::int64_t{-64},
                                   std::int64_t{64}, std::int64_t{1} << 52, -(std::int64_t{1} << 52)}) {
    std::string bytes;
    runtime::appendSigned(bytes, value);
    std::size_t at = 0;
    EXPECT_EQ(takeSigned(bytes, at), value);
    EXPECT_EQ(at, bytes.size());
  }
  std::string small;
  runtime::appendSigned(small, -64);
  EXPECT_EQ(small.size(), 1U);
}

TEST(WebNumbers, ASmoothSeriesComesBackWithinHalfAQuantumAndCostsAByteANumber) {
  constexpr double kQuantum = 1e-6;
  runtime::NumberTrack track(kQuantum, runtime::Prediction::linear);
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(0.1 * std::sin(0.01 * k));
  for (const double value : values) track.add(value);
  std::size_t at = 0;
  std::int64_t last = 0, step = 0;
  for (const double value : values) {
    step += takeSigned(track.bytes(), at);
    last += step;
    EXPECT_LE(std::abs(static_cast<double>(last) * kQuantum - value), 0.5001 * kQuantum);
  }
  EXPECT_LT(track.bytes().size(), 1100U);
}

TEST(WebNumbers, ValuesBeyondWhatABrowserCountsAreLimited) {
  EXPECT_EQ(runtime::quantized(1e30, 1e-6), std::int64_t{1} << 50);
  EXPECT_EQ(runtime::quantized(-1e30, 1e-6), -(std::int64_t{1} << 50));
  // The largest difference of the prediction, as an unsigned number, is exact in a double.
  runtime::NumberTrack track(1, runtime::Prediction::linear);
  for (const double value : {1e30, -1e30, 1e30}) track.add(value);
  std::size_t at = 0;
  std::int64_t largest = 0;
  while (at < track.bytes().size()) largest = std::max(largest, std::abs(takeSigned(track.bytes(), at)));
  EXPECT_LE(2 * largest, std::int64_t{1} << 53);
}

TEST(WebNumbers, EqualStreamsAreStoredOnce) {
  runtime::StreamTable streams;
  EXPECT_EQ(streams.add("abc"), 0);
  EXPECT_EQ(streams.add("de"), 1);
  EXPECT_EQ(streams.add("abc"), 0);
  EXPECT_EQ(streams.bytes(), "abcde");
  EXPECT_EQ(streams.ranges().size(), 2U);
}

TEST(WebPage, StandsAlone) {
  const TemporaryFolder folder;
  record("bolt-in-plate", "0.3", folder / "s.tenon");
  const Outcome outcome =
      runTenon({"export", folder / "s.tenon", "--format", "web", "--out", folder / "s.html"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  std::ifstream file(folder / "s.html");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_NE(page.find("<title>A screw into a plate</title>"), std::string::npos);
  for (const char* outside : {"src=", "href=\"http", "@import", "url(", "{{"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_LT(page.size(), 400000U);
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(WebPage, TheSameSessionGivesTheSameBytes) {
  EXPECT_EQ(runtime::webPage("title", "document"), runtime::webPage("title", "document"));
  EXPECT_NE(runtime::webPage("<&>", "document").find("<title>&lt;&amp;&gt;</title>"), std::string::npos);
}

}  // namespace
}  // namespace tenon::tests
