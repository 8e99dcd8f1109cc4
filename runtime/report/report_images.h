// Pictures for the report: how it all stood at the end, and each part in its hole, cut open.
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

/// Remembers the moments worth a picture while the session is read, and draws them afterwards.
class ReportFrames {
 public:
  /// Of each goal the moment when it was seated, or its last jam, or the end. The references must outlive
  /// this.
  ReportFrames(const SessionReader& session, const content::Scene& scene, const physics::World& world);

  void add(const Keyframe& frame);
  /// `next` is called before each with the number of pictures drawn so far and of all. Goals of one part that
  /// would have the same picture share that of the first. Without a Vulkan device: none, and why.
  ReportImages draw(const std::function<void(std::size_t, std::size_t)>& next) const;

 private:
  struct CapturedFrame {
    int goal = -1;
    double time = 0;  ///< at the first keyframe from then on [s]
    std::string title;
    std::vector<physics::Pose> poses;  ///< of all parts, as last seen
    bool reached = false;              ///< and that was the moment
  };

  bool isRepeated(const CapturedFrame& moment) const;
  /// What to draw of a moment, and from where.
  xr::RenderScene sceneOf(const CapturedFrame& moment, const xr::PartMeshes& meshes, xr::View& view) const;

  const content::Scene& scene_;
  const physics::World& world_;
  std::vector<CapturedFrame> capturedFrames_;
};

}  // namespace tenon::runtime
