// Cached meshes round-trip exactly, and damaged entries are rejected.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "content/recognize/recognized_cache.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

RecognizedPart someParts(int kind) {
  if (kind == 0)
    return recognize(repairMesh(test::turnedMesh({{0, 0}, {0, 0.004}, {0.05, 0.004}, {0.05, 0}}, 48)),
                     BoreRule::flats);
  return recognize(
      repairMesh(test::drilledMesh({test::polygon(0.015, 3 + kind), 0.012, 0.004, 0.0005, 0.007, 40})),
      BoreRule::flats);
}

TEST(RecognizedCache, RoundTripsExactly) {
  for (int kind = 0; kind < 4; ++kind) {
    const std::string text = toCacheText(someParts(kind));
    const auto back = fromCacheText(text);
    ASSERT_TRUE(back) << kind;
    EXPECT_EQ(toCacheText(*back), text);
  }
}

TEST(RecognizedCache, DamagedBytesAreRejected) {
  const std::string text = toCacheText(someParts(1));
  for (std::size_t k = 0; k < text.size(); k += 7) {
    std::string damaged = text;
    damaged[k] ^= 1;
    EXPECT_FALSE(fromCacheText(damaged)) << k;
    EXPECT_FALSE(fromCacheText(text.substr(0, k))) << k;
  }
  EXPECT_FALSE(readCache("", "0"));
  EXPECT_FALSE(readCache("/nonexistent", "0"));
}

// Valid checksums: what another program version or a person may have written.
TEST(RecognizedCache, PolyhedraRoundTripAndDamagedOnesAreRejected) {
  const RecognizedPart part = recognize(repairMesh(test::finnedMesh(0.005)), BoreRule::flats);
  const std::string text = toCacheText(part);
  const auto back = fromCacheText(text);
  ASSERT_TRUE(back && std::holds_alternative<physics::BoundarySolid>(back->shape));
  EXPECT_EQ(toCacheText(*back), text);
  const auto damaged = [&](auto damage) {
    nlohmann::json json = nlohmann::json::parse(text.substr(text.find('\n') + 1));
    damage(json["shape"]["triangles"]);
    return fromCacheText(withChecksum(json.dump()));
  };
  EXPECT_TRUE(damaged([](auto&) {}));
  EXPECT_FALSE(damaged([](auto& triangles) { triangles[0][1] = 99999; }));
  EXPECT_FALSE(damaged([](auto& triangles) { triangles[0][1] = -1; }));
  EXPECT_FALSE(damaged([](auto& triangles) { triangles.erase(0); }));
  EXPECT_FALSE(damaged([](auto& triangles) { triangles.clear(); }));
}

TEST(RecognizedCache, KeysDifferByMeshAndRule) {
  TriangleMesh mesh = test::turnedMesh({{0, 0}, {0, 0.004}, {0.05, 0.004}, {0.05, 0}}, 48);
  const std::string key = cacheKey(mesh, BoreRule::flats);
  EXPECT_EQ(cacheKey(mesh, BoreRule::flats), key);
  EXPECT_NE(cacheKey(mesh, BoreRule::vertices), key);
  EXPECT_NE(cacheKey(mesh, BoreRule::flats, ThreadRule::facets), key);
  mesh.vertices[7].x() = std::nextafter(mesh.vertices[7].x(), 1);
  EXPECT_NE(cacheKey(mesh, BoreRule::flats), key);
}

}  // namespace
}  // namespace tenon::content
