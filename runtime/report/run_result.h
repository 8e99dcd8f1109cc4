// Result of a run, and its output as text, JSON and Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/report/text_table.h"

namespace tenon::runtime {

struct RunResult {
  const content::Scene* scene = nullptr;  ///< borrowed, never null once filled in
  std::string solver;                     ///< requested solver
  std::string accuracy = "exact";         ///< requested accuracy
  double rate = 0;                        ///< [Hz]
  double duration = 0;                    ///< requested [s]
  double wall = 0;                        ///< [s]
  std::uint64_t seed = 0;
  int threads = 1;
  std::uint64_t stateHash = 0;  ///< of all body states at the end
  bool interrupted = false;     ///< stopped early; the results cover the simulated time
  int notFinite = 0;  ///< number of parts with a non-finite motion in the last step, which ended the run
  std::vector<GoalResult> goals;
  std::vector<JointResult> joints;  ///< in the order of the scene's joints
  std::vector<physics::Pose>
      parts;  ///< poses of the parts' frames at the end, in the order of the scene's parts
  std::vector<std::string> warnings;  ///< of the scene (scene_warnings.h), then of the run
  Assessment::Summary summary;

  double realTimeFactor() const { return wall > 0 ? summary.simulated / wall : 0; }
};

/// The solver that solved most steps; "none" without contacts.
std::string mostUsedSolver(const Assessment::Summary& summary);

/// Goals as a table: name, verdict, depth, tilt, peak push, time.
TextTable goalTable(const RunResult& result, bool color);

/// Joints as a table: name, kind, final position, largest force and torque; at most `most` of them.
TextTable jointTable(const RunResult& result, std::size_t most);

/// One line: "inserted", "tight", "all 4 goals inserted", "2 of 4 goals reached", or that there are none.
std::string outcomeText(const RunResult& result);

enum class Detail {
  brief,  ///< verdicts, causes, accuracy
  all,    ///< also solver statistics and step times
};

/// Aligned lines for a terminal.
std::string toText(const RunResult& result, bool color, Detail detail = Detail::brief);

/// One JSON object, indented, with a line end.
std::string toJson(const RunResult& result);

/// A Markdown file.
std::string toReport(const RunResult& result);

}  // namespace tenon::runtime
