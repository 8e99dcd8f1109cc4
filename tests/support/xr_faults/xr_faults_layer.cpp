// An API layer of OpenXR for tests: between the loader and the runtime it makes calls fail as fault_list.h
// says, counts frames, and says at the end of each session what it saw, and what broke the rules:
//   {"begun": 9, "ended": 9, "drawn": 7, "empty": 2, "depth": 7, "late": 7, "ahead": 8, "wrong": ""}
// `drawn` are frames with a layer, `depth` those of them with depth, `late` those whose eyes were located
// after the images to draw into were there, `ahead` those that were waited for while another was drawn.
#include <vulkan/vulkan.h>

#define XR_NO_PROTOTYPES 1
#define XR_USE_GRAPHICS_API_VULKAN 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/xr_faults/controller_models.h"
#include "tests/support/xr_faults/display.h"
#include "tests/support/xr_faults/emulated_profile.h"
#include "tests/support/xr_faults/events.h"
#include "tests/support/xr_faults/fault_list.h"
#include "tests/support/xr_faults/foveated_views.h"
#include "tests/support/xr_faults/layer_state.h"
#include "tests/support/xr_faults/loader_interface.h"
#include "tests/support/xr_faults/planes.h"
#include "tests/support/xr_faults/submitted_images.h"
#include "xr/openxr/later_names.h"
#include "xr/openxr/xr_functions.h"

namespace tenon::faults {
namespace {

/// Longest wait of a frame's end for the call of xrWaitFrame on another thread.
constexpr std::chrono::seconds kPipelineTimeout{20};
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

PFN_xrGetInstanceProcAddr nextProc = nullptr;
XrInstance theInstance = XR_NULL_HANDLE;
std::vector<std::string> enabledExtensions;  ///< by the program

/// What xrWaitFrame gave, possibly on a thread of its own.
struct WaitedFrame {
  bool wanted = false;  ///< a picture is
  XrTime display = 0;
};
std::mutex frameMutex;                ///< for the session's frames
std::condition_variable frameWaited;  ///< a call of xrWaitFrame has begun

// One session at a time is what the program under test has.
struct Session {
  XrSession handle = XR_NULL_HANDLE;
  bool running = false;            ///< as reported to the program
  bool open = false;               ///< a frame has begun and not ended
  bool wanted = false;             ///< a picture is, of this frame
  bool known = false;              ///< where the eyes are
  bool nextWaited = false;         ///< the frame after the open one is waited for
  bool imaged = false;             ///< images of this frame are there
  bool late = false;               ///< eyes were located after that
  bool off = false;                ///< the headset is, by an event of ours
  bool hasInset = false;           ///< began with foveated views
  bool isMasked = false;           ///< a mask was read
  bool masksInset = false;         ///< the last mask was one of foveated views
  XrTime display = 0;              ///< of the newest frame
  XrTime shown = 0;                ///< by a display of ours
  std::deque<int> events;          ///< to be reported next
  std::deque<WaitedFrame> waited;  ///< that have not begun
  int begun = 0, ended = 0, drawn = 0, empty = 0, depth = 0, lately = 0, ahead = 0;
  int blend = 0, alpha = 0, room = 0, width = 0;  ///< of the last frame with a layer, or counted
  int views = 0, inset = 0;                       ///< of the last frame with a layer
  std::string wrong;

  void complain(const char* what) {
    if (wrong.find(what) == std::string::npos) wrong += std::string(wrong.empty() ? "" : ", ") + what;
  }
  void report() const {
    const auto field = [](const char* name, int value) {
      return "\"" + std::string(name) + "\": " + std::to_string(value) + ", ";
    };
    note("{" + field("begun", begun) + field("ended", ended) + field("drawn", drawn) + field("empty", empty) +
         field("depth", depth) + field("late", lately) + field("ahead", ahead) + field("blend", blend) +
         field("alpha", alpha) + field("room", room) + field("width", width) + field("views", views) +
         field("inset", inset) + "\"wrong\": \"" + wrong + "\"}");
  }
};
Session session;

#define TENON_XR_NEXT(Name)                     \
  struct Name##Call {                           \
    static constexpr const char* kName = #Name; \
    static inline PFN_xr##Name next = nullptr;  \
  };
TENON_XR_FUNCTIONS(TENON_XR_NEXT)
TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_NEXT)
#undef TENON_XR_NEXT

/// The result that is wanted, or that of the runtime. What destroys something does so also where it fails.
template <class Call, class... Args>
XrResult pass(Args... args) {
  const std::optional<int> failure = failureOf(Call::kName);
  if (!failure) return Call::next(args...);
  if (std::strncmp(Call::kName, "Destroy", 7) == 0) Call::next(args...);
  return static_cast<XrResult>(*failure);
}

template <class Call, class Function>
struct Through;
template <class Call, class... Args>
struct Through<Call, XrResult(XRAPI_PTR*)(Args...)> {
  static XRAPI_ATTR XrResult XRAPI_CALL call(Args... args) { return pass<Call>(args...); }
};

// --- what is looked at more closely; by the name of the call -------------------------------------------
XRAPI_ATTR XrResult XRAPI_CALL call(CreateSessionCall, XrInstance instance, const XrSessionCreateInfo* info,
                                    XrSession* made) {
  session = Session();
  const XrResult result = pass<CreateSessionCall>(instance, info, made);
  if (XR_SUCCEEDED(result)) session.handle = *made;
  if (XR_SUCCEEDED(result)) rememberDevice(*info);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(DestroySessionCall, XrSession handle) {
  if (session.open) session.complain("a session destroyed within a frame");
  if (openModels() != 0) session.complain("models that were not destroyed");
  session.report();
  return pass<DestroySessionCall>(handle);
}

XRAPI_ATTR XrResult XRAPI_CALL call(BeginSessionCall, XrSession handle, const XrSessionBeginInfo* info) {
  if (session.off) {  // the runtime never ended it
    if (const auto failure = failureOf("BeginSession")) return static_cast<XrResult>(*failure);
    session.off = false;
    session.running = true;
    session.events = {XR_SESSION_STATE_SYNCHRONIZED, XR_SESSION_STATE_VISIBLE, XR_SESSION_STATE_FOCUSED};
    return XR_SUCCESS;
  }
  XrSessionBeginInfo known = *info;
  known.primaryViewConfigurationType = knownTo(info->primaryViewConfigurationType);
  session.hasInset = known.primaryViewConfigurationType != info->primaryViewConfigurationType;
  const XrResult result = pass<BeginSessionCall>(handle, const_cast<const XrSessionBeginInfo*>(&known));
  session.running = XR_SUCCEEDED(result);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EndSessionCall, XrSession handle) {
  session.running = false;
  if (!session.off) return pass<EndSessionCall>(handle);
  if (const auto failure = failureOf("EndSession")) return static_cast<XrResult>(*failure);
  session.events = {XR_SESSION_STATE_IDLE};
  return XR_SUCCESS;
}

XrDebugUtilsMessengerCreateInfoEXT messenger{};  ///< of the program; no callback: there is none

XRAPI_ATTR XrResult XRAPI_CALL call(CreateDebugUtilsMessengerEXTCall, XrInstance instance,
                                    const XrDebugUtilsMessengerCreateInfoEXT* info,
                                    XrDebugUtilsMessengerEXT* made) {
  const XrResult result = pass<CreateDebugUtilsMessengerEXTCall>(instance, info, made);
  if (XR_SUCCEEDED(result)) messenger = *info;
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(DestroyDebugUtilsMessengerEXTCall, XrDebugUtilsMessengerEXT made) {
  messenger = {};
  return pass<DestroyDebugUtilsMessengerEXTCall>(made);
}

void complainIfWished() {
  if (messenger.userCallback == nullptr) return;
  const std::string text = takeComplaint();
  if (text.empty()) return;
  XrDebugUtilsMessengerCallbackDataEXT data{};
  data.type = XR_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.functionName = "xrPollEvent";
  data.message = text.c_str();
  messenger.userCallback(XR_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
                         XR_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data, messenger.userData);
}

XRAPI_ATTR XrResult XRAPI_CALL call(PollEventCall, XrInstance instance, XrEventDataBuffer* event) {
  complainIfWished();
  if (const auto failure = failureOf("PollEvent")) return static_cast<XrResult>(*failure);
  if (session.handle != XR_NULL_HANDLE && session.events.empty())
    if (const auto wanted = takeEvent()) session.events.push_back(*wanted);
  if (session.events.empty()) return PollEventCall::next(instance, event);
  const int state = session.events.front();
  session.events.pop_front();
  if (makeEvent(state, session.handle, session.display, *event)) return XR_SUCCESS;
  session.off = session.off || state == XR_SESSION_STATE_STOPPING;
  XrEventDataSessionStateChanged changed{};
  changed.type = XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED;
  changed.session = session.handle;
  changed.state = static_cast<XrSessionState>(state);
  std::memcpy(event, &changed, sizeof changed);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateReferenceSpacesCall, XrSession handle, std::uint32_t most,
                                    std::uint32_t* count, XrReferenceSpaceType* types) {
  const XrResult result = pass<EnumerateReferenceSpacesCall>(handle, most, count, types);
  if (XR_FAILED(result) || most == 0 || !holds("unstaged")) return result;
  const auto end = std::remove(types, types + *count, XR_REFERENCE_SPACE_TYPE_STAGE);
  *count = static_cast<std::uint32_t>(end - types);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateViewConfigurationViewsCall, XrInstance instance,
                                    XrSystemId system, XrViewConfigurationType type, std::uint32_t most,
                                    std::uint32_t* count, XrViewConfigurationView* views) {
  const bool hasInset = knownTo(type) != type;
  if (hasInset && most == 0) {
    *count = foveatedViewCount();
    return XR_SUCCESS;
  }
  const XrResult result = pass<EnumerateViewConfigurationViewsCall>(instance, system, knownTo(type),
                                                                    hasInset ? 2U : most, count, views);
  const std::optional<Display> display = wantedDisplay();
  for (std::uint32_t k = 0; XR_SUCCEEDED(result) && display && k < std::min(most, *count); ++k)
    setSize(*display, views[k]);
  if (XR_FAILED(result) || !hasInset) return result;
  setInsetSizes(views);
  *count = foveatedViewCount();
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateViewConfigurationsCall, XrInstance instance, XrSystemId system,
                                    std::uint32_t most, std::uint32_t* count,
                                    XrViewConfigurationType* types) {
  if (!offersInset()) return pass<EnumerateViewConfigurationsCall>(instance, system, most, count, types);
  std::vector<XrViewConfigurationType> all(16);
  const XrResult result = pass<EnumerateViewConfigurationsCall>(
      instance, system, static_cast<std::uint32_t>(all.size()), count, all.data());
  if (XR_FAILED(result)) return result;
  all.resize(*count);
  all = withFoveated(std::move(all));
  *count = static_cast<std::uint32_t>(all.size());
  if (most >= *count) std::copy(all.begin(), all.end(), types);
  return XR_SUCCESS;
}

/// Where the person looks is a space that the runtime does not have.
const auto kGazeSpace = reinterpret_cast<XrSpace>(4);

XRAPI_ATTR XrResult XRAPI_CALL call(CreateReferenceSpaceCall, XrSession handle,
                                    const XrReferenceSpaceCreateInfo* info, XrSpace* made) {
  if (info->referenceSpaceType != XR_REFERENCE_SPACE_TYPE_COMBINED_EYE_VARJO)
    return pass<CreateReferenceSpaceCall>(handle, info, made);
  note("gaze");
  if (const auto failure = failureOf("CreateGazeSpace")) return static_cast<XrResult>(*failure);
  *made = kGazeSpace;
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(WaitFrameCall, XrSession handle, const XrFrameWaitInfo* info,
                                    XrFrameState* state) {
  {
    const std::lock_guard lock(frameMutex);
    if (!session.running) session.complain("a frame outside a running session");
    session.ahead += session.open ? 1 : 0;
    session.nextWaited = session.open;
  }
  frameWaited.notify_all();
  const XrResult result = pass<WaitFrameCall>(handle, info, state);
  const std::lock_guard lock(frameMutex);
  if (const auto display = wantedDisplay(); XR_SUCCEEDED(result) && display)
    setTimes(*display, session.shown, *state);
  if (XR_SUCCEEDED(result) && holds("unseen")) state->shouldRender = XR_FALSE;
  if (XR_SUCCEEDED(result))
    session.waited.push_back({state->shouldRender == XR_TRUE, state->predictedDisplayTime});
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(BeginFrameCall, XrSession handle, const XrFrameBeginInfo* info) {
  const XrResult result = pass<BeginFrameCall>(handle, info);
  const std::lock_guard lock(frameMutex);
  if (session.open) session.complain("a frame that was not ended");
  if (session.waited.empty()) session.complain("a frame that was not waited for");
  if (XR_FAILED(result) || session.waited.empty()) return result;
  session.wanted = session.waited.front().wanted;
  session.display = session.waited.front().display;
  session.waited.pop_front();
  ++session.begun;
  session.open = true;
  session.known = session.imaged = session.late = session.nextWaited = false;
  return result;
}

/// What the runtime gives as poses of hands, or of eyes.
void spoil(XrPosef& pose, const std::string& what) {
  if (holds("spoil " + what + " nan")) pose.position.x = pose.orientation.w = kNoNumber;
  if (holds("spoil " + what + " zero")) pose.orientation = {0, 0, 0, 0};
}

XRAPI_ATTR XrResult XRAPI_CALL call(LocateViewsCall, XrSession handle, const XrViewLocateInfo* info,
                                    XrViewState* state, std::uint32_t most, std::uint32_t* count,
                                    XrView* views) {
  XrViewLocateInfo known = *info;
  const bool hasInset = knownTo(info->viewConfigurationType) != info->viewConfigurationType;
  known.viewConfigurationType = knownTo(info->viewConfigurationType);
  if (hasInset) known.next = nullptr;
  const XrResult result = pass<LocateViewsCall>(handle, const_cast<const XrViewLocateInfo*>(&known), state,
                                                hasInset ? 2U : most, count, views);
  if (XR_FAILED(result)) return result;
  if (most >= 2) setFields(views);
  if (hasInset) {
    locateInsets(*info, views);
    *count = 4;
  }
  if (holds("blind")) state->viewStateFlags = 0;
  for (std::uint32_t k = 0; k < std::min(most, *count); ++k) {
    spoil(views[k].pose, "eyes");
    if (holds("spoil fov nan")) views[k].fov.angleLeft = kNoNumber;
    if (holds("spoil fov zero")) views[k].fov = {0, 0, 0, 0};
  }
  constexpr XrViewStateFlags kBoth = XR_VIEW_STATE_ORIENTATION_VALID_BIT | XR_VIEW_STATE_POSITION_VALID_BIT;
  session.known = session.known || (state->viewStateFlags & kBoth) == kBoth;
  session.late = session.late || session.imaged;
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(LocateSpaceCall, XrSpace space, XrSpace base, XrTime time,
                                    XrSpaceLocation* location) {
  if (space == kGazeSpace) {
    locateGaze(*location);
    return XR_SUCCESS;
  }
  if (const auto grip = gripOf(space)) {
    const XrResult result = LocateSpaceCall::next(*grip, base, time, location);
    if (XR_SUCCEEDED(result)) moveToModel(*location);
    return result;
  }
  const XrResult result = pass<LocateSpaceCall>(space, base, time, location);
  if (XR_SUCCEEDED(result)) spoil(location->pose, "hands");
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(DestroySpaceCall, XrSpace space) {
  return gripOf(space) ? XR_SUCCESS : pass<DestroySpaceCall>(space);
}

XRAPI_ATTR XrResult XRAPI_CALL call(CreateActionCall, XrActionSet set, const XrActionCreateInfo* info,
                                    XrAction* made) {
  const XrResult result = pass<CreateActionCall>(set, info, made);
  if (XR_SUCCEEDED(result)) rememberAction(*info, *made);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(CreateActionSpaceCall, XrSession handle,
                                    const XrActionSpaceCreateInfo* info, XrSpace* made) {
  const XrResult result = pass<CreateActionSpaceCall>(handle, info, made);
  if (XR_SUCCEEDED(result)) rememberActionSpace(*info, *made, textOf(info->subactionPath));
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(SyncActionsCall, XrSession handle, const XrActionsSyncInfo* info) {
  rememberSync();
  return pass<SyncActionsCall>(handle, info);
}

// --- a controller of another kind: emulated_profile.h --------------------------------------------------
XRAPI_ATTR XrResult XRAPI_CALL call(StringToPathCall, XrInstance instance, const char* text, XrPath* path) {
  const XrResult result = pass<StringToPathCall>(instance, text, path);
  if (XR_SUCCEEDED(result)) rememberPath(text, *path);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(SuggestInteractionProfileBindingsCall, XrInstance instance,
                                    const XrInteractionProfileSuggestedBinding* bindings) {
  const XrResult result = pass<SuggestInteractionProfileBindingsCall>(instance, bindings);
  rememberBindings(*bindings);
  note("suggest " + textOf(bindings->interactionProfile) + " " + std::to_string(result));
  return textOf(bindings->interactionProfile) == emulatedProfile() ? XR_SUCCESS : result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(GetCurrentInteractionProfileCall, XrSession handle, XrPath hand,
                                    XrInteractionProfileState* state) {
  const XrResult result = pass<GetCurrentInteractionProfileCall>(handle, hand, state);
  if (XR_SUCCEEDED(result) && !emulatedProfile().empty())
    return StringToPathCall::next(theInstance, emulatedProfile().c_str(), &state->interactionProfile);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateBoundSourcesForActionCall, XrSession handle,
                                    const XrBoundSourcesForActionEnumerateInfo* info, std::uint32_t most,
                                    std::uint32_t* count, XrPath* sources) {
  if (emulatedProfile().empty())
    return pass<EnumerateBoundSourcesForActionCall>(handle, info, most, count, sources);
  const std::vector<XrPath> found = sourcesOf(info->action, XR_NULL_PATH);
  *count = static_cast<std::uint32_t>(found.size());
  if (most >= *count) std::copy(found.begin(), found.end(), sources);
  return XR_SUCCESS;
}

/// The name of an input is the end of its path, that of its controller the end of the profile's.
XRAPI_ATTR XrResult XRAPI_CALL call(GetInputSourceLocalizedNameCall, XrSession handle,
                                    const XrInputSourceLocalizedNameGetInfo* info, std::uint32_t most,
                                    std::uint32_t* count, char* text) {
  if (emulatedProfile().empty())
    return pass<GetInputSourceLocalizedNameCall>(handle, info, most, count, text);
  const bool component = (info->whichComponents & XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT) != 0;
  const std::string path = component ? textOf(info->sourcePath) : emulatedProfile();
  const std::string before = component ? "/input/" : "/interaction_profiles/";
  return giveText(path.substr(path.find(before) + before.size()), most, count, text);
}

XRAPI_ATTR XrResult XRAPI_CALL call(GetActionStateBooleanCall, XrSession handle,
                                    const XrActionStateGetInfo* info, XrActionStateBoolean* state) {
  const XrResult result = pass<GetActionStateBooleanCall>(handle, info, state);
  if (XR_FAILED(result) || emulatedProfile().empty()) return result;
  const EmulatedState emulated = stateOf(*info);
  state->isActive = emulated.active ? XR_TRUE : XR_FALSE;
  state->currentState = emulated.value[0] > 0.5f ? XR_TRUE : XR_FALSE;
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(GetActionStateFloatCall, XrSession handle,
                                    const XrActionStateGetInfo* info, XrActionStateFloat* state) {
  const XrResult result = pass<GetActionStateFloatCall>(handle, info, state);
  if (XR_SUCCEEDED(result) && !emulatedProfile().empty()) {
    const EmulatedState emulated = stateOf(*info);
    state->isActive = emulated.active ? XR_TRUE : XR_FALSE;
    state->currentState = emulated.value[0];
  }
  if (XR_SUCCEEDED(result) && holds("spoil axes nan")) state->currentState = kNoNumber;
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(GetActionStateVector2fCall, XrSession handle,
                                    const XrActionStateGetInfo* info, XrActionStateVector2f* state) {
  const XrResult result = pass<GetActionStateVector2fCall>(handle, info, state);
  if (XR_SUCCEEDED(result) && !emulatedProfile().empty()) {
    const EmulatedState emulated = stateOf(*info);
    state->isActive = emulated.active ? XR_TRUE : XR_FALSE;
    state->currentState = {emulated.value[0], emulated.value[1]};
  }
  if (XR_SUCCEEDED(result) && holds("spoil axes nan")) state->currentState = {kNoNumber, kNoNumber};
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(WaitSwapchainImageCall, XrSwapchain swapchain,
                                    const XrSwapchainImageWaitInfo* info) {
  session.imaged = true;
  return pass<WaitSwapchainImageCall>(swapchain, info);
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateSwapchainFormatsCall, XrSession handle, std::uint32_t most,
                                    std::uint32_t* count, std::int64_t* formats) {
  std::istringstream in(valueOf("formats"));
  const std::vector<std::int64_t> wanted{std::istream_iterator<std::int64_t>(in), {}};
  if (wanted.empty()) return pass<EnumerateSwapchainFormatsCall>(handle, most, count, formats);
  *count = static_cast<std::uint32_t>(wanted.size());
  if (most >= *count) std::copy(wanted.begin(), wanted.end(), formats);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(CreateSwapchainCall, XrSession handle, const XrSwapchainCreateInfo* info,
                                    XrSwapchain* made) {
  note("swapchain " + std::to_string(info->format) + " " + std::to_string(info->width) + " " +
       std::to_string(info->height));
  const XrResult result = pass<CreateSwapchainCall>(handle, info, made);
  if (XR_SUCCEEDED(result)) rememberSwapchain(*made, *info);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateSwapchainImagesCall, XrSwapchain swapchain, std::uint32_t most,
                                    std::uint32_t* count, XrSwapchainImageBaseHeader* images) {
  const XrResult result = pass<EnumerateSwapchainImagesCall>(swapchain, most, count, images);
  if (XR_SUCCEEDED(result) && most > 0) rememberImages(swapchain, *count, images);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(AcquireSwapchainImageCall, XrSwapchain swapchain,
                                    const XrSwapchainImageAcquireInfo* info, std::uint32_t* index) {
  if (const auto failure = isLastDepth(swapchain) ? failureOf("AcquireLastDepth") : std::nullopt)
    return static_cast<XrResult>(*failure);
  const XrResult result = pass<AcquireSwapchainImageCall>(swapchain, info, index);
  if (XR_SUCCEEDED(result)) rememberAcquired(swapchain, *index);
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL call(ReleaseSwapchainImageCall, XrSwapchain swapchain,
                                    const XrSwapchainImageReleaseInfo* info) {
  if (const auto failure = isLastDepth(swapchain) ? failureOf("ReleaseLastDepth") : std::nullopt)
    return static_cast<XrResult>(*failure);
  readImage(swapchain);
  return pass<ReleaseSwapchainImageCall>(swapchain, info);
}

bool hasDepth(const XrCompositionLayerBaseHeader& layer) {
  if (layer.type != XR_TYPE_COMPOSITION_LAYER_PROJECTION) return false;
  const auto& projection = reinterpret_cast<const XrCompositionLayerProjection&>(layer);
  for (std::uint32_t k = 0; k < projection.viewCount; ++k) {
    const auto* const next = static_cast<const XrBaseInStructure*>(projection.views[k].next);
    if (next == nullptr || next->type != XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR) return false;
  }
  return true;
}

/// What is remembered of the layer of the scene: of the left eye and its inset, the widths [pixels].
void inspect(const XrCompositionLayerProjection& layer) {
  session.width = layer.views[0].subImage.imageRect.extent.width;
  session.views = static_cast<int>(layer.viewCount);
  session.inset = layer.viewCount > 2 ? layer.views[2].subImage.imageRect.extent.width : 0;
  writeImages(layer);
  if (session.isMasked && session.masksInset != session.hasInset)
    session.complain("the masks of other views");
  if (!session.hasInset) return;
  if (const char* const fault = faultOf(layer); *fault != 0) session.complain(fault);
}

/// By the line `mask`: all that is left of a tangent, in two triangles.
XRAPI_ATTR XrResult XRAPI_CALL call(GetVisibilityMaskKHRCall, XrSession handle, XrViewConfigurationType views,
                                    std::uint32_t view, XrVisibilityMaskTypeKHR type,
                                    XrVisibilityMaskKHR* mask) {
  session.isMasked = true;
  session.masksInset = knownTo(views) != views;
  if (view >= (session.masksInset ? 4U : 2U)) session.complain("the mask of a view that is not there");
  const std::string wanted = valueOf("mask");
  if (wanted.empty() && view >= 2) {  // the runtime does not know insets
    mask->vertexCountOutput = mask->indexCountOutput = 0;
    return XR_SUCCESS;
  }
  if (wanted.empty()) return pass<GetVisibilityMaskKHRCall>(handle, knownTo(views), view, type, mask);
  const bool counts = mask->vertexCapacityInput == 0;
  mask->vertexCountOutput = 4;
  mask->indexCountOutput = 6;
  std::istringstream tangents(wanted);
  float right = 0;
  tangents >> right;
  for (std::uint32_t k = 0; k < view && tangents >> right; ++k) continue;
  const XrVector2f vertices[] = {{-9, -9}, {right, -9}, {right, 9}, {-9, 9}};
  const std::uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  if (!counts) std::copy(std::begin(vertices), std::end(vertices), mask->vertices);
  if (!counts) std::copy(std::begin(indices), std::end(indices), mask->indices);
  return XR_SUCCESS;
}

bool isRoom(const XrCompositionLayerBaseHeader& layer) {
  return layer.type == XR_TYPE_COMPOSITION_LAYER_PASSTHROUGH_FB;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EnumerateEnvironmentBlendModesCall, XrInstance instance,
                                    XrSystemId system, XrViewConfigurationType type, std::uint32_t most,
                                    std::uint32_t* count, XrEnvironmentBlendMode* modes) {
  std::istringstream in(valueOf("blend"));
  std::vector<XrEnvironmentBlendMode> wanted;
  for (int mode = 0; in >> mode;) wanted.push_back(static_cast<XrEnvironmentBlendMode>(mode));
  if (wanted.empty())
    return pass<EnumerateEnvironmentBlendModesCall>(instance, system, knownTo(type), most, count, modes);
  *count = static_cast<std::uint32_t>(wanted.size());
  if (most >= *count) std::copy(wanted.begin(), wanted.end(), modes);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(EndFrameCall, XrSession handle, const XrFrameEndInfo* info) {
  {
    std::unique_lock lock(frameMutex);
    if (holds("pipelined") &&
        !frameWaited.wait_for(lock, kPipelineTimeout, [] { return session.nextWaited; }))
      session.complain("a frame that ends before the next one is waited for");
    if (!session.open) session.complain("a frame ended that was not begun");
    session.open = false;
    ++session.ended;
    if (info->layerCount == 0) ++session.empty;
    if (info->layerCount > 0) {
      if (!session.wanted) session.complain("a picture that is not wanted");
      if (!session.known) session.complain("a picture without eyes");
      ++session.drawn;
      session.lately += session.late ? 1 : 0;
      const XrCompositionLayerBaseHeader& scene = *info->layers[info->layerCount - 1];
      session.depth += hasDepth(scene) ? 1 : 0;
      if (scene.type == XR_TYPE_COMPOSITION_LAYER_PROJECTION)
        inspect(reinterpret_cast<const XrCompositionLayerProjection&>(scene));
      session.blend = info->environmentBlendMode;
      session.alpha += (scene.layerFlags & XR_COMPOSITION_LAYER_BLEND_TEXTURE_SOURCE_ALPHA_BIT) != 0 ? 1 : 0;
      session.room += isRoom(*info->layers[0]) ? 1 : 0;
    }
  }
  XrFrameEndInfo known = *info;  // without what the runtime lacks
  if (!valueOf("blend").empty()) known.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
  if (known.layerCount > 0 && isRoom(*known.layers[0])) {
    ++known.layers;
    --known.layerCount;
  }
  XrCompositionLayerProjection eyes{};
  const auto* const layer = reinterpret_cast<const XrCompositionLayerBaseHeader*>(&eyes);
  if (session.hasInset && known.layerCount == 1) {
    eyes = reinterpret_cast<const XrCompositionLayerProjection&>(*known.layers[0]);
    eyes.viewCount = std::min(eyes.viewCount, 2U);
    known.layers = &layer;
  }
  return pass<EndFrameCall>(handle, const_cast<const XrFrameEndInfo*>(&known));
}

// --- functions that the runtime lacks --------------------------------------------------------------------
XRAPI_ATTR XrResult XRAPI_CALL call(PerfSettingsSetPerformanceLevelEXTCall, XrSession /*handle*/,
                                    XrPerfSettingsDomainEXT domain, XrPerfSettingsLevelEXT level) {
  note("performance " + std::to_string(domain) + " " + std::to_string(level));
  return static_cast<XrResult>(failureOf("PerfSettingsSetPerformanceLevelEXT").value_or(XR_SUCCESS));
}

XRAPI_ATTR XrResult XRAPI_CALL call(CreatePassthroughFBCall, XrSession /*handle*/,
                                    const XrPassthroughCreateInfoFB* /*info*/, XrPassthroughFB* made) {
  *made = reinterpret_cast<XrPassthroughFB>(1);
  return static_cast<XrResult>(failureOf("CreatePassthroughFB").value_or(XR_SUCCESS));
}

XRAPI_ATTR XrResult XRAPI_CALL call(DestroyPassthroughFBCall, XrPassthroughFB /*made*/) {
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(CreatePassthroughLayerFBCall, XrSession /*handle*/,
                                    const XrPassthroughLayerCreateInfoFB* /*info*/,
                                    XrPassthroughLayerFB* made) {
  *made = reinterpret_cast<XrPassthroughLayerFB>(2);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL call(DestroyPassthroughLayerFBCall, XrPassthroughLayerFB /*made*/) {
  return XR_SUCCESS;
}

// --- abilities of the headset: planes.h, foveated_views.h
XRAPI_ATTR XrResult XRAPI_CALL call(GetSystemPropertiesCall, XrInstance instance, XrSystemId system,
                                    XrSystemProperties* properties) {
  const XrResult result = pass<GetSystemPropertiesCall>(instance, system, properties);
  if (XR_SUCCEEDED(result) && givesPlanes()) addPlaneAbility(*properties);
  if (XR_SUCCEEDED(result)) addGazeAbility(*properties);
  return result;
}

/// Stands in for call(…Call, …), without the name in front.
template <class Call, class Function>
struct Watched;
template <class Call, class... Args>
struct Watched<Call, XrResult(XRAPI_PTR*)(Args...)> {
  static XRAPI_ATTR XrResult XRAPI_CALL watched(Args... args) { return call(Call(), args...); }
};

#define TENON_XR_STAND_INS(X)           \
  X(PerfSettingsSetPerformanceLevelEXT) \
  X(CreatePassthroughFB)                \
  X(DestroyPassthroughFB)               \
  X(CreatePassthroughLayerFB)           \
  X(DestroyPassthroughLayerFB)

#define TENON_XR_WATCHED(X)            \
  X(GetSystemProperties)               \
  X(StringToPath)                      \
  X(SuggestInteractionProfileBindings) \
  X(GetCurrentInteractionProfile)      \
  X(EnumerateBoundSourcesForAction)    \
  X(GetInputSourceLocalizedName)       \
  X(GetActionStateBoolean)             \
  X(CreateDebugUtilsMessengerEXT)      \
  X(DestroyDebugUtilsMessengerEXT)     \
  X(CreateSession)                     \
  X(DestroySession)                    \
  X(BeginSession)                      \
  X(EndSession)                        \
  X(PollEvent)                         \
  X(EnumerateReferenceSpaces)          \
  X(EnumerateViewConfigurations)       \
  X(EnumerateViewConfigurationViews)   \
  X(CreateReferenceSpace)              \
  X(EnumerateSwapchainFormats)         \
  X(CreateSwapchain)                   \
  X(EnumerateSwapchainImages)          \
  X(AcquireSwapchainImage)             \
  X(ReleaseSwapchainImage)             \
  X(WaitFrame)                         \
  X(BeginFrame)                        \
  X(LocateSpace)                       \
  X(DestroySpace)                      \
  X(CreateAction)                      \
  X(CreateActionSpace)                 \
  X(SyncActions)                       \
  X(GetActionStateFloat)               \
  X(GetActionStateVector2f)            \
  X(LocateViews)                       \
  X(WaitSwapchainImage)                \
  X(GetVisibilityMaskKHR)              \
  X(EnumerateEnvironmentBlendModes)    \
  X(EndFrame)

PFN_xrVoidFunction standIn(const std::string& name) {
#define TENON_XR_STAND_IN(Name) \
  if (name == "xr" #Name) return plain(Watched<Name##Call, PFN_xr##Name>::watched);
  if (holds("offer")) {
    TENON_XR_STAND_INS(TENON_XR_STAND_IN)
  }
#undef TENON_XR_STAND_IN
  if (const PFN_xrVoidFunction found = planeFunction(name); found != nullptr) return found;
  return modelFunction(name);
}

PFN_xrVoidFunction ours(const std::string& name) {
#define TENON_XR_OURS(Name) \
  if (name == "xr" #Name) return plain(Watched<Name##Call, PFN_xr##Name>::watched);
  TENON_XR_WATCHED(TENON_XR_OURS)
#undef TENON_XR_OURS
#define TENON_XR_OURS(Name) \
  if (name == "xr" #Name) return plain(Through<Name##Call, PFN_xr##Name>::call);
  TENON_XR_FUNCTIONS(TENON_XR_OURS)
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_OURS)
#undef TENON_XR_OURS
  return nullptr;
}

void keepNext(const std::string& name, PFN_xrVoidFunction next) {
#define TENON_XR_KEEP(Name) \
  if (name == "xr" #Name) Name##Call::next = reinterpret_cast<PFN_xr##Name>(next);
  TENON_XR_FUNCTIONS(TENON_XR_KEEP)
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_KEEP)
#undef TENON_XR_KEEP
}

XRAPI_ATTR XrResult XRAPI_CALL procAddr(XrInstance instance, const char* name, PFN_xrVoidFunction* function) {
  const XrResult result = nextProc(instance, name, function);
  if (XR_FAILED(result) || *function == nullptr) {
    *function = standIn(name);
    return *function == nullptr ? result : XR_SUCCESS;
  }
  keepNext(name, *function);
  if (const PFN_xrVoidFunction own = ours(name); own != nullptr) *function = own;
  return result;
}

/// The layer's own, which Monado lacks.
constexpr std::array kOwnExtensions{
    XR_EXT_RENDER_MODEL_EXTENSION_NAME,    XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME,
    XR_EXT_PLANE_DETECTION_EXTENSION_NAME, XR_EXT_PERFORMANCE_SETTINGS_EXTENSION_NAME,
    XR_FB_RENDER_MODEL_EXTENSION_NAME,     XR_MSFT_CONTROLLER_MODEL_EXTENSION_NAME,
    XR_VARJO_QUAD_VIEWS_EXTENSION_NAME,    XR_VARJO_FOVEATED_RENDERING_EXTENSION_NAME};

XRAPI_ATTR XrResult XRAPI_CALL createInstance(const XrInstanceCreateInfo* info,
                                              const XrApiLayerCreateInfo* layer, XrInstance* instance) {
  session = Session();
  if (const auto failure = failureOf("CreateInstance")) return static_cast<XrResult>(*failure);
  nextProc = layer->nextInfo->nextGetInstanceProcAddr;
  XrApiLayerCreateInfo rest = *layer;
  rest.nextInfo = layer->nextInfo->next;
  XrInstanceCreateInfo onward = *info;
  std::vector<const char*> names(info->enabledExtensionNames,
                                 info->enabledExtensionNames + info->enabledExtensionCount);
  enabledExtensions.assign(names.begin(), names.end());
  std::erase_if(names, [](const char* name) {
    return std::find(kOwnExtensions.begin(), kOwnExtensions.end(), std::string(name)) != kOwnExtensions.end();
  });
  onward.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  onward.enabledExtensionNames = names.data();
  const XrResult result = layer->nextInfo->nextCreateApiLayerInstance(&onward, &rest, instance);
  if (XR_SUCCEEDED(result)) theInstance = *instance;
  return result;
}

}  // namespace

void complain(const char* what) {
  session.complain(what);
}

bool isEnabled(const std::string& extension) {
  return std::find(enabledExtensions.begin(), enabledExtensions.end(), extension) != enabledExtensions.end();
}

XrPath pathOf(const char* text) {
  XrPath path = XR_NULL_PATH;
  StringToPathCall::next(theInstance, text, &path);
  return path;
}

}  // namespace tenon::faults

extern "C" __attribute__((visibility("default"))) XRAPI_ATTR XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const XrNegotiateLoaderInfo* loader, const char* /*name*/,
                                   XrNegotiateApiLayerRequest* request) {
  if (loader == nullptr || request == nullptr || loader->minInterfaceVersion > 1)
    return XR_ERROR_INITIALIZATION_FAILED;
  request->layerInterfaceVersion = 1;
  request->layerApiVersion = loader->maxApiVersion;
  request->getInstanceProcAddr = tenon::faults::procAddr;
  request->createApiLayerInstance = tenon::faults::createInstance;
  return XR_SUCCESS;
}
