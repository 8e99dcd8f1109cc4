// Scenes of a dozen lines in which engines of rigid contact fail: many bodies, large mass ratios, friction in
// piles, parts on their faces, curved contact, high speed, welded loads, press fits. Each is measured by what
// its physics promises.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tenon::bench {

struct StressScene {
  std::string name;                      ///< chosen by `--scene`
  std::string scene;                     ///< what is simulated, one line
  std::function<std::string()> measure;  ///< runs it, and returns its figures with units
};

/// In the order of the table.
std::vector<StressScene> stressScenes();

}  // namespace tenon::bench
