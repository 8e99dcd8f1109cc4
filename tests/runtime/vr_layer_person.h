// A person with a headset whose runtime is changed by an API layer (tests/support/xr_faults).
#pragma once

#include <openxr/openxr.h>
#include <vulkan/vulkan_core.h>

#include <filesystem>
#include <fstream>

#include "tests/runtime/vr_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests {

class VrLayerPerson : public VrPerson {
 protected:
  void startWithFaults(std::vector<std::string> arguments) { start(std::move(arguments), layerVariables()); }
  /// The variables that load the layer.
  std::vector<std::string> layerVariables() const {
    return {"XR_API_LAYER_PATH=" TENON_XR_FAULTS_FOLDER, "TENON_XR_FAULTS=" + (folder_ / "faults"),
            "XR_ENABLE_API_LAYERS=XR_APILAYER_TENON_faults", "TENON_XR_CALLS=" + (folder_ / "calls")};
  }
  /// From now on, these lines (tests/support/xr_faults).
  void wish(const std::string& lines) const {
    std::ofstream(folder_ / "wish") << lines;
    std::filesystem::rename(folder_ / "wish", folder_ / "faults");
  }
  std::string fault(const std::string& word, const std::string& call, XrResult result) const {
    return word + " " + call + " " + std::to_string(result);
  }
  bool waitUntilWishesAreDone() {
    return waitFor([&](const Json&) { return std::filesystem::file_size(folder_ / "faults") == 0; });
  }
  /// How often the program has said that so far.
  int timesSaid(const std::string& text) const {
    const std::string all = program_->said();
    int count = 0;
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  }
  /// The lines that the layer noted which begin with this word.
  std::vector<std::string> noted(const std::string& word) const {
    std::vector<std::string> all;
    std::ifstream in(folder_ / "calls");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(word)) all.push_back(line);
    return all;
  }
  /// The headset was never lost in between.
  bool wasNeverLost() const {
    std::ifstream in(folder_ / "trace.jsonl");
    for (std::string line; std::getline(in, line);)
      if (line.find("\"state\":\"lost\"") != std::string::npos) return false;
    return true;
  }
  /// The images of a frame in the order of the views, with these lines; none: they were not written. The
  /// session began with kReadableFormats.
  std::vector<PngPicture> submitted(const std::string& lines) {
    const auto fileOf = [&](std::size_t view) { return folder_ / ("view" + std::to_string(view) + ".ppm"); };
    wish(lines + "images " + folder_.path() + "\n");
    const auto from = now()["frame"].get<std::int64_t>();
    constexpr int kMaxFrames = 200;
    bool written = false;
    waitFor([&](const Json& line) {
      written = fileText(folder_ / "faults").find("images ") == std::string::npos;
      return written || line["frame"].get<std::int64_t>() > from + kMaxFrames;
    });
    std::vector<PngPicture> all;
    while (written && std::filesystem::exists(fileOf(all.size()))) all.push_back(readPpm(fileOf(all.size())));
    return all;
  }
  /// Color that the layer can read: 8-bit sRGB, and the depth format that is drawn.
  static inline const std::string kReadableFormats = "formats " + std::to_string(VK_FORMAT_R8G8B8A8_SRGB) +
                                                     " " + std::to_string(VK_FORMAT_D32_SFLOAT_S8_UINT) +
                                                     "\n";

  /// Once the session is over: of its frames, what the layer counted.
  Json frames() const { return Json::parse(noted("{").at(0)); }
};

}  // namespace tenon::tests
