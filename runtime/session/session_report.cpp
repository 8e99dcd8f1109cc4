// See session_report.h.
#include "runtime/session/session_report.h"

#include <fmt/format.h>

#include <vector>

#include "content/model/build_world.h"
#include "runtime/record/read_operations.h"
#include "runtime/report/html_report.h"
#include "runtime/report/report_images.h"
#include "runtime/report/stop_causes.h"
#include "runtime/session/session_scene.h"

namespace tenon::runtime {

SessionReport reportOf(SessionReader& session, const std::function<void(const std::string&)>& progress,
                       const std::optional<TitleBlock>& title) {
  const content::Scene scene = sceneOf(session.header());
  const physics::World world = content::buildWorld(scene, {});
  ReportFrames frames(session, scene, world);
  SessionResults results = resultsOf(session, scene, world, [&](const Keyframe& frame) {
    progress(fmt::format("Reading the session: {:.2f} of {:.2f} s", frame.time, session.lastTime()));
    frames.add(frame);
  });
  explainStops(session, scene, results.operations);
  const ReportImages images = frames.draw([&](std::size_t drawn, std::size_t all) {
    progress(fmt::format("Rendering images: {} of {}", drawn + 1, all));
  });
  return {htmlReport(session, scene, results, images, title), images.why};
}

}  // namespace tenon::runtime
