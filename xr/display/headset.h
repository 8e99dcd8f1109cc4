// The headset display: an image for each eye, and the poses of head and hands. Without Vulkan's and OpenXR's
// headers. One at a time.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xr/display/image.h"
#include "xr/display/mirror_window.h"
#include "xr/openxr/control_names.h"
#include "xr/openxr/controller_model.h"
#include "xr/openxr/eye_views.h"
#include "xr/openxr/headset_lost.h"
#include "xr/openxr/room_plane.h"
#include "xr/openxr/xr_frame.h"
#include "xr/render/render_scene.h"
#include "xr/vulkan/graphics_unavailable.h"

struct ImDrawData;

namespace tenon::xr {

/// The content of a frame: the scene, and the pose of the room in its world.
struct FrameContent {
  RenderScene scene;
  physics::Pose X_WS;
  /// Magnification of the world: one meter of it appears as `scale` meters of the room. A point p of the room
  /// is at X_WS · (p / scale).
  double scale = 1;
  const ImDrawData* panels = nullptr;  ///< content of the panels; null: unchanged
};

/// Durations of the parts of a frame [ms].
struct FrameTimes {
  double wait = 0;         ///< until the runtime requests the frame
  double begin = 0;        ///< xrBeginFrame
  double locate = 0;       ///< locating eyes and hands
  double application = 0;  ///< the caller's description of the frame
  double draw = 0;         ///< recording and submitting both eyes, and waiting for the previous frame
  double end = 0;          ///< xrEndFrame
  double cpu = 0;          ///< processor time of `application`
  double gpu = 0;          ///< time of the device for the frame before; 0: unknown
  double scale = 1;        ///< of width and height: see DynamicResolution
};

struct HeadsetOptions {
  /// Receives messages of the runtime and OpenXR's layers, and once each the optional features that failed
  /// (haptics, depth, refresh rate, planes), and what the runtime reports to slow down frames: one line each,
  /// on any thread. May be empty.
  std::function<void(const std::string&)> logMessage = {};
  /// Opens the window that mirrors the left eye; empty, or returning null: no mirror. Called once a headset
  /// is ready. The window must outlive the headset.
  std::function<MirrorWindow*()> mirror = {};
  /// Requested refresh rate, rounded to a supported one [Hz]; 0: the runtime's default.
  double refreshRate = 0;
  /// Shows the real room behind the scene, by the display's blend mode or XR_FB_passthrough.
  bool passthrough = false;
  /// Which views of the eyes are drawn.
  EyeViews views = EyeViews::preferred;
  /// Width and height of the eyes' images, relative to the recommended ones.
  double resolution = 1;
  /// Draws smaller images while the device is too slow for the display: see DynamicResolution. Empty: on
  /// graphics cards, but not by software.
  std::optional<bool> dynamicResolution = std::nullopt;
  /// Polled while waiting for the runtime; true cancels. Empty: waits as long as probeOpenXr().
  std::function<bool()> shouldCancel = {};
};

class Headset {
 public:
  /// Throws HeadsetUnavailable if starting the runtime or connecting the headset may help,
  /// GraphicsUnavailable if there is no OpenXR runtime, no headset, or no suitable device.
  explicit Headset(HeadsetOptions options = {});
  /// Abandons a session in which the runtime hangs.
  ~Headset();
  /// True if a session of this process was abandoned: a thread of it may still be in the runtime.
  static bool isAnyAbandoned();

  /// Makes the panel image that shows FrameContent::panels, with the glyphs of ImGui's current context.
  /// Throws GraphicsUnavailable.
  void enablePanels(int pixelsWide, int pixelsHigh);
  /// Processes events. Throws HeadsetLost if headset or runtime was lost; then only drainStates() and the
  /// destructor may be called.
  HeadsetState poll();
  /// All states since the last call, in order; also after HeadsetLost.
  std::vector<HeadsetState> drainStates();
  /// False while the user has taken the headset off, where the runtime reports that.
  bool isUserPresent() const;
  /// True while frame() must be called; false while the headset is not worn.
  bool running() const;
  /// Waits for the next frame, calls `describe` for its content and shows it. The frame is ended on every
  /// path. Throws HeadsetLost, GraphicsUnavailable if the device fails, and what `describe` throws.
  void frame(const std::function<std::optional<FrameContent>(const XrFrame&)>& describe);
  /// Number of frames that the mirror has shown.
  int mirroredFrames() const;
  /// Durations of the last ended frame.
  const FrameTimes& times() const;
  /// Captures the images of the eyes, without insets, in the next rendered frame.
  void captureNext();
  /// Returns the captured image, both eyes side by side, once.
  std::optional<Image> consumeCapture();
  /// Vibrates the left (0) or right (1) controller with `strength` 0…1 for `duration` [s]. A failure is
  /// reported once.
  void hapticPulse(std::size_t hand, double strength, double duration);
  /// Searches the real room around the head for flat surfaces, from the next frame on. False: the headset
  /// cannot, or a call for it failed before.
  bool searchPlanes();
  /// The surfaces, once after a search has ended; empty: there are none, or a call failed, which is reported
  /// once.
  std::optional<std::vector<RoomPlane>> consumePlanes();
  /// Requests the end of the session and waits for it, at most two seconds.
  void requestExit();

  /// Refresh rate [Hz]; 0: unknown.
  double refreshRate() const;
  /// True if the display shows the real room where the image is transparent: see RenderScene::passthrough.
  bool isRoomVisible() const;
  /// True if the room's origin is on the floor; else it is at the head's start position.
  bool hasFloorOrigin() const;
  /// True if the room's origin is the same after the headset was lost and found again.
  bool isRoomPersistent() const;
  /// Devices and controls of the left and right hand, which change with the devices.
  const std::array<ControlNames, 2>& controls() const;
  /// The runtime's model of the left (0) or right (1) controller, once after it has changed.
  std::optional<ControllerModel> consumeControllerModel(std::size_t hand);
  /// Where it is in the frame that is described, and its moving parts; none: it is not to be drawn.
  const std::optional<ControllerModelState>& controllerModelState(std::size_t hand) const;
  /// "Monado 25.0.0 (OpenXR 1.1)", "Some headset", "some graphics card".
  const std::string& runtimeName() const;
  const std::string& headsetName() const;
  const std::string& deviceName() const;
  /// Both eyes are drawn in one pass (drawsMultiview()).
  bool drawsInOnePass() const;
  int width() const;  ///< of an eye's image [pixels]
  int height() const;
  /// Each eye has a second image, the foveated inset.
  bool hasInsets() const;
  int insetWidth() const;  ///< of its image [pixels]; 0: there is none
  int insetHeight() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
