// Solids that are kept with their surfaces: used as long as these are the same.
#include "physics/collision/brep/prepared_solid.h"

#include <gtest/gtest.h>

#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/bullet/element.h"
#include "tests/physics/boundary_meshes.h"

namespace tenon::physics::brep {
namespace {

TEST(PreparedSolid, IsUsedWhereTheSurfaceIsTheSame) {
  BoundarySolid block = blockMesh(24);
  block.prepared = preparedSolidOf(block);
  const Solid* const solid = &block.prepared->solid;
  EXPECT_EQ(preparedSolidOf(block), block.prepared);
  EXPECT_EQ(sharedSolidOf(block).get(), solid);
  block.holes.push_back({});  // only a name
  EXPECT_EQ(sharedSolidOf(block).get(), solid);
  bullet::SharedSolids solids;
  EXPECT_EQ(solids.solidOf(std::make_shared<const Shape>(block)).get(), solid);
}

TEST(PreparedSolid, IsMadeAgainWhereTheSurfaceHasChanged) {
  BoundarySolid block = blockMesh(24);
  block.prepared = preparedSolidOf(block);
  BoundarySolid larger = block;
  for (Vector3d& p : larger.vertices) p.z() *= 2;
  for (Surface& s : larger.surfaces)
    if (s.kind == SurfaceKind::plane) s.X_BS.p.z() *= 2;
  BoundarySolid flat = block;
  flat.surfaceOf.clear();
  for (const BoundarySolid& changed : {larger, flat}) {
    const auto solid = sharedSolidOf(changed);
    EXPECT_NE(solid.get(), &block.prepared->solid);
    BoundarySolid fresh = changed;
    fresh.prepared.reset();
    const Solid expected = solidOf(fresh);
    EXPECT_EQ(solid->faces.size(), expected.faces.size());
    EXPECT_EQ(solid->depthLimit(), expected.depthLimit());
    EXPECT_EQ(solid->bounds().high, expected.bounds().high);
  }
}

TEST(PreparedSolid, HasTheFaceOfEachTriangle) {
  const BoundarySolid block = blockMesh(24);
  const auto prepared = preparedSolidOf(block);
  ASSERT_EQ(prepared->faceOf.size(), block.triangles.size());
  for (std::size_t t = 0; t < block.triangles.size(); ++t) {
    const Face& face = prepared->solid.faces.at(static_cast<std::size_t>(prepared->faceOf[t]));
    const int surface = block.surfaceOf[t];
    EXPECT_EQ(face.surface.kind,
              surface < 0 ? SurfaceKind::plane : block.surfaces[static_cast<std::size_t>(surface)].kind);
    for (const int v : block.triangles[t]) {
      const Vector3d p = face.surface.X_BS.inverse().point(block.vertices[static_cast<std::size_t>(v)]);
      EXPECT_LT(std::abs(distanceValue(face.surface, p)), 1e-9);
    }
  }
}

}  // namespace
}  // namespace tenon::physics::brep
