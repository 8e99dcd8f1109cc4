// A description with defaults, and what each pipeline changes. Depth is reversed: nearer is greater.
#include "xr/render/pipelines.h"

#include <array>
#include <cstdint>
#include <span>

#include "xr/render/formats.h"
#include "xr/render/graphics_pipeline.h"

namespace tenon::xr {

namespace {

// Compiled from shaders/ by the build.
constexpr std::uint32_t kSolidVertex[] = {
#include "shaders/solid.vert.inc"
};
constexpr std::uint32_t kSolidFragment[] = {
#include "shaders/solid.frag.inc"
};
constexpr std::uint32_t kArrowFragment[] = {
#include "shaders/arrow.frag.inc"
};
constexpr std::uint32_t kPlaneVertex[] = {
#include "shaders/plane.vert.inc"
};
constexpr std::uint32_t kCapFragment[] = {
#include "shaders/cap.frag.inc"
};
constexpr std::uint32_t kGroundVertex[] = {
#include "shaders/ground.vert.inc"
};
constexpr std::uint32_t kGroundFragment[] = {
#include "shaders/ground.frag.inc"
};
constexpr std::uint32_t kBackdropVertex[] = {
#include "shaders/backdrop.vert.inc"
};
constexpr std::uint32_t kBackdropFragment[] = {
#include "shaders/backdrop.frag.inc"
};
constexpr std::uint32_t kEdgeVertex[] = {
#include "shaders/edge.vert.inc"
};
constexpr std::uint32_t kEdgeFragment[] = {
#include "shaders/edge.frag.inc"
};
constexpr std::uint32_t kShadowVertex[] = {
#include "shaders/shadow.vert.inc"
};

/// The stencil operation of a pipeline. The stencil is 0 before the first part and after each cap.
enum class Stencil { keep, count, fillAndClear, clear };

vk::StencilOpState stateOf(Stencil stencil, vk::StencilOp countOp) {
  using O = vk::StencilOp;
  const bool fills = stencil == Stencil::fillAndClear;
  const O after = stencil == Stencil::keep ? O::eKeep : stencil == Stencil::count ? countOp : O::eZero;
  return {.failOp = O::eKeep,
          .passOp = after,
          .depthFailOp = fills ? O::eZero : O::eKeep,
          .compareOp = fills ? vk::CompareOp::eNotEqual : vk::CompareOp::eAlways,
          .compareMask = 0xff,
          .writeMask = 0xff,
          .reference = 0};
}

struct MeshPass {
  SpirvWords vertex, fragment;
  bool readsMesh = true;  ///< reads vertices; otherwise the shader makes them from their index
  vk::PrimitiveTopology topology = vk::PrimitiveTopology::eTriangleList;
  vk::CullModeFlags cull = vk::CullModeFlagBits::eBack;
  vk::CompareOp depth = vk::CompareOp::eGreater;
  bool depthWrite = true;
  bool blend = false;
  Stencil stencil = Stencil::keep;
  bool positionsOnly = false;  ///< reads no normals
  bool isShadow = false;       ///< draws into the shadow atlas
};

constexpr vk::VertexInputBindingDescription kVertexBinding{.binding = 0, .stride = 6 * sizeof(float)};
constexpr std::array<vk::VertexInputAttributeDescription, 2> kVertexAttributes{
    {{.location = 0, .format = vk::Format::eR32G32B32Sfloat, .offset = 0},
     {.location = 1, .format = vk::Format::eR32G32B32Sfloat, .offset = 3 * sizeof(float)}}};

vk::raii::Pipeline makePass(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
                            vk::SampleCountFlagBits samples, const LightCounts& lights,
                            std::uint32_t viewMask, const MeshPass& pass) {
  // In the order of the constant ids in shaders/frame.glsl.
  const std::array<std::int32_t, 3> constants{lights.keys, lights.all, pass.blend ? 1 : 0};
  PipelineDescription out{.vertex = pass.vertex,
                          .fragment = pass.fragment,
                          .constants = constants,
                          .topology = pass.topology,
                          .cull = pass.cull,
                          .depthFormat = pass.isShadow ? kShadowFormat : kDepthFormat,
                          .blend = pass.blend};
  if (pass.readsMesh) {
    out.bindings = {&kVertexBinding, 1};
    out.attributes = std::span(kVertexAttributes).first(pass.positionsOnly ? 1 : 2);
  }
  if (!pass.isShadow) {
    out.samples = samples;
    out.colorFormat = color;
    out.stencilFormat = kDepthFormat;
    out.viewMask = viewMask;
  }
  out.depth = vk::PipelineDepthStencilStateCreateInfo{
      .depthTestEnable = true,
      .depthWriteEnable = pass.depthWrite,
      .depthCompareOp = pass.depth,
      .stencilTestEnable = pass.stencil != Stencil::keep,
      .front = stateOf(pass.stencil, vk::StencilOp::eDecrementAndWrap),
      .back = stateOf(pass.stencil, vk::StencilOp::eIncrementAndWrap)};
  return makeGraphicsPipeline(device, layout, out);
}

}  // namespace

Pipelines::Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
                     vk::SampleCountFlagBits samples, const LightCounts& lights, std::uint32_t viewMask) {
  const auto make = [&](const MeshPass& pass) {
    return makePass(device, layout, color, samples, lights, viewMask, pass);
  };
  constexpr auto kStrip = vk::PrimitiveTopology::eTriangleStrip;
  constexpr auto kBoth = vk::CullModeFlagBits::eNone;
  shadow = make({.vertex = kShadowVertex,
                 .cull = kBoth,
                 .depth = vk::CompareOp::eLess,
                 .positionsOnly = true,
                 .isShadow = true});
  outside = make({.vertex = kSolidVertex, .fragment = kSolidFragment});
  capCount = make({.vertex = kSolidVertex,
                   .cull = kBoth,
                   .depth = vk::CompareOp::eAlways,
                   .depthWrite = false,
                   .stencil = Stencil::count});
  cap = make({.vertex = kPlaneVertex,
              .fragment = kCapFragment,
              .readsMesh = false,
              .topology = kStrip,
              .cull = kBoth,
              .stencil = Stencil::fillAndClear});
  ground =
      make({.vertex = kGroundVertex, .fragment = kGroundFragment, .readsMesh = false, .topology = kStrip});
  backdrop = make({.vertex = kBackdropVertex,
                   .fragment = kBackdropFragment,
                   .readsMesh = false,
                   .cull = kBoth,
                   .depth = vk::CompareOp::eGreaterOrEqual,
                   .depthWrite = false});
  transparent =
      make({.vertex = kSolidVertex, .fragment = kSolidFragment, .depthWrite = false, .blend = true});
  arrows = make({.vertex = kSolidVertex, .fragment = kArrowFragment});
  hidden = make({.vertex = kSolidVertex,
                 .fragment = kArrowFragment,
                 .depth = vk::CompareOp::eLess,
                 .depthWrite = false,
                 .blend = true});
  edges = make({.vertex = kEdgeVertex,
                .fragment = kEdgeFragment,
                .topology = vk::PrimitiveTopology::eLineList,
                .depthWrite = false,
                .blend = true,
                .positionsOnly = true});
  blank = make({.vertex = kBackdropVertex,
                .readsMesh = false,
                .cull = kBoth,
                .depth = vk::CompareOp::eAlways,
                .stencil = Stencil::clear});
}

void setViewport(const vk::raii::CommandBuffer& commands, const PixelRect& r) {
  const vk::Viewport viewport{.x = static_cast<float>(r.left),
                              .y = static_cast<float>(r.top),
                              .width = static_cast<float>(r.right - r.left),
                              .height = static_cast<float>(r.bottom - r.top),
                              .minDepth = 0,
                              .maxDepth = 1};
  commands.setViewport(0, viewport);
  setScissor(commands, r);
}

void setScissor(const vk::raii::CommandBuffer& commands, const PixelRect& r) {
  commands.setScissor(0, vk::Rect2D{{r.left, r.top},
                                    {static_cast<std::uint32_t>(r.right - r.left),
                                     static_cast<std::uint32_t>(r.bottom - r.top)}});
}

}  // namespace tenon::xr
