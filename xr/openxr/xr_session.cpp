// See xr_session.h.
#include "xr/openxr/xr_session.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {

namespace {

HeadsetState stateOf(XrSessionState state) {
  switch (state) {
    case XR_SESSION_STATE_IDLE:
      return HeadsetState::idle;
    case XR_SESSION_STATE_READY:
      return HeadsetState::ready;
    case XR_SESSION_STATE_SYNCHRONIZED:
      return HeadsetState::synchronized;
    case XR_SESSION_STATE_VISIBLE:
      return HeadsetState::visible;
    case XR_SESSION_STATE_FOCUSED:
      return HeadsetState::focused;
    case XR_SESSION_STATE_STOPPING:
      return HeadsetState::stopping;
    case XR_SESSION_STATE_EXITING:
      return HeadsetState::exiting;
    case XR_SESSION_STATE_LOSS_PENDING:
      return HeadsetState::lossPending;
    default:
      return HeadsetState::unknown;
  }
}

}  // namespace

const char* toText(HeadsetState state) {
  constexpr std::array kTexts{"unknown", "idle",     "ready",   "synchronized", "visible",
                              "focused", "stopping", "exiting", "loss pending", "lost"};
  return kTexts[static_cast<std::size_t>(state)];
}

OpenXrSession::OpenXrSession(OpenXrSystem& system, const vk::raii::Instance& instance,
                             const ChosenDevice& chosen, const vk::raii::Device& device, bool passthrough)
    : system_(system) {
  XrGraphicsBindingVulkan2KHR graphics{};
  graphics.type = XR_TYPE_GRAPHICS_BINDING_VULKAN2_KHR;
  graphics.instance = *instance;
  graphics.physicalDevice = *chosen.physical;
  graphics.device = *device;
  graphics.queueFamilyIndex = chosen.family;
  XrSessionCreateInfo info{};
  info.type = XR_TYPE_SESSION_CREATE_INFO;
  info.next = &graphics;
  info.systemId = system.id();
  calls().check(calls().CreateSession(calls().instance, &info, &session_), "xrCreateSession");
  try {
    makeRoom();
    chooseBlendMode(passthrough);
  } catch (...) {
    calls().DestroySession(session_);
    throw;
  }
}

OpenXrSession::~OpenXrSession() {
  calls().DestroySession(session_);  // also destroys its spaces
}

void OpenXrSession::makeRoom() {
  const auto spaces =
      enumerated(calls(), "xrEnumerateReferenceSpaces", XR_REFERENCE_SPACE_TYPE_LOCAL,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrReferenceSpaceType* types) {
                   return calls().EnumerateReferenceSpaces(session_, capacity, count, types);
                 });
  const auto isOffered = [&](XrReferenceSpaceType type) {
    return std::find(spaces.begin(), spaces.end(), type) != spaces.end();
  };
  if (isOffered(XR_REFERENCE_SPACE_TYPE_STAGE))
    roomSpace_ = XR_REFERENCE_SPACE_TYPE_STAGE;
  else if (isOffered(kLocalFloorSpace))
    roomSpace_ = kLocalFloorSpace;
  room_ = makeSpace(roomSpace_);
}

XrSpace OpenXrSession::makeSpace(XrReferenceSpaceType type) const {
  XrReferenceSpaceCreateInfo info{};
  info.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO;
  info.referenceSpaceType = type;
  info.poseInReferenceSpace = poseOf(physics::Pose());
  XrSpace space = XR_NULL_HANDLE;
  calls().check(calls().CreateReferenceSpace(session_, &info, &space), "xrCreateReferenceSpace");
  return space;
}

/// Opaque, or for the view of the room alpha blending or additive; if that is not supported, the runtime's
/// preferred mode, which is the first.
void OpenXrSession::chooseBlendMode(bool passthrough) {
  const auto modes =
      enumerated(calls(), "xrEnumerateEnvironmentBlendModes", XR_ENVIRONMENT_BLEND_MODE_OPAQUE,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrEnvironmentBlendMode* found) {
                   return calls().EnumerateEnvironmentBlendModes(calls().instance, system_.id(),
                                                                 views().type(), capacity, count, found);
                 });
  std::vector<XrEnvironmentBlendMode> wanted{XR_ENVIRONMENT_BLEND_MODE_OPAQUE};
  if (passthrough)
    wanted = {XR_ENVIRONMENT_BLEND_MODE_ALPHA_BLEND, XR_ENVIRONMENT_BLEND_MODE_ADDITIVE,
              XR_ENVIRONMENT_BLEND_MODE_OPAQUE};
  const auto chosen = std::find_first_of(wanted.begin(), wanted.end(), modes.begin(), modes.end());
  if (chosen != wanted.end())
    blendMode_ = *chosen;
  else if (!modes.empty())
    blendMode_ = modes.front();
}

void OpenXrSession::begin() {
  XrSessionBeginInfo info{};
  info.type = XR_TYPE_SESSION_BEGIN_INFO;
  info.primaryViewConfigurationType = views().type();
  calls().check(calls().BeginSession(session_, &info), "xrBeginSession");
}

void OpenXrSession::handle(const XrEventDataSessionStateChanged& event) {
  state_ = stateOf(event.state);
  states_.push_back(state_);
  if (event.state == XR_SESSION_STATE_LOSS_PENDING)
    throw HeadsetLost("the headset is being lost (XR_SESSION_STATE_LOSS_PENDING)");
  if (event.state == XR_SESSION_STATE_READY && !running_) {
    try {
      begin();
    } catch (const OpenXrError& error) {
      if (!views().hasInset()) throw;
      system_.views().dropInset(error.what());
      begin();
    }
    running_ = true;
  }
  if (event.state == XR_SESSION_STATE_STOPPING && running_) {
    if (beforeEnd) beforeEnd();
    running_ = false;
    calls().check(calls().EndSession(session_), "xrEndSession");
  }
}

/// Changes of other spaces do not matter.
void OpenXrSession::handle(const XrEventDataReferenceSpaceChangePending& event) {
  if (event.referenceSpaceType == roomSpace_) recenterTime_ = event.changeTime;
}

void OpenXrSession::handle(const XrEventDataPerfSettingsEXT& event) {
  if (event.toLevel <= event.fromLevel) return;
  const char* const device = event.domain == XR_PERF_SETTINGS_DOMAIN_CPU_EXT ? "processor" : "graphics card";
  const char* const what = event.subDomain == XR_PERF_SETTINGS_SUB_DOMAIN_THERMAL_EXT ? "is hot"
                           : event.subDomain == XR_PERF_SETTINGS_SUB_DOMAIN_RENDERING_EXT
                               ? "draws too slowly"
                               : "composes too slowly";
  performanceWarning_ = fmt::format(
      "the runtime reports that the headset's {} {}{}; lower --resolution or "
      "--refresh-rate",
      device, what, event.toLevel >= XR_PERF_SETTINGS_NOTIF_LEVEL_IMPAIRED_EXT ? " and frames are late" : "");
}

void OpenXrSession::requestPerformance() const {
  if (!calls().has(XR_EXT_PERFORMANCE_SETTINGS_EXTENSION_NAME) ||
      calls().PerfSettingsSetPerformanceLevelEXT == nullptr)
    return;
  for (const auto domain : {XR_PERF_SETTINGS_DOMAIN_CPU_EXT, XR_PERF_SETTINGS_DOMAIN_GPU_EXT})
    calls().check(calls().PerfSettingsSetPerformanceLevelEXT(session_, domain,
                                                             XR_PERF_SETTINGS_LEVEL_SUSTAINED_HIGH_EXT),
                  "xrPerfSettingsSetPerformanceLevelEXT");
}

bool OpenXrSession::consumeRecentered(XrTime time) {
  if (!recenterTime_ || time < *recenterTime_) return false;
  recenterTime_.reset();
  return true;
}

void OpenXrSession::poll() {
  while (true) {
    XrEventDataBuffer event{};
    event.type = XR_TYPE_EVENT_DATA_BUFFER;
    const XrResult result = calls().PollEvent(calls().instance, &event);
    calls().check(result, "xrPollEvent");
    if (result == XR_EVENT_UNAVAILABLE) return;
    if (event.type == kUserPresenceChanged)
      userPresent_ = reinterpret_cast<const UserPresenceChanged&>(event).isUserPresent == XR_TRUE;
    modelsChanged_ = modelsChanged_ || event.type == XR_TYPE_EVENT_DATA_INTERACTION_RENDER_MODELS_CHANGED_EXT;
    switch (event.type) {
      case XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING:
        throw HeadsetLost("the OpenXR runtime is being lost (XrEventDataInstanceLossPending)");
      case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED:
        handle(reinterpret_cast<const XrEventDataSessionStateChanged&>(event));
        break;
      case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING:
        handle(reinterpret_cast<const XrEventDataReferenceSpaceChangePending&>(event));
        break;
      case XR_TYPE_EVENT_DATA_PERF_SETTINGS_EXT:
        handle(reinterpret_cast<const XrEventDataPerfSettingsEXT&>(event));
        break;
      case XR_TYPE_EVENT_DATA_VISIBILITY_MASK_CHANGED_KHR:
        visibilityChanged_ = true;
        break;
      case XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED:
        profileChanged_ = true;
        break;
      default:
        break;
    }
  }
}

bool OpenXrSession::requestExit() {
  const XrResult result = calls().RequestExitSession(session_);
  if (result == XR_ERROR_SESSION_NOT_RUNNING) return false;
  calls().check(result, "xrRequestExitSession");
  return true;
}

std::vector<double> OpenXrSession::refreshRates() const {
  if (calls().EnumerateDisplayRefreshRatesFB == nullptr) return {};
  const auto rates =
      enumerated(calls(), "xrEnumerateDisplayRefreshRatesFB", 0.0f,
                 [&](std::uint32_t capacity, std::uint32_t* count, float* found) {
                   return calls().EnumerateDisplayRefreshRatesFB(session_, capacity, count, found);
                 });
  return {rates.begin(), rates.end()};
}

double OpenXrSession::refreshRate() const {
  float rate = 0;
  if (calls().GetDisplayRefreshRateFB == nullptr) return 0;
  calls().check(calls().GetDisplayRefreshRateFB(session_, &rate), "xrGetDisplayRefreshRateFB");
  return axisOf(rate);
}

void OpenXrSession::requestRefreshRate(double rate) const {
  const std::vector<double> all = refreshRates();
  if (all.empty() || calls().RequestDisplayRefreshRateFB == nullptr) return;
  const auto isNearer = [&](double a, double b) { return std::abs(a - rate) < std::abs(b - rate); };
  const double nearest = *std::min_element(all.begin(), all.end(), isNearer);
  calls().check(calls().RequestDisplayRefreshRateFB(session_, static_cast<float>(nearest)),
                "xrRequestDisplayRefreshRateFB");
}

void OpenXrSession::updateGaze(XrTime time) {
  gazeKnown_ = false;
  if (!views().followsGaze() || gazeFailed_) return;
  gazeFailed_ = true;  // unless both spaces are there
  if (head_ == XR_NULL_HANDLE) head_ = makeSpace(XR_REFERENCE_SPACE_TYPE_VIEW);
  if (gaze_ == XR_NULL_HANDLE) gaze_ = makeSpace(XR_REFERENCE_SPACE_TYPE_COMBINED_EYE_VARJO);
  gazeFailed_ = false;
  XrSpaceLocation location{};
  location.type = XR_TYPE_SPACE_LOCATION;
  calls().check(calls().LocateSpace(gaze_, head_, time, &location), "xrLocateSpace");
  gazeKnown_ = (location.locationFlags & XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT) != 0;
}

void OpenXrSession::locateEyes(XrTime time, XrFrame& frame, std::vector<XrView>& located) const {
  XrView empty{};
  empty.type = XR_TYPE_VIEW;
  located.assign(views().viewCount(), empty);
  XrViewLocateFoveatedRenderingVARJO foveated{};
  foveated.type = XR_TYPE_VIEW_LOCATE_FOVEATED_RENDERING_VARJO;
  foveated.foveatedRenderingActive = gazeKnown_ ? XR_TRUE : XR_FALSE;
  XrViewLocateInfo info{};
  info.type = XR_TYPE_VIEW_LOCATE_INFO;
  if (views().followsGaze()) info.next = &foveated;
  info.viewConfigurationType = views().type();
  info.displayTime = time;
  info.space = room_;
  XrViewState state{};
  state.type = XR_TYPE_VIEW_STATE;
  std::uint32_t count = 0;
  calls().check(calls().LocateViews(session_, &info, &state, views().viewCount(), &count, located.data()),
                "xrLocateViews");
  constexpr XrViewStateFlags kValid = XR_VIEW_STATE_ORIENTATION_VALID_BIT | XR_VIEW_STATE_POSITION_VALID_BIT;
  if (count != located.size() || (state.viewStateFlags & kValid) != kValid) return;
  std::vector<std::optional<View>> found;
  for (const XrView& one : located) found.push_back(viewOf(one));
  frame.rejected += static_cast<int>(std::count(found.begin(), found.end(), std::nullopt));
  if (!found[0] || !found[1]) return;
  for (std::size_t k = 2; k < found.size(); ++k) {
    if (!found[k]) {
      located[k] = located[k - 2];
      found[k] = found[k - 2];
    }
    frame.insets.push_back(*found[k]);
  }
  frame.eyes = {*found[0], *found[1]};
  const physics::Pose &X_SLeft = frame.eyes[0].X_WC, &X_SRight = frame.eyes[1].X_WC;
  frame.X_SH.p = 0.5 * (X_SLeft.p + X_SRight.p);
  frame.X_SH.q = X_SLeft.q.slerp(0.5, X_SRight.q);
}

}  // namespace tenon::xr
