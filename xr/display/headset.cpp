// OpenXR provides head, hands and images; the renderer draws them.
#include "xr/display/headset.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

#include "xr/display/dynamic_resolution.h"
#include "xr/display/headset_eyes.h"
#include "xr/display/mirror.h"
#include "xr/display/panel_image.h"
#include "xr/openxr/controller_models.h"
#include "xr/openxr/frame_guard.h"
#include "xr/openxr/hand_actions.h"
#include "xr/openxr/hand_tracking.h"
#include "xr/openxr/interaction_models.h"
#include "xr/openxr/passthrough.h"
#include "xr/openxr/room_plane_search.h"
#include "xr/openxr/stopwatch.h"
#include "xr/openxr/xr_session.h"
#include "xr/openxr/xr_system.h"
#include "xr/render/multiview_probe.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/gpu_timer.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {
constexpr const char *kDepthLayer = "the depth layer", *kRoomView = "the view of the room",
                     *kVisibilityMask = "the visibility mask", *kModels = "the controllers' models",
                     *kMovingModels = "the controllers' models with moving parts",
                     *kOneModel = "a controller's model", *kInsets = "foveated insets", *kGaze = "the gaze",
                     *kPlanes = "the detection of tables";
constexpr int kFramesPerModelQuery = 50;

/// Converts any failure of runtime or device to an error that ends the session.
template <class Function>
auto failingAsLost(const Function& call) {
  try {
    return call();
  } catch (const OpenXrError& error) {
    throw HeadsetLost(fmt::format("the OpenXR runtime failed ({})", error.what()));
  } catch (const vk::SystemError& error) {
    throw GraphicsUnavailable(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
  }
}
}  // namespace

struct Headset::Implementation {
  // Destroyed in reverse order.
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
  FrameWaiter waiter;
  HandActions hands;
  HandTracking bareHands;
  std::optional<Passthrough> passthrough;
  std::optional<InteractionModels> interactionModels;       ///< where the runtime has them, and
  std::optional<ControllerModels> models;                   ///< else these
  std::array<std::optional<ControllerModel>, 2> newModels;  ///< by hand, not consumed
  std::array<std::optional<ControllerModelState>, 2> modelStates;
  std::optional<RoomPlaneSearch> planeSearch;
  std::optional<std::vector<RoomPlane>> planes;  ///< not consumed
  bool planesRequested = false, planesFailed = false;
  int frames = 0;
  HeadsetEyes eyes;
  Frame commands;
  GpuTimer timer;
  RendererOptions rendering;
  std::optional<DynamicResolution> resolution;  ///< none: constant
  Renderer renderer;
  std::optional<PanelImage> panels;
  std::optional<Mirror> mirror;
  std::string deviceName;
  double refreshRate = 0;  ///< [Hz]
  bool submitted = false;  ///< commands were submitted and not waited for
  bool captureNextFrame = false;
  double gpu = 0, scale = 1;  ///< see FrameTimes
  std::array<MappedBuffer, 2> pixels;
  std::optional<Image> captured;
  FrameTimes times;
  std::set<std::string> reported;  ///< failed optional features

  explicit Implementation(HeadsetOptions options)
      : logMessage(options.logMessage),
        system(std::move(options.logMessage), options.views),
        mirrorWindow(options.mirror ? options.mirror() : nullptr),
        mirrorExtensions(mirrorInstanceExtensions(context, mirrorWindow)),
        instance(makeInstance(context, mirrorExtensions, system.instanceFactory())),
        chosen(system.chooseDevice(instance)),
        device(makeDevice(chosen, mirrorDeviceExtensions(chosen, !mirrorExtensions.empty()),
                          system.deviceFactory())),
        queue(device.getQueue(chosen.family, 0)),
        session(system, instance, chosen, device, options.passthrough),
        waiter(session),
        hands(session),
        bareHands(session),
        eyes(session, system.views(), device, options.resolution),
        commands(device, chosen.family),
        timer(chosen, device),
        rendering(rendererOptions()),
        renderer(chosen.physical, device, rendering),
        deviceName(chosen.physical.getProperties().deviceName.data()) {
    if (options.dynamicResolution.value_or(!isSoftware())) resolution.emplace();
    session.beforeEnd = [this] {
      if (waiter.isPending()) FrameGuard(session, waiter, FrameGuard::Next::none).end({});
    };
    if (options.passthrough && !isRoomVisible()) startPassthrough();
    updateViews();
    if (!InteractionModels::isOffered(session) ||
        !optional(kMovingModels, [&] { interactionModels.emplace(session); }))
      startOlderModels();
    if (!mirrorDeviceExtensions(chosen, !mirrorExtensions.empty()).empty())
      mirror.emplace(instance, chosen, device, queue, *mirrorWindow);
    if (options.refreshRate > 0)
      optional("setting the refresh rate", [&] { session.requestRefreshRate(options.refreshRate); });
    optional(kVisibilityMask, [&] { eyes.updateHidden(); });
    optional("performance levels", [&] { session.requestPerformance(); });
    optional("reading the refresh rate", [&] { refreshRate = session.refreshRate(); });
    if (!optional(kDepthLayer, [&] { eyes.addDepth(); })) dropDepth();
  }

  ~Implementation() {
    try {
      wait();
      device.waitIdle();
    } catch (const std::runtime_error&) {  // a lost device uses nothing
    }
  }

  /// Calls an optional feature: a failure is reported once by its `name`, and the session continues. If the
  /// runtime was lost, a required call will fail too. False: it failed.
  template <class Function>
  bool optional(const char* name, const Function& call) {
    try {
      call();
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
      logMessage(fmt::format("the session continues without {}: {}", name, error.what()));
  }
  RendererOptions rendererOptions() const {
    RendererOptions wanted = interactiveOptions(chosen.physical.getProperties().deviceType, eyes.format());
    wanted.multiview = drawsMultiview(chosen, device, queue, commands, wanted.samples);
    return wanted;
  }
  bool isRoomVisible() const {
    return session.blendMode() != XR_ENVIRONMENT_BLEND_MODE_OPAQUE || passthrough;
  }
  bool isSoftware() const {
    return chosen.physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu;
  }
  void startPassthrough() {
    if (Passthrough::isOffered(session))
      optional(kRoomView, [&] { passthrough.emplace(session); });
    else
      reportWithout(kRoomView, std::runtime_error("the headset offers neither a blend mode for it nor "
                                                  "XR_FB_passthrough"));
  }
  /// Drops insets that cannot be used, and reports what was dropped.
  void updateViews() {
    if (const std::string problem = system.views().consumeInsetProblem(); !problem.empty()) {
      wait();
      eyes.dropInsets();
      optional(kVisibilityMask, [&] { eyes.updateHidden(); });
      reportWithout(kInsets, std::runtime_error(problem));
    }
    if (const std::string problem = system.views().consumeGazeProblem(); !problem.empty())
      reportWithout(kGaze, std::runtime_error(problem));
  }
  void startOlderModels() {
    if (ControllerModels::isOffered(session)) optional(kModels, [&] { models.emplace(session); });
  }
  /// Controllers may be switched on at any time; not all runtimes report it.
  void updateModels(XrFrame& frame) {
    const bool isDue = frames++ % kFramesPerModelQuery == 0;
    if (interactionModels) {
      const bool works = optional(kMovingModels, [&] { updateInteractionModels(frame, isDue); });
      if (const std::string failure = interactionModels->consumeFailure(); !failure.empty())
        reportWithout(kOneModel, std::runtime_error(failure));
      if (!works || interactionModels->hasFailed()) {
        interactionModels.reset();
        modelStates = {};
        newModels = {ControllerModel(), ControllerModel()};
        startOlderModels();
      }
    }
    if (!models || !isDue) return;
    for (std::size_t hand = 0; hand < newModels.size(); ++hand)
      if (!optional(kModels, [&] {
            if (auto glb = models->consumeChange(hand)) newModels[hand] = {std::move(*glb), {}};
            modelStates[hand].emplace();
          }))
        newModels[hand].emplace();
  }
  void updateInteractionModels(XrFrame& frame, bool isDue) {
    // None are listed before the hands are sampled for the first time.
    if (session.consumeModelsChange() || isDue) interactionModels->update();
    interactionModels->locate(frame);
    for (std::size_t hand = 0; hand < newModels.size(); ++hand) {
      if (auto model = interactionModels->consumeChange(hand)) newModels[hand] = std::move(model);
      modelStates[hand] = interactionModels->state(hand);
    }
  }
  /// Begins a requested search for planes, and takes its result once it has ended.
  void updatePlanes(XrFrame& frame) {
    if ((!planesRequested && !planeSearch) || frame.eyes.empty()) return;
    const bool works = optional(kPlanes, [&] {
      if (planesRequested) {
        planeSearch.reset();
        planeSearch.emplace(session, frame.X_SH.p, frame.displayTime_ns);
      }
      planes = planeSearch->poll(frame.displayTime_ns, frame.rejected);
    });
    planesRequested = false;
    if (!works) {
      planesFailed = true;
      planes.emplace();
    }
    if (planes) planeSearch.reset();
  }
  void dropDepth() {
    wait();
    eyes.dropDepth();
  }

  /// Drops a mirror whose window was closed.
  void pollMirror() {
    if (!mirror) return;
    mirrorWindow->poll();
    if (mirrorWindow->closed()) mirror.reset();
  }

  void wait() {
    if (!submitted) return;
    submitted = false;
    commands.wait();
  }

  /// Input of the frame: eyes, head and hands at the display time.
  XrFrame sample(const XrFrameState& state, std::vector<XrView>& located);
  void measure(const XrFrame& frame);
  /// Draws the eyes, located again as late as possible; updates `frame` and `located`.
  void draw(XrFrame& frame, const FrameContent& content, std::vector<XrView>& located);
  std::vector<View> viewsOf(const XrFrame& frame, const FrameContent& content) const;
  std::vector<RenderTarget> acquireTargets();
  /// Ends the frame with both eyes; without depth if the runtime rejects the depth layer.
  template <class EndFrame>
  void endWith(const std::vector<XrView>& located, const EndFrame& end);
  void copy(const vk::raii::CommandBuffer& buffer, vk::Image image, std::uint32_t eye,
            MappedBuffer& to) const;
  std::size_t pixelSize() const;
  Image sideBySide() const;
};

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

static std::atomic<bool> isOneAbandoned = false;

/// A session in which xrWaitFrame hangs cannot be destroyed: it is abandoned, with all that it uses.
Headset::~Headset() {
  if (implementation_->waiter.join()) return;
  if (implementation_->logMessage)
    implementation_->logMessage("the OpenXR runtime hangs in xrWaitFrame; its session is abandoned");
  static_cast<void>(implementation_.release());
  isOneAbandoned = true;
}

bool Headset::isAnyAbandoned() {
  return isOneAbandoned;
}

void Headset::enablePanels(int pixelsWide, int pixelsHigh) {
  Implementation& self = *implementation_;
  failingAsLost([&] {
    self.panels.emplace(
        self.chosen.physical, self.device, self.chosen.family,
        vk::Extent2D{static_cast<std::uint32_t>(pixelsWide), static_cast<std::uint32_t>(pixelsHigh)});
    self.renderer.showOnPanels(self.panels->view());
  });
}

HeadsetState Headset::poll() {
  return failingAsLost([&] {
    implementation_->pollMirror();
    implementation_->session.poll();
    implementation_->updateViews();
    const std::string warning = implementation_->session.consumePerformanceWarning();
    if (!warning.empty() && implementation_->logMessage) implementation_->logMessage(warning);
    return implementation_->session.state();
  });
}

int Headset::mirroredFrames() const {
  return implementation_->mirror ? implementation_->mirror->shownFrames() : 0;
}

std::vector<HeadsetState> Headset::drainStates() {
  return implementation_->session.drainStates();
}

const FrameTimes& Headset::times() const {
  return implementation_->times;
}

bool Headset::isUserPresent() const {
  return implementation_->session.isUserPresent();
}

bool Headset::running() const {
  return implementation_->session.running();
}

std::vector<RenderTarget> Headset::Implementation::acquireTargets() {
  std::vector<RenderTarget> targets = eyes.acquire(rendering.multiview);
  if (!optional(kDepthLayer, [&] { eyes.acquireDepth(targets); })) dropDepth();
  return targets;
}

std::vector<View> Headset::Implementation::viewsOf(const XrFrame& frame, const FrameContent& content) const {
  std::vector<View> views = frame.eyes;
  views.insert(views.end(), frame.insets.begin(), frame.insets.end());
  for (View& view : views) {
    view.X_WC.p /= content.scale;
    view.X_WC = content.X_WS * view.X_WC;
    view.nearPlane /= content.scale;
  }
  return views;
}

/// Takes the device's time for the frame before, and chooses the size of this one.
void Headset::Implementation::measure(const XrFrame& frame) {
  if (const auto time = timer.consume()) {
    gpu = *time;
    if (resolution) resolution->add(*time, 1e-6 * static_cast<double>(frame.displayPeriod_ns));
  }
  scale = resolution && !captureNextFrame ? resolution->scale() : 1;
  eyes.setScale(scale, session.isGazeKnown());
}

void Headset::Implementation::draw(XrFrame& frame, const FrameContent& content,
                                   std::vector<XrView>& located) {
  wait();
  measure(frame);
  const std::vector<RenderTarget> targets = acquireTargets();
  // The prediction of the head's pose improves with time, so the eyes are located again.
  XrFrame late;
  std::vector<XrView> lateViews;
  session.locateEyes(frame.displayTime_ns, late, lateViews);
  if (!late.eyes.empty()) {
    frame.eyes = late.eyes;
    frame.insets = late.insets;
    located = lateViews;
  }
  const vk::raii::CommandBuffer& buffer = commands.begin();
  timer.begin(buffer);
  if (panels && content.panels != nullptr) panels->draw(buffer, *content.panels);
  renderer.drawEach(buffer, targets, viewsOf(frame, content), content.scene);
  if (captureNextFrame)
    for (std::uint32_t eye = 0; eye < 2; ++eye) copy(buffer, targets[0].image, eye, pixels[eye]);
  timer.end(buffer);
  commands.submit(queue);
  submitted = true;
  if (mirror) mirror->show(targets[0].image, eyes.extent());
  if (captureNextFrame) {
    wait();
    captured = sideBySide();
    captureNextFrame = false;
  }
  eyes.release();
  if (!optional(kDepthLayer, [&] { eyes.releaseDepth(); })) dropDepth();
}

void Headset::Implementation::copy(const vk::raii::CommandBuffer& buffer, vk::Image image, std::uint32_t eye,
                                   MappedBuffer& to) const {
  using L = vk::ImageLayout;
  const vk::Extent2D extent = eyes.extent();
  grow(to, chosen.physical, device, pixelSize() * extent.width * extent.height,
       vk::BufferUsageFlagBits::eTransferDst);
  constexpr auto kColor = vk::ImageAspectFlagBits::eColor;
  const ImageLayers layer{eye, 1};
  transition(buffer, image, kColor, L::eColorAttachmentOptimal, L::eTransferSrcOptimal, layer);
  copyToHost(buffer, image, extent, to, eye);
  transition(buffer, image, kColor, L::eTransferSrcOptimal, L::eColorAttachmentOptimal, layer);
}

/// Of the eyes' images [bytes].
std::size_t Headset::Implementation::pixelSize() const {
  return eyes.format() == vk::Format::eR16G16B16A16Sfloat ? 8 : 4;
}

Image Headset::Implementation::sideBySide() const {
  const vk::Extent2D extent = eyes.extent();
  Image out{static_cast<int>(2 * extent.width), static_cast<int>(extent.height), {}};
  out.rgba.resize(std::size_t(8) * extent.width * extent.height);
  for (std::size_t eye = 0; eye < pixels.size(); ++eye)
    for (std::size_t y = 0; y < extent.height; ++y) {
      const auto* const from =
          static_cast<const std::uint8_t*>(pixels[eye].data) + pixelSize() * y * extent.width;
      std::uint8_t* const to = out.rgba.data() + 4 * (2 * y + eye) * extent.width;
      if (pixelSize() == 8)
        encodeLinearHalves(from, std::size_t(4) * extent.width, to);
      else
        std::memcpy(to, from, std::size_t(4) * extent.width);
    }
  if (eyes.format() == vk::Format::eB8G8R8A8Srgb)
    for (std::size_t k = 0; k < out.rgba.size(); k += 4) std::swap(out.rgba[k], out.rgba[k + 2]);
  return out;
}

XrFrame Headset::Implementation::sample(const XrFrameState& state, std::vector<XrView>& located) {
  XrFrame frame;
  frame.state = session.state();
  frame.displayTime_ns = state.predictedDisplayTime;
  frame.displayPeriod_ns = state.predictedDisplayPeriod;
  frame.recentered = session.consumeRecentered(state.predictedDisplayTime);
  optional(kGaze, [&] { session.updateGaze(state.predictedDisplayTime); });
  session.locateEyes(state.predictedDisplayTime, frame, located);
  frame.shouldRender = state.shouldRender == XR_TRUE && !frame.eyes.empty();
  if (session.consumeVisibilityChange()) optional(kVisibilityMask, [&] { eyes.updateHidden(); });
  if (session.consumeProfileChange()) optional("the names of the controls", [&] { hands.updateControls(); });
  updatePlanes(frame);
  frame.hands = hands.sample(state.predictedDisplayTime, frame.rejected);
  updateModels(frame);
  if (frame.state == HeadsetState::focused) {
    const auto bare = bareHands.sample(state.predictedDisplayTime, frame.rejected);
    for (std::size_t k = 0; k < frame.hands.size(); ++k)
      frame.hands[k] = firstTracked(frame.hands[k], bare[k]);
  }
  return frame;
}

template <class EndFrame>
void Headset::Implementation::endWith(const std::vector<XrView>& located, const EndFrame& end) {
  HeadsetEyes::DepthInfos depthInfos;
  const HeadsetEyes::Views views = eyes.layerViews(located, depthInfos);
  XrCompositionLayerProjection layer{};
  layer.type = XR_TYPE_COMPOSITION_LAYER_PROJECTION;
  layer.space = session.room();
  layer.viewCount = static_cast<std::uint32_t>(views.size());
  layer.views = views.data();
  std::vector<const XrCompositionLayerBaseHeader*> layers;
  if (passthrough)
    layers.push_back(reinterpret_cast<const XrCompositionLayerBaseHeader*>(&passthrough->layer()));
  if (isRoomVisible()) layer.layerFlags = XR_COMPOSITION_LAYER_BLEND_TEXTURE_SOURCE_ALPHA_BIT;
  layers.push_back(reinterpret_cast<const XrCompositionLayerBaseHeader*>(&layer));
  if (!eyes.hasDepth()) return end(layers);
  try {
    end(layers);
  } catch (const OpenXrError& error) {  // a runtime may accept depth images but reject the layer
    reportWithout(kDepthLayer, error);
    dropDepth();
  }
}

void Headset::frame(const std::function<std::optional<FrameContent>(const XrFrame&)>& describe) {
  Implementation& self = *implementation_;
  failingAsLost([&] {
    FrameGuard guard(self.session, self.waiter);
    FrameTimes times{.wait = guard.times().wait, .begin = guard.times().begin};
    const auto end = [&](FrameGuard::Layers layers) {
      guard.end(layers);
      times.end = guard.times().end;
      self.times = times;
    };
    const Stopwatch locating;
    std::vector<XrView> located;
    XrFrame frame = self.sample(guard.state(), located);
    times.locate = locating.ms();
    const Stopwatch describing;
    const ThreadCpuStopwatch working;
    const std::optional<FrameContent> content = describe(frame);
    times.application = describing.ms();
    times.cpu = working.ms();
    if (!content || !frame.shouldRender) return end({});
    const Stopwatch drawing;
    self.draw(frame, *content, located);
    times.draw = drawing.ms();
    times.gpu = self.gpu;
    times.scale = self.scale;
    self.endWith(located, end);
  });
}

void Headset::captureNext() {
  implementation_->captureNextFrame = true;
}

std::optional<Image> Headset::consumeCapture() {
  return std::exchange(implementation_->captured, std::nullopt);
}

void Headset::hapticPulse(std::size_t hand, double strength, double duration) {
  Implementation& self = *implementation_;
  self.optional("haptics",
                [&] { self.hands.hapticPulse(hand, strength, static_cast<XrDuration>(1e9 * duration)); });
}

bool Headset::searchPlanes() {
  Implementation& self = *implementation_;
  self.planes.reset();
  self.planesRequested = !self.planesFailed && RoomPlaneSearch::isOffered(self.session, self.system.id());
  return self.planesRequested;
}

std::optional<std::vector<RoomPlane>> Headset::consumePlanes() {
  return std::exchange(implementation_->planes, std::nullopt);
}

void Headset::requestExit() {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(2);
  if (!failingAsLost([&] { return implementation_->session.requestExit(); })) return;
  // Runtimes report the end while frames continue.
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

bool Headset::isRoomVisible() const {
  return implementation_->isRoomVisible();
}

bool Headset::hasFloorOrigin() const {
  return implementation_->session.hasFloorOrigin();
}

bool Headset::isRoomPersistent() const {
  return implementation_->session.isRoomPersistent();
}

const std::array<ControlNames, 2>& Headset::controls() const {
  return implementation_->hands.controls();
}

std::optional<ControllerModel> Headset::consumeControllerModel(std::size_t hand) {
  return std::exchange(implementation_->newModels[hand], std::nullopt);
}

const std::optional<ControllerModelState>& Headset::controllerModelState(std::size_t hand) const {
  return implementation_->modelStates[hand];
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

bool Headset::drawsInOnePass() const {
  return implementation_->rendering.multiview;
}

bool Headset::hasInsets() const {
  return implementation_->session.views().hasInset();
}

int Headset::insetWidth() const {
  return static_cast<int>(implementation_->eyes.insetExtent().width);
}

int Headset::insetHeight() const {
  return static_cast<int>(implementation_->eyes.insetExtent().height);
}

int Headset::width() const {
  return static_cast<int>(implementation_->eyes.extent().width);
}

int Headset::height() const {
  return static_cast<int>(implementation_->eyes.extent().height);
}

}  // namespace tenon::xr
