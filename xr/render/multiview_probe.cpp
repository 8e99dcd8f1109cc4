// See multiview_probe.h.
#include "xr/render/multiview_probe.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "xr/render/formats.h"
#include "xr/render/graphics_pipeline.h"
#include "xr/render/pipelines.h"
#include "xr/render/render_target.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kProbeVertex[] = {
#include "shaders/multiview_probe.vert.inc"
};
constexpr std::uint32_t kProbeFragment[] = {
#include "shaders/multiview_probe.frag.inc"
};

constexpr vk::Format kProbeFormat = vk::Format::eR8G8B8A8Unorm;
constexpr std::uint32_t kSide = 8;    ///< of the image [pixels]
constexpr std::uint32_t kLayers = 2;  ///< of the image

using Color = std::array<std::uint8_t, 4>;
/// Of each layer, as the shaders say.
constexpr std::array<Color, kLayers> kExpected{{{255, 0, 0, 255}, {0, 255, 255, 255}}};

/// True if all pixels of an image have this color.
bool hasColor(const MappedBuffer& pixels, const Color& color) {
  const auto* const at = static_cast<const std::uint8_t*>(pixels.data);
  for (std::size_t k = 0; k < std::size_t(kSide) * kSide; ++k)
    if (!std::equal(color.begin(), color.end(), at + 4 * k)) return false;
  return true;
}

bool drawsBothLayers(const ChosenDevice& chosen, const vk::raii::Device& device, const vk::raii::Queue& queue,
                     const Frame& commands, vk::SampleCountFlagBits samples) {
  const vk::Extent2D extent{kSide, kSide};
  const DeviceImage image(chosen.physical, device, extent, kProbeFormat, vk::SampleCountFlagBits::e1,
                          vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
                          vk::ImageAspectFlagBits::eColor, kLayers);
  FrameAttachments attachments(chosen.physical, device, kProbeFormat, samples, kLayers);
  const vk::raii::PipelineLayout layout = device.createPipelineLayout({});
  const vk::raii::Pipeline pipeline = makeGraphicsPipeline(device, *layout,
                                                           {.vertex = kProbeVertex,
                                                            .fragment = kProbeFragment,
                                                            .samples = samples,
                                                            .colorFormat = kProbeFormat,
                                                            .depthFormat = kDepthFormat,
                                                            .stencilFormat = kDepthFormat,
                                                            .viewMask = viewMaskOf(kLayers)});
  std::array<MappedBuffer, kLayers> pixels;
  for (MappedBuffer& buffer : pixels)
    grow(buffer, chosen.physical, device, std::size_t(4) * kSide * kSide,
         vk::BufferUsageFlagBits::eTransferDst);
  const vk::raii::CommandBuffer& buffer = commands.begin();
  RenderTarget target{*image.image, *image.view, extent, vk::ImageLayout::eTransferSrcOptimal};
  target.layers.count = kLayers;
  attachments.begin(buffer, target, false);
  setViewport(buffer, {0, 0, static_cast<int>(kSide), static_cast<int>(kSide)});
  buffer.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
  buffer.draw(3, 1, 0, 0);
  FrameAttachments::end(buffer, target);
  for (std::uint32_t k = 0; k < kLayers; ++k) copyToHost(buffer, *image.image, extent, pixels[k], k);
  commands.submit(queue);
  commands.wait();
  return hasColor(pixels[0], kExpected[0]) && hasColor(pixels[1], kExpected[1]);
}

}  // namespace

bool drawsMultiview(const ChosenDevice& chosen, const vk::raii::Device& device, const vk::raii::Queue& queue,
                    const Frame& commands, vk::SampleCountFlagBits samples) {
  try {
    return drawsBothLayers(chosen, device, queue, commands, samples);
  } catch (const vk::DeviceLostError&) {
    throw;
  } catch (const vk::SystemError&) {  // without it each eye has its pass
    return false;
  }
}

}  // namespace tenon::xr
