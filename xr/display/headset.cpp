// OpenXR gives head, hands and images, the renderer the pictures.
#include "xr/display/headset.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "xr/display/vulkan_device.h"
#include "xr/openxr/eye_swapchain.h"
#include "xr/openxr/hand_actions.h"
#include "xr/openxr/xr_session.h"
#include "xr/openxr/xr_system.h"
#include "xr/render/renderer.h"

namespace tenon::xr {

struct Headset::Implementation {
  // In the order of making; they go in the opposite one.
  OpenXrSystem system;
  vk::raii::Context context;
  vk::raii::Instance instance;
  ChosenDevice chosen;
  vk::raii::Device device;
  vk::raii::Queue queue;
  OpenXrSession session;
  HandActions hands;
  vk::Format format;
  vk::Extent2D extent;
  Frame commands;
  Renderer renderer;
  std::array<EyeSwapchain, 2> eyes;
  std::string deviceName;
  bool drawing = false;  ///< pictures were handed over and have not been waited for
  bool keep = false;     ///< what is drawn next
  std::array<MappedBuffer, 2> pixels;
  std::optional<Picture> kept;

  Implementation()
      : instance(makeInstance(context, {}, system.instanceMaker())),
        chosen(system.chooseDevice(instance)),
        device(makeDevice(chosen, {}, system.deviceMaker())),
        queue(device.getQueue(chosen.family, 0)),
        session(system, instance, chosen, device),
        hands(session),
        format(eyeFormat(session)),
        extent(eyeExtent(session, system)),
        commands(device, chosen.family),
        renderer(chosen.physical, device, livelyOptions(chosen.physical.getProperties().deviceType, format)),
        eyes{EyeSwapchain(session, device, extent, format), EyeSwapchain(session, device, extent, format)},
        deviceName(chosen.physical.getProperties().deviceName.data()) {}

  ~Implementation() {
    try {
      wait();
      device.waitIdle();
    } catch (const std::runtime_error&) {  // a lost device reads nothing any more
    }
  }

  void wait() {
    if (!drawing) return;
    drawing = false;
    commands.wait();
  }

  void draw(const HeadsetMoment& moment, const HeadsetPicture& picture);
  void copy(const vk::raii::CommandBuffer& buffer, const RenderTarget& target, MappedBuffer& to) const;
  Picture sideBySide() const;
};

namespace {

/// Whatever the runtime complains of is an end of the session: with the call's name in the text.
template <class Act>
auto orLost(const Act& act) {
  try {
    return act();
  } catch (const OpenXrError& error) {
    throw HeadsetLost(fmt::format("the OpenXR runtime failed ({})", error.what()));
  } catch (const vk::SystemError& error) {
    throw NoGraphics(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
  }
}

}  // namespace

Headset::Headset() {
  requireHeadset();
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>();
  } catch (const vk::SystemError& error) {
    throw NoGraphics(fmt::format("the Vulkan device cannot be used ({}); see tenon doctor", error.what()));
  } catch (const OpenXrError& error) {
    throw NoGraphics(fmt::format("the headset cannot be used ({}); see tenon doctor", error.what()));
  } catch (const HeadsetLost& error) {
    throw NoGraphics(fmt::format("{}; start it again", error.what()));
  }
}

Headset::~Headset() = default;

HeadsetState Headset::poll() {
  return orLost([&] {
    implementation_->session.poll();
    return implementation_->session.state();
  });
}

bool Headset::running() const {
  return implementation_->session.running();
}

void Headset::Implementation::draw(const HeadsetMoment& moment, const HeadsetPicture& picture) {
  wait();
  std::array<RenderTarget, 2> targets;
  for (std::size_t k = 0; k < eyes.size(); ++k) targets[k] = eyes[k].acquire();
  std::array<View, 2> views{moment.eyes[0], moment.eyes[1]};
  for (View& view : views) view.X_WC = picture.X_WS * view.X_WC;
  const vk::raii::CommandBuffer& buffer = commands.begin();
  renderer.drawEach(buffer, targets, views, picture.scene);
  if (keep)
    for (std::size_t k = 0; k < eyes.size(); ++k) copy(buffer, targets[k], pixels[k]);
  commands.submit(queue);
  drawing = true;
  if (keep) {
    wait();
    kept = sideBySide();
    keep = false;
  }
  for (EyeSwapchain& eye : eyes) eye.release();
}

void Headset::Implementation::copy(const vk::raii::CommandBuffer& buffer, const RenderTarget& target,
                                   MappedBuffer& to) const {
  using L = vk::ImageLayout;
  grow(to, chosen.physical, device, std::size_t(4) * extent.width * extent.height,
       vk::BufferUsageFlagBits::eTransferDst);
  constexpr auto kColour = vk::ImageAspectFlagBits::eColor;
  transition(buffer, target.image, kColour, L::eColorAttachmentOptimal, L::eTransferSrcOptimal);
  copyToHost(buffer, target.image, extent, to);
  transition(buffer, target.image, kColour, L::eTransferSrcOptimal, L::eColorAttachmentOptimal);
}

Picture Headset::Implementation::sideBySide() const {
  const std::size_t row = std::size_t(4) * extent.width;
  Picture out{static_cast<int>(2 * extent.width), static_cast<int>(extent.height), {}};
  out.rgba.resize(2 * row * extent.height);
  for (std::size_t eye = 0; eye < pixels.size(); ++eye)
    for (std::size_t y = 0; y < extent.height; ++y)
      std::memcpy(out.rgba.data() + (2 * y + eye) * row, static_cast<const char*>(pixels[eye].data) + y * row,
                  row);
  if (format == vk::Format::eB8G8R8A8Srgb)
    for (std::size_t k = 0; k < out.rgba.size(); k += 4) std::swap(out.rgba[k], out.rgba[k + 2]);
  return out;
}

void Headset::frame(const std::function<std::optional<HeadsetPicture>(const HeadsetMoment&)>& picture) {
  Implementation& self = *implementation_;
  orLost([&] {
    FrameGuard frame(self.session);
    const XrFrameState& state = frame.state();
    HeadsetMoment moment;
    moment.state = self.session.state();
    moment.display_ns = state.predictedDisplayTime;
    moment.period_ns = state.predictedDisplayPeriod;
    moment.recentred = self.session.takeRecentred();
    std::array<XrView, 2> views{};
    self.session.locateEyes(state.predictedDisplayTime, moment, views);
    moment.wantsPicture = state.shouldRender == XR_TRUE && !moment.eyes.empty();
    moment.hands = self.hands.sample(state.predictedDisplayTime);
    const std::optional<HeadsetPicture> wanted = picture(moment);
    if (!wanted || !moment.wantsPicture) return frame.end(nullptr);
    self.draw(moment, *wanted);
    std::array<XrCompositionLayerProjectionView, 2> shown{};
    for (std::size_t k = 0; k < shown.size(); ++k) {
      shown[k].type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW;
      shown[k].pose = views[k].pose;
      shown[k].fov = views[k].fov;
      shown[k].subImage = self.eyes[k].subImage();
    }
    XrCompositionLayerProjection layer{};
    layer.type = XR_TYPE_COMPOSITION_LAYER_PROJECTION;
    layer.space = self.session.room();
    layer.viewCount = static_cast<std::uint32_t>(shown.size());
    layer.views = shown.data();
    frame.end(&layer);
  });
}

void Headset::keepNext() {
  implementation_->keep = true;
}

std::optional<Picture> Headset::takeKept() {
  return std::exchange(implementation_->kept, std::nullopt);
}

void Headset::shake(std::size_t hand, double strength, double duration) {
  orLost([&] { implementation_->hands.shake(hand, strength, static_cast<XrDuration>(1e9 * duration)); });
}

void Headset::leave() {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(2);
  if (!orLost([&] { return implementation_->session.askForExit(); })) return;
  // Runtimes tell of the end while frames go on.
  while (Clock::now() < end) {
    const HeadsetState state = poll();
    if (state == HeadsetState::exiting) return;
    if (running()) {
      frame([](const HeadsetMoment&) { return std::nullopt; });
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

bool Headset::onFloor() const {
  return implementation_->session.onFloor();
}

const std::string& Headset::runtimeName() const {
  return implementation_->system.runtimeName();
}

const std::string& Headset::headsetName() const {
  return implementation_->system.headsetName();
}

const std::string& Headset::deviceName() const {
  return implementation_->deviceName;
}

int Headset::width() const {
  return static_cast<int>(implementation_->extent.width);
}

int Headset::height() const {
  return static_cast<int>(implementation_->extent.height);
}

}  // namespace tenon::xr
