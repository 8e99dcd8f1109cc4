// Training: the steps of an assembly one by one, with the time and the errors of each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/world_change.h"
#include "runtime/simulation/live_trace.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// The goals that are reached together.
struct TrainingStep {
  std::vector<int> parts;          ///< that are brought to their places, each once
  std::vector<std::size_t> goals;  ///< indices into Scene::goals, ascending
};

/// The steps in order: by the numbers of a plan (`planSteps`, by part: see planSteps() of plan_json.h), and
/// for parts that it does not contain, and without a plan, one step per part in the order of the scene's
/// goals, each after those that its goals name in "after".
std::vector<TrainingStep> trainingSteps(const content::Scene& scene,
                                        const std::map<std::string, int>& planSteps);

/// What happened while a step was the current one.
struct TrainingResult {
  double time = 0;     ///< simulated [s]
  int wrongParts = 0;  ///< grasps of parts that belong to another step
  int jams = 0;        ///< goals that jammed or were blocked
  int drops = 0;       ///< grasps of the step's part after it was released or lost on its way

  /// All of them.
  int errors() const { return wrongParts + jams + drops; }
};

/// Follows a session. The current step is the first one with a goal that is not reached.
class Training {
 public:
  Training(std::shared_ptr<const content::Scene> scene, const std::map<std::string, int>& planSteps);

  /// `events`: of the session since the last call. The marks for the record: one per step that was completed.
  std::vector<SessionMark> update(const SimulationFrame& frame, std::span<const SessionEvent> events);

  /// In order.
  const std::vector<TrainingStep>& steps() const { return steps_; }
  /// Index of the current step; none: all are completed.
  std::optional<std::size_t> current() const { return current_; }
  /// Of a step, by its index, so far.
  const TrainingResult& result(std::size_t step) const { return results_[step]; }
  /// "Step 3 of 10: left screw 1".
  std::string taskText() const;
  /// The part that the current step needs while a hand holds another one, as a request; "": none does.
  std::string correction(const SimulationFrame& frame) const;
  /// "training: 10 of 10 steps in 83.2 s, wrong parts 2, jams 1, dropped 0".
  std::string summary() const;

 private:
  void restart();
  void count(const SessionEvent& event);
  bool belongsToStep(int part) const;
  std::string nameOf(const TrainingStep& step) const;

  std::shared_ptr<const content::Scene> scene_;
  std::vector<TrainingStep> steps_;
  std::vector<TrainingResult> results_;
  std::vector<bool> completed_;
  std::optional<std::size_t> current_;
  std::map<int, int> held_;              ///< part by hand
  std::set<int> released_;               ///< parts of the step that no hand holds any more
  std::optional<std::int64_t> time_ns_;  ///< simulated, of the last frame
};

}  // namespace tenon::runtime
