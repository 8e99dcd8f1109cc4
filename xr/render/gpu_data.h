// The data of the shaders, in the layout of shaders/frame.glsl.
#pragma once

#include <cstring>

#include <Eigen/Core>

#include "xr/render/sky_lights.h"
#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

struct GpuLight {
  float right[4], up[4], toward[4];
};

struct GpuFrame {
  float bounds[4], section[4], ground[4], counts[4];
  GpuLight lights[kMaxLights];
};

struct GpuView {
  float viewProjection[16];  ///< column by column
  float eye[4];
  float tangents[4];
};

/// Push constants of one draw call.
struct GpuDraw {
  float model[12];  ///< three rows
  float color[4];
  float material[4];
};
inline constexpr auto kDrawStages = vk::ShaderStageFlagBits::eVertex | vk::ShaderStageFlagBits::eFragment;

inline void put(float (&to)[4], const Eigen::Vector3d& v, double w) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
  to[3] = static_cast<float>(w);
}

inline void put(float (&to)[16], const Eigen::Matrix4d& m) {
  const Eigen::Matrix4f narrow = m.cast<float>();
  std::memcpy(to, narrow.data(), sizeof to);
}

/// The upper three rows.
inline void put(float (&to)[12], const Eigen::Matrix4d& m) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) to[4 * row + column] = static_cast<float>(m(row, column));
}

}  // namespace tenon::xr
