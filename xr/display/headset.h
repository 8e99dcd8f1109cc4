// The display on a person's head: a picture for each eye, and where head and hands are. Free of Vulkan's and
// OpenXR's headers. One at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "xr/display/image.h"
#include "xr/display/mirror_window.h"
#include "xr/openxr/headset_lost.h"
#include "xr/openxr/xr_frame.h"
#include "xr/render/render_scene.h"
#include "xr/vulkan/graphics_unavailable.h"

struct ImDrawData;

namespace tenon::xr {

/// A moment's picture: the scene, and the room in its world, by which eyes get there.
struct FrameContent {
  RenderScene scene;
  physics::Pose X_WS;
  /// How much larger than it is the world is to look: a metre of it is so many of the room. Then a point p of
  /// the room is at X_WS · (p / scale).
  double scale = 1;
  const ImDrawData* panels = nullptr;  ///< what panels show; null: as before
};

/// Where the time of a frame went [ms].
struct FrameTimes {
  double wait = 0;    ///< until the runtime wanted the frame
  double begin = 0;   ///< its beginning
  double locate = 0;  ///< where eyes and hands are
  double application = 0;  ///< the caller's description of the frame
  double draw = 0;    ///< both eyes, handed over to the device, and what it still had to do of those before
  double end = 0;     ///< the handing over to the runtime
  double cpu = 0;     ///< of `application` that the processor worked, without what other programs took of it
};

struct HeadsetOptions {
  /// Takes what runtime and OpenXR's layers complain of, and once each what the session does without
  /// (haptics, depth, the refresh rate), a line of text each, on any thread; none: nobody does.
  std::function<void(const std::string&)> logMessage = {};
  /// Opens the window that shows what the left eye sees, until it is closed; none, or null: there is none.
  /// Called once there is a headset. The window must outlive that.
  std::function<MirrorWindow*()> mirror = {};
  /// Pictures a second that are asked for, or the nearest to them that the headset can show [Hz]; 0: the
  /// runtime's own.
  double refreshRate = 0;
  /// Asked some times a second while the runtime does not answer: whether to wait for it no more. None: it is
  /// waited for as long as probeOpenXr() does.
  std::function<bool()> shouldCancel = {};
};

class Headset {
 public:
  /// Throws HeadsetUnavailable where a runtime that is started or a headset that is connected would do,
  /// GraphicsUnavailable where there is no OpenXR runtime, no headset, or none that can be drawn for.
  explicit Headset(HeadsetOptions options = {});
  ~Headset();

  /// Panels from now on show what FrameContent::panels has, an image of so many pixels. ImGui's present
  /// context has their glyphs. Throws GraphicsUnavailable.
  void enablePanels(int pixelsWide, int pixelsHigh);
  /// Takes in what has happened. Throws HeadsetLost where headset or runtime has gone: then nothing of this
  /// but its end may be called.
  HeadsetState poll();
  /// All states since the last call, in order; also after HeadsetLost.
  std::vector<HeadsetState> drainStates();
  /// Whether frame() has something to do: else the person has taken it off, or not yet put on.
  bool running() const;
  /// One frame, when it is time for it: asks for a picture of the moment and shows it. Whatever happens, what
  /// was begun is ended. Throws HeadsetLost, GraphicsUnavailable where the device fails, and what `picture`
  /// throws.
  void frame(const std::function<std::optional<FrameContent>(const XrFrame&)>& picture);
  /// Pictures that the mirror has shown.
  int mirroredFrames() const;
  /// Of the last frame that was ended.
  const FrameTimes& times() const;
  /// Keeps what the eyes see in the next frame that has a picture.
  void captureNext();
  /// What was kept, both eyes side by side, once.
  std::optional<Image> consumeCapture();
  /// Shakes the left (0) or right (1) hand, 0…1 strong, for so long [s]. A runtime that cannot is reported
  /// once.
  void hapticPulse(std::size_t hand, double strength, double duration);
  /// Says goodbye: asks for the end of the session and waits for it, a second or two at most.
  void requestExit();

  /// Pictures a second [Hz]; 0: the runtime does not tell.
  double refreshRate() const;
  /// Heights are from the floor; else from where the head was at the start.
  bool hasFloorOrigin() const;
  /// The room is the same one after the headset has gone and come back.
  bool isRoomPersistent() const;
  /// "Monado 25.0.0", "Some headset", "some graphics card".
  const std::string& runtimeName() const;
  const std::string& headsetName() const;
  const std::string& deviceName() const;
  int width() const;  ///< of an eye's picture [pixels]
  int height() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
