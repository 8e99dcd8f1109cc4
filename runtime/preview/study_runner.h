// A study of a scene's parameters in the background of the preview: plan, results and report beside the
// scene.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/live_view/parameter_view.h"

namespace tenon::runtime {

/// The plan of a requested study as a file beside the scene has it. Whole parameters get a list of values.
std::string studyPlanText(const StudyRequest& request, const content::Scene& scene);

/// One study at a time. Its files are those of the scene with "-study" appended; a number is added if they
/// are of another plan or scene.
class StudyRunner {
 public:
  StudyRunner() = default;
  StudyRunner(const StudyRunner&) = delete;
  StudyRunner& operator=(const StudyRunner&) = delete;
  ~StudyRunner() { stop(); }

  /// Writes the plan and begins to run it, or goes on with its results. Throws content::InputError.
  void start(const StudyRequest& request, const content::Scene& scene);
  /// Ends the study after the cases that run; their results are kept.
  void requestStop() { stop_ = true; }
  /// The same, and waits for it.
  void stop();
  /// The state for the panel.
  StudyStatus status() const;

 private:
  void run(const std::string& plan, const std::string& results, const std::string& report);

  std::thread thread_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;  ///< of status_
  StudyStatus status_;
};

}  // namespace tenon::runtime
