// The display on a person's head: a picture for each eye, and where head and hands are. Free of Vulkan's and
// OpenXR's headers. One at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "xr/display/no_graphics.h"
#include "xr/display/picture.h"
#include "xr/openxr/headset_lost.h"
#include "xr/openxr/headset_moment.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// A moment's picture: the scene, and the room in its world, by which eyes get there.
struct HeadsetPicture {
  RenderScene scene;
  physics::Pose X_WS;
};

class Headset {
 public:
  /// Throws NoGraphics where there is no OpenXR runtime, no headset, or none that can be drawn for. Call it
  /// before threads are started.
  Headset();
  ~Headset();

  /// Takes in what has happened. Throws HeadsetLost where headset or runtime has gone: then nothing of this
  /// but its end may be called.
  HeadsetState poll();
  /// Whether frame() has something to do: else the person has taken it off, or not yet put on.
  bool running() const;
  /// One frame, when it is time for it: asks for a picture of the moment and shows it. Whatever happens, what
  /// was begun is ended. Throws HeadsetLost, NoGraphics where the device fails, and what `picture` throws.
  void frame(const std::function<std::optional<HeadsetPicture>(const HeadsetMoment&)>& picture);
  /// Keeps what the eyes see in the next frame that has a picture.
  void keepNext();
  /// What was kept, both eyes side by side, once.
  std::optional<Picture> takeKept();
  /// Shakes the left (0) or right (1) hand, 0…1 strong, for so long [s].
  void shake(std::size_t hand, double strength, double duration);
  /// Says goodbye: asks for the end of the session and waits for it, a second or two at most.
  void leave();

  /// Heights are from the floor; else from where the head was at the start.
  bool onFloor() const;
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
