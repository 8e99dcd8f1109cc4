// Watches a scene file for changes by other programs.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "content/reader/load_scene.h"

namespace tenon::runtime {

class SceneWatch {
 public:
  /// The text of `file`, once after it has changed; looks twice a second. `now` [s]. Another file than in the
  /// last call is only noted, and so is the same text with another time.
  std::optional<std::string> changedText(const std::string& file, double now) {
    if (now < nextLook_) return std::nullopt;
    nextLook_ = now + 0.5;
    std::error_code error;
    const auto time = std::filesystem::last_write_time(file, error);
    if (error || (file == file_ && time == time_)) return std::nullopt;
    const bool isKnown = std::exchange(file_, file) == file;
    time_ = time;
    try {
      std::string text = content::readSceneText(file);
      const bool changed = isKnown && text != text_;
      text_ = std::move(text);
      return changed ? std::optional(text_) : std::nullopt;
    } catch (const std::exception&) {  // removed meanwhile, or too large
      return std::nullopt;
    }
  }

 private:
  std::string file_, text_;
  std::filesystem::file_time_type time_{};
  double nextLook_ = 0;  ///< [s]
};

}  // namespace tenon::runtime
