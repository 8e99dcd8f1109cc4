// Names the two features in contact of a pair of convex parts.
#pragma once

#include <cstdint>

namespace tenon::physics {

/// Which kinds of features are in contact. Kinds with a side count from side 0: see onSide().
enum FeatureKind : std::uint64_t {
  kVertexOnFace = 0,  ///< + side that has the face
  kEdgeOnFace = 2,    ///< + side that has the face
  kEdgeOnSide = 4,    ///< + side that has the edge
  kCoreOnSide = 6,    ///< + side that has the core
  kRimOnSide = 8,     ///< + side that has the curved side
  kCrossingAxes = 10,
  kCores = 11,
  kSearched = 12,
  kNearestFace = 13,
  kVertexOnSide = 14,  ///< + side that has the vertex
};

/// `kind` for side 0 or 1.
constexpr FeatureKind onSide(FeatureKind kind, int side) {
  return static_cast<FeatureKind>(kind + static_cast<std::uint64_t>(side));
}

/// A feature of one convex part, or which of several contacts of the same features.
enum class FeatureIndex : std::uint16_t {};

/// The feature pair of a contact between two convex parts.
struct FeatureId {
  FeatureKind kind = kVertexOnFace;
  FeatureIndex first{};   ///< of the feature that the kind names a side for; otherwise the ordinal
  FeatureIndex second{};  ///< of the other feature, or the ordinal among the contacts of `first`

  constexpr FeatureId(FeatureKind itsKind, int itsFirst, int itsSecond)
      : kind(itsKind),
        first(static_cast<FeatureIndex>(itsFirst)),
        second(static_cast<FeatureIndex>(itsSecond)) {}

  /// Contact::feature for the parts of these indices: 14 bits each for the parts, 4 for the kind, 16 for each
  /// index.
  constexpr std::uint64_t bits(int part0, int part1) const {
    return static_cast<std::uint64_t>(part0) << 50 | static_cast<std::uint64_t>(part1) << 36 |
           static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint64_t>(first) << 16 |
           static_cast<std::uint64_t>(second);
  }
};

}  // namespace tenon::physics
