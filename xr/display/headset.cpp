// OpenXR gives head, hands and images, the renderer the pictures.
#include "xr/display/headset.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <set>
#include <thread>
#include <utility>

#include "xr/display/mirror.h"
#include "xr/display/panel_image.h"
#include "xr/openxr/eye_swapchain.h"
#include "xr/openxr/hand_actions.h"
#include "xr/openxr/hand_tracking.h"
#include "xr/openxr/stopwatch.h"
#include "xr/openxr/xr_session.h"
#include "xr/openxr/xr_system.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {
constexpr const char* kDepth = "the depth layer";
}  // namespace

struct Headset::Implementation {
  // In the order of making; they go in the opposite one.
  std::function<void(const std::string&)> logMessage;
  OpenXrSystem system;
  MirrorWindow* mirrorWindow;
  vk::raii::Context context;
  std::vector<const char*> mirrorExtensions;
  vk::raii::Instance instance;
  ChosenDevice chosen;
  vk::raii::Device device;
  vk::raii::Queue queue;
  OpenXrSession session;
  HandActions hands;
  HandTracking bareHands;
  vk::Format format;
  vk::Extent2D extent;
  Frame commands;
  Renderer renderer;
  std::optional<PanelImage> panels;
  std::array<EyeSwapchain, 2> eyes;
  std::array<std::optional<EyeSwapchain>, 2> depths;  ///< none: the runtime takes none
  std::optional<Mirror> mirror;
  std::string deviceName;
  double refreshRate = 0;  ///< [Hz]
  bool drawing = false;    ///< pictures were handed over and have not been waited for
  bool keep = false;       ///< what is drawn next
  std::array<MappedBuffer, 2> pixels;
  std::optional<Image> kept;
  FrameTimes times;
  std::set<std::string> reported;  ///< what the session goes on without

  explicit Implementation(HeadsetOptions options)
      : logMessage(options.logMessage),
        system(std::move(options.logMessage)),
        mirrorWindow(options.mirror ? options.mirror() : nullptr),
        mirrorExtensions(mirrorInstanceExtensions(context, mirrorWindow)),
        instance(makeInstance(context, mirrorExtensions, system.instanceFactory())),
        chosen(system.chooseDevice(instance)),
        device(makeDevice(chosen, mirrorDeviceExtensions(chosen, !mirrorExtensions.empty()),
                          system.deviceFactory())),
        queue(device.getQueue(chosen.family, 0)),
        session(system, instance, chosen, device),
        hands(session),
        bareHands(session),
        format(eyeFormat(session)),
        extent(eyeExtent(session, system)),
        commands(device, chosen.family),
        renderer(chosen.physical, device,
                 interactiveOptions(chosen.physical.getProperties().deviceType, format)),
        eyes{EyeSwapchain(session, device, extent, format), EyeSwapchain(session, device, extent, format)},
        deviceName(chosen.physical.getProperties().deviceName.data()) {
    if (!mirrorDeviceExtensions(chosen, !mirrorExtensions.empty()).empty())
      mirror.emplace(instance, chosen, device, queue, *mirrorWindow);
    if (options.refreshRate > 0)
      optional("choosing the refresh rate", [&] { session.requestRefreshRate(options.refreshRate); });
    optional("knowing the refresh rate", [&] { refreshRate = session.refreshRate(); });
    const bool hasDepth = optional(kDepth, [&] {
      if (supportsDepth(session))
        for (auto& depth : depths) depth.emplace(session, device, extent, kDepthFormat);
    });
    if (!hasDepth) dropDepth();
  }

  ~Implementation() {
    try {
      wait();
      device.waitIdle();
    } catch (const std::runtime_error&) {  // a lost device reads nothing any more
    }
  }

  /// What a session can do without: a failure is reported once by its `name`, and all else goes on. A runtime
  /// that has gone says so again in the calls that nothing can do without. False: it failed.
  template <class Act>
  bool optional(const char* name, const Act& act) {
    try {
      act();
      return true;
    } catch (const OpenXrError& error) {
      reportWithout(name, error);
    } catch (const HeadsetLost& error) {
      reportWithout(name, error);
    }
    return false;
  }
  void reportWithout(const char* name, const std::exception& error) {
    if (reported.insert(name).second && logMessage)
      logMessage(fmt::format("the session goes on without {}: {}", name, error.what()));
  }
  /// Nothing that is being drawn uses it any more.
  void dropDepth() {
    wait();
    for (auto& depth : depths) depth.reset();
  }

  /// A mirror that is closed goes.
  void pollMirror() {
    if (!mirror) return;
    mirrorWindow->poll();
    if (mirrorWindow->closed()) mirror.reset();
  }

  void wait() {
    if (!drawing) return;
    drawing = false;
    commands.wait();
  }

  /// With the eyes as they are known at the last moment; those of `views` are of the layer.
  void draw(XrFrame& moment, const FrameContent& picture, std::array<XrView, 2>& views);
  std::array<RenderTarget, 2> acquireTargets();
  using Shown = std::array<XrCompositionLayerProjectionView, 2>;
  /// What the layer has of both eyes, which points into `depths`.
  Shown shown(const std::array<XrView, 2>& views,
              std::array<XrCompositionLayerDepthInfoKHR, 2>& depths) const;
  void copy(const vk::raii::CommandBuffer& buffer, const RenderTarget& target, MappedBuffer& to) const;
  Image sideBySide() const;
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
    throw GraphicsUnavailable(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
  }
}

}  // namespace

Headset::Headset(HeadsetOptions options) {
  requireHeadset(options.shouldCancel);
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>(std::move(options));
  } catch (const vk::SystemError& error) {
    throw GraphicsUnavailable(
        fmt::format("the Vulkan device cannot be used ({}); see tenon doctor", error.what()));
  } catch (const OpenXrError& error) {
    throw GraphicsUnavailable(fmt::format("the headset cannot be used ({}); see tenon doctor", error.what()));
  } catch (const HeadsetLost& error) {
    throw HeadsetUnavailable(fmt::format("{}; start it again", error.what()));
  }
}

Headset::~Headset() = default;

void Headset::enablePanels(int pixelsWide, int pixelsHigh) {
  Implementation& self = *implementation_;
  orLost([&] {
    self.panels.emplace(
        self.chosen.physical, self.device, self.chosen.family,
        vk::Extent2D{static_cast<std::uint32_t>(pixelsWide), static_cast<std::uint32_t>(pixelsHigh)});
    self.renderer.showOnPanels(self.panels->view());
  });
}

HeadsetState Headset::poll() {
  return orLost([&] {
    implementation_->pollMirror();
    implementation_->session.poll();
    return implementation_->session.state();
  });
}

int Headset::mirroredFrames() const {
  return implementation_->mirror ? implementation_->mirror->shown() : 0;
}

std::vector<HeadsetState> Headset::drainStates() {
  return implementation_->session.drainStates();
}

const FrameTimes& Headset::times() const {
  return implementation_->times;
}

bool Headset::running() const {
  return implementation_->session.running();
}

/// Images of both eyes, with depth where the runtime takes that.
std::array<RenderTarget, 2> Headset::Implementation::acquireTargets() {
  std::array<RenderTarget, 2> targets;
  for (std::size_t k = 0; k < eyes.size(); ++k) {
    const EyeImage color = eyes[k].acquire();
    targets[k] = {color.image, color.view, extent, vk::ImageLayout::eColorAttachmentOptimal};
  }
  std::array<EyeImage, 2> images;
  const bool hasDepth = optional(kDepth, [&] {
    for (std::size_t k = 0; k < depths.size(); ++k)
      if (depths[k]) images[k] = depths[k]->acquire();
  });
  if (!hasDepth) {
    dropDepth();
    return targets;
  }
  for (std::size_t k = 0; k < targets.size(); ++k) {
    targets[k].depth = images[k].image;
    targets[k].depthView = images[k].view;
  }
  return targets;
}

void Headset::Implementation::draw(XrFrame& moment, const FrameContent& picture,
                                   std::array<XrView, 2>& located) {
  wait();
  std::array<RenderTarget, 2> targets = acquireTargets();
  // The later the runtime is asked, the better it knows where the head will be.
  XrFrame late;
  std::array<XrView, 2> lately{};
  session.locateEyes(moment.displayTime_ns, late, lately);
  if (!late.eyes.empty()) {
    moment.eyes = late.eyes;
    located = lately;
  }
  std::array<View, 2> views{moment.eyes[0], moment.eyes[1]};
  for (View& view : views) {
    view.X_WC.p /= picture.scale;
    view.X_WC = picture.X_WS * view.X_WC;
    view.nearPlane /= picture.scale;
  }
  const vk::raii::CommandBuffer& buffer = commands.begin();
  if (panels && picture.panels != nullptr) panels->draw(buffer, *picture.panels);
  renderer.drawEach(buffer, targets, views, picture.scene);
  if (keep)
    for (std::size_t k = 0; k < eyes.size(); ++k) copy(buffer, targets[k], pixels[k]);
  commands.submit(queue);
  drawing = true;
  if (mirror) mirror->show(targets[0].image, extent);
  if (keep) {
    wait();
    kept = sideBySide();
    keep = false;
  }
  for (EyeSwapchain& eye : eyes) eye.release();
  const bool released = optional(kDepth, [&] {
    for (auto& depth : depths)
      if (depth) depth->release();
  });
  if (!released) dropDepth();
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

Image Headset::Implementation::sideBySide() const {
  const std::size_t row = std::size_t(4) * extent.width;
  Image out{static_cast<int>(2 * extent.width), static_cast<int>(extent.height), {}};
  out.rgba.resize(2 * row * extent.height);
  for (std::size_t eye = 0; eye < pixels.size(); ++eye)
    for (std::size_t y = 0; y < extent.height; ++y)
      std::memcpy(out.rgba.data() + (2 * y + eye) * row, static_cast<const char*>(pixels[eye].data) + y * row,
                  row);
  if (format == vk::Format::eB8G8R8A8Srgb)
    for (std::size_t k = 0; k < out.rgba.size(); k += 4) std::swap(out.rgba[k], out.rgba[k + 2]);
  return out;
}

Headset::Implementation::Shown Headset::Implementation::shown(
    const std::array<XrView, 2>& located, std::array<XrCompositionLayerDepthInfoKHR, 2>& infos) const {
  Shown all{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW;
    all[k].pose = located[k].pose;
    all[k].fov = located[k].fov;
    all[k].subImage = eyes[k].subImage();
    if (!depths[k]) continue;
    // Depth is reversed and endless: 0 is infinitely far away, 1 as near as can be seen.
    XrCompositionLayerDepthInfoKHR& info = infos[k];
    info.type = XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR;
    info.subImage = depths[k]->subImage();
    info.minDepth = 0;
    info.maxDepth = 1;
    info.nearZ = std::numeric_limits<float>::infinity();
    info.farZ = static_cast<float>(View().nearPlane);
    all[k].next = &info;
  }
  return all;
}

void Headset::frame(const std::function<std::optional<FrameContent>(const XrFrame&)>& picture) {
  Implementation& self = *implementation_;
  orLost([&] {
    FrameGuard frame(self.session);
    FrameTimes times{.wait = frame.times().wait, .begin = frame.times().begin};
    const auto end = [&](const XrCompositionLayerProjection* layer) {
      frame.end(layer);
      times.end = frame.times().end;
      self.times = times;
    };
    const Stopwatch asking;
    const XrFrameState& state = frame.state();
    XrFrame moment;
    moment.state = self.session.state();
    moment.displayTime_ns = state.predictedDisplayTime;
    moment.displayPeriod_ns = state.predictedDisplayPeriod;
    moment.recentered = self.session.consumeRecentered(state.predictedDisplayTime);
    std::array<XrView, 2> views{};
    self.session.locateEyes(state.predictedDisplayTime, moment, views);
    moment.shouldRender = state.shouldRender == XR_TRUE && !moment.eyes.empty();
    moment.hands = self.hands.sample(state.predictedDisplayTime, moment.rejected);
    if (moment.state == HeadsetState::focused) {
      const auto bare = self.bareHands.sample(state.predictedDisplayTime, moment.rejected);
      for (std::size_t k = 0; k < moment.hands.size(); ++k)
        moment.hands[k] = firstTracked(moment.hands[k], bare[k]);
    }
    times.locate = asking.ms();
    const Stopwatch describing;
    const ThreadCpuStopwatch working;
    const std::optional<FrameContent> wanted = picture(moment);
    times.application = describing.ms();
    times.cpu = working.ms();
    if (!wanted || !moment.shouldRender) return end(nullptr);
    const Stopwatch drawing;
    self.draw(moment, *wanted, views);
    times.draw = drawing.ms();
    std::array<XrCompositionLayerDepthInfoKHR, 2> depths{};
    const auto shown = self.shown(views, depths);
    XrCompositionLayerProjection layer{};
    layer.type = XR_TYPE_COMPOSITION_LAYER_PROJECTION;
    layer.space = self.session.room();
    layer.viewCount = static_cast<std::uint32_t>(shown.size());
    layer.views = shown.data();
    if (!self.depths[0]) return end(&layer);
    try {
      end(&layer);
    } catch (const OpenXrError& error) {  // a runtime may take depth, and yet refuse the layer that has it
      self.reportWithout(kDepth, error);
      self.dropDepth();
    }
  });
}

void Headset::captureNext() {
  implementation_->keep = true;
}

std::optional<Image> Headset::consumeCapture() {
  return std::exchange(implementation_->kept, std::nullopt);
}

void Headset::hapticPulse(std::size_t hand, double strength, double duration) {
  Implementation& self = *implementation_;
  self.optional("haptics",
                [&] { self.hands.hapticPulse(hand, strength, static_cast<XrDuration>(1e9 * duration)); });
}

void Headset::requestExit() {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(2);
  if (!orLost([&] { return implementation_->session.requestExit(); })) return;
  // Runtimes tell of the end while frames go on.
  while (Clock::now() < end) {
    const HeadsetState state = poll();
    if (state == HeadsetState::exiting) return;
    if (running()) {
      frame([](const XrFrame&) { return std::nullopt; });
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

double Headset::refreshRate() const {
  return implementation_->refreshRate;
}

bool Headset::hasFloorOrigin() const {
  return implementation_->session.hasFloorOrigin();
}

bool Headset::isRoomPersistent() const {
  return implementation_->session.isRoomPersistent();
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
