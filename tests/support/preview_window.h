// A running tenon preview, or tenon replay, on a screen of its own, steered by mouse and keys, read by its
// trace.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/program_run.h"
#include "tests/support/screen.h"
#include "tests/support/traced_program.h"

namespace tenon::tests {

class PreviewWindow {
 public:
  using Json = nlohmann::json;

  /// Starts it with these arguments, `--trace` and `--size 1280x720` added, and settings of its own. Throws
  /// std::runtime_error where no picture comes within two minutes.
  explicit PreviewWindow(std::vector<std::string> arguments, std::vector<std::string> environment = {},
                         const std::string& command = "preview");

  /// The newest picture in numbers.
  const Json& now() { return program_->now(); }
  /// Pictures until `is` holds of one; false: not within two minutes, or the program has ended.
  bool waitFor(const std::function<bool(const Json&)>& is) { return program_->waitFor(is); }
  /// Until so many more have been drawn.
  bool waitForPictures(int count);
  /// Until no picture has come for a second; false: they come for two minutes.
  bool waitForNothing();
  /// Until parts and hands have come to rest.
  bool waitForRest();

  /// The pointer, to a place in the window [pixels].
  void moveTo(double x, double y);
  /// From where it is, in small steps, as a person would.
  void glideTo(double x, double y);
  void press(int button) { screen_.xdotool("mousedown " + std::to_string(button)); }
  void release(int button) { screen_.xdotool("mouseup " + std::to_string(button)); }
  void click(int button, int times = 1);
  void keyDown(const std::string& name) { screen_.xdotool("keydown " + name); }
  void keyUp(const std::string& name) { screen_.xdotool("keyup " + name); }
  void key(const std::string& name);
  /// Clicks the middle of a control by its name in the trace.
  void clickControl(const std::string& name);
  void resize(int width, int height);

  /// Waits for the end; the exit code, −signal where one ended it.
  int exitCode() { return program_->exitCode(); }
  /// What it said on stderr so far.
  std::string said() const { return program_->said(); }
  /// A picture of the window, by the program's own key, kept in the folder for temporary files; returns its
  /// name, or "".
  std::string keepPicture(const std::string& name);
  const TemporaryFolder& folder() const { return folder_; }
  Screen& screen() { return screen_; }
  /// As xdotool calls it.
  const std::string& number() const { return window_; }
  pid_t process() const { return program_->process(); }

 private:
  TemporaryFolder folder_;
  Screen screen_;
  std::optional<TracedProgram> program_;
  std::string window_;  ///< as xdotool calls it
  double x_ = 0, y_ = 0;
};

}  // namespace tenon::tests
