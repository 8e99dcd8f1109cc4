// The runtime's model of a controller as it is drawn: moving parts at a scale of the world.
#include <gtest/gtest.h>

#include "content/input/input_error.h"
#include "content/parts/glb_writer.h"
#include "runtime/vr/device_model.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;

/// A cube of 20 mm at a place that the file gives; the file's root turns z up into y up.
std::string cube() {
  content::GlbWriter writer;
  const int mesh = writer.addMesh(content::displayMeshOf(physics::Box{{0.01, 0.01, 0.01}}), "cube",
                                  content::GlbMaterial());
  writer.addPart("stick", mesh, Pose::at({0.5, 0, 0}));
  return writer.bytes();
}

TEST(DeviceModel, MovesItsNodesAtTheScaleOfTheWorld) {
  runtime::DeviceModel model;
  EXPECT_FALSE(model.isShown());
  model.set({cube(), {"other", "stick"}});
  constexpr double kScale = 4;  // a meter of the world appears as 4 m
  model.setScale(kScale);
  EXPECT_FALSE(model.isShown()) << "it is not known where it is";
  xr::ControllerModelState state;
  state.X_HM = Pose::at({0, 0, -0.1});
  state.nodes = {{}, {Pose::at({0, 0, 0.3}), true}};
  model.setState(state);
  ASSERT_TRUE(model.isShown());
  const Pose X_WH = Pose::at({1, 2, 3});
  xr::RenderScene scene;
  model.add(X_WH, {}, scene);
  ASSERT_EQ(scene.instances.size(), 1U);
  // z of the root is y of the model.
  const Vector3d expected = X_WH.p + Vector3d(0, 0.3, -0.1) / kScale;
  EXPECT_LT((scene.instances[0].X_WM.p - expected).norm(), 1e-12) << scene.instances[0].X_WM.p.transpose();
  for (const auto& p : scene.instances[0].mesh->positions)
    EXPECT_NEAR(p.norm(), 0.01 * std::sqrt(3) / kScale, 1e-7);
  state.nodes[1].visible = false;
  model.setState(state);
  scene = {};
  model.add(X_WH, {}, scene);
  EXPECT_TRUE(scene.instances.empty());
}

TEST(DeviceModel, DamagedFileIsRejectedAndLeavesNoModel) {
  runtime::DeviceModel model;
  model.setState(xr::ControllerModelState());
  model.set({cube(), {}});
  EXPECT_TRUE(model.isShown());
  EXPECT_THROW(model.set({"no glTF", {}}), content::InputError);
  EXPECT_FALSE(model.isShown());
}

}  // namespace
}  // namespace tenon::tests
