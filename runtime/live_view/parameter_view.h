// The sliders of a scene's parameters, and a study of them: what the panel holds and requests.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// A parameter in a study: varied uniformly from `low` to `high`.
struct VariedParameter {
  std::string name;
  double low = 0, high = 0;
};

/// A requested study: the varied parameters, and the values of the others that are not their defaults.
struct StudyRequest {
  std::vector<VariedParameter> varied;
  std::vector<std::pair<std::string, double>> fixed;
  std::int64_t cases = 0;
};

/// The study that runs, or the last one, as it is shown.
struct StudyStatus {
  bool isRunning = false;
  double done = 0;                                         ///< fraction of the cases
  std::string text;                                        ///< cases and yield so far, or why it failed
  std::vector<std::pair<std::string, std::string>> table;  ///< of the results
  std::string plan, results, report;                       ///< files
};

struct ParameterView {
  std::string scene;                      ///< file of which the following are
  std::map<std::string, double> dragged;  ///< values of sliders that the mouse holds
  std::map<std::string, VariedParameter> ranges;
  std::map<std::string, bool> varied;
  int cases = 200;
  StudyStatus study;

  // --- requests of the panel
  std::optional<std::vector<std::string>> settings;  ///< "NAME=VALUE" of all that are not defaults
  bool keepAsDefaults = false;                       ///< writes the values into the document
  std::optional<StudyRequest> start;
  bool stop = false;
};

/// The settings of a scene's parameters that are not defaults, one of them changed.
std::vector<std::string> settingsWith(const std::vector<content::Parameter>& parameters,
                                      const std::string& changed = "", double value = 0);

}  // namespace tenon::runtime
