// One case of a study: the scene with its values, run to the end.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "content/input/file_source.h"
#include "runtime/session/run_scene.h"
#include "runtime/study/plan.h"

namespace tenon::runtime {

/// What is stored of a case, in SI, of its decisiveGoal().
struct CaseResult {
  std::int64_t number = -1;
  std::vector<double> values;        ///< of the plan's variables
  bool success = false;              ///< every goal was reached
  std::string verdict, cause;        ///< as in `tenon run --json`; verdict "not-finite" if the motion was not
  double peakPush = 0;               ///< [N]
  double depth = 0;                  ///< [m]
  double tilt = 0;                   ///< [rad]
  double time = 0;                   ///< [s]
  double clearance = 0;              ///< diametral [m]; 0 without a known bore and pin
  std::vector<std::string> outputs;  ///< of the plan's fields, as JSON
};

/// A case's scene and the result of its run.
struct CaseRun {
  std::shared_ptr<const content::Scene> scene;  ///< null: the values of the case are no scene
  RunResult result;                             ///< borrows the scene
  std::string invalid;                          ///< without a scene: why
};

/// The goal that stands for a run: the first that was not reached, else the last.
const GoalResult& decisiveGoal(const RunResult& run);

/// A plan with its scene's text and files read once. Immutable: threads share it.
class StudyScene {
 public:
  /// Throws content::InputError for a variable that names nothing or a range beyond the scene's, and for a
  /// scene that cannot be read, also with all variables at their smallest or largest value.
  explicit StudyScene(const StudyPlan& plan);
  /// With a scene that is loaded already, whose parameters have their defaults; the plan's path is not read.
  StudyScene(StudyPlan plan, const LoadedScene& loaded);

  const StudyPlan& plan() const { return plan_; }
  /// Of the scene's text and files, as text.
  const std::string& fingerprint() const { return fingerprint_; }
  /// Case `k`, computed. `stop` ends the run early; its result is then to be thrown away.
  CaseResult compute(std::int64_t k, const std::atomic<bool>& stop) const;
  /// The same with the scene and the poses at the end.
  CaseRun run(std::int64_t k, const std::atomic<bool>& stop) const;
  /// The text of the scene file in case `k`, with the values of pointer variables.
  std::string sceneText(const std::vector<double>& values) const;

 private:
  content::FileBytes files_;
  StudyPlan plan_;
  std::string text_, fingerprint_;
  nlohmann::ordered_json json_;  ///< of text_
  bool hasPointers_ = false;
};

}  // namespace tenon::runtime
