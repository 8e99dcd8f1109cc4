// Images for the report: the final state, and a section through each part in its hole.
#pragma once

#include <functional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/keyframes.h"
#include "runtime/report/html_report.h"
#include "xr/appearance/compose.h"
#include "xr/view.h"

namespace tenon::runtime {

/// Captures frames while the session is read, and renders them afterwards.
class ReportFrames {
 public:
  /// Captures for each goal the first grasp of its part, its first contact in the hole, and the time it was
  /// seated, else its last jam, else the end. The references must outlive this.
  ReportFrames(const SessionReader& session, const content::Scene& scene, const physics::World& world);

  void add(const Keyframe& frame);
  /// `next` is called before each image with the number of rendered images and the total. Goals of one part
  /// with the same image share that of the first. Without a Vulkan device: no images, and the reason.
  ReportImages draw(const std::function<void(std::size_t, std::size_t)>& next) const;

 private:
  struct CapturedFrame {
    int goal = -1;
    ReportImageKind kind = ReportImageKind::overview;
    double time = 0;  ///< at the first keyframe from then on [s]
    std::string title;
    std::vector<physics::Pose> poses;  ///< of all parts, at the last keyframe
    bool reached = false;              ///< `time` is reached: `poses` is final
  };

  void addGoal(int goal, const std::vector<SessionEvent>& events, double end);
  bool isRepeated(const CapturedFrame& moment) const;
  /// Scene and view of a captured frame.
  xr::RenderScene sceneOf(const CapturedFrame& moment, const xr::PartMeshes& meshes, xr::View& view) const;

  const content::Scene& scene_;
  const physics::World& world_;
  std::vector<CapturedFrame> capturedFrames_;
};

}  // namespace tenon::runtime
