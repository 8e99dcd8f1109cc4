// See preview_window.h.
#include "tests/support/preview_window.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace tenon::tests {

PreviewWindow::PreviewWindow(std::vector<std::string> arguments, std::vector<std::string> environment,
                             const std::string& command) {
  const std::string trace = folder_ / "trace.jsonl";
  arguments.insert(arguments.begin(), {TENON_PROGRAM, command});
  arguments.insert(arguments.end(), {"--size", "1280x720", "--trace", trace});
  environment.insert(environment.end(),
                     {"DISPLAY=" + screen_.name(), "XDG_CONFIG_HOME=" + folder_.path(), "WAYLAND_DISPLAY="});
  // Its pictures come into the folder.
  program_.emplace(std::move(arguments), std::move(environment), folder_.path(), trace);
  if (!waitForPictures(2)) throw std::runtime_error("no picture came: " + said());
  window_ = screen_.xdotool("search --onlyvisible --name Tenon | tail -1");
  while (!window_.empty() && std::isspace(window_.back())) window_.pop_back();
  screen_.xdotool("windowfocus " + window_);
}

bool PreviewWindow::waitForPictures(int count) {
  const long from = now().is_object() ? now()["frame"].get<long>() : 0;
  return waitFor([&](const Json& picture) { return picture["frame"].get<long>() >= from + count; });
}

bool PreviewWindow::waitForNothing() {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  auto last = begun;
  for (long frame = -1; Clock::now() - last < std::chrono::seconds(1);) {
    if (const long newest = now()["frame"].get<long>(); newest != frame) {
      frame = newest;
      last = Clock::now();
    }
    if (Clock::now() - begun > std::chrono::minutes(2)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

bool PreviewWindow::waitForRest() {
  // What the mouse did last is in the second picture from now at the latest.
  if (!waitForPictures(2)) return false;
  Json before = now()["poses"];
  int still = 0;
  return waitFor([&](const Json& picture) {
    double moved = 0;
    for (const auto& [name, pose] : picture["poses"].items())
      for (std::size_t k = 0; k < pose.size(); ++k)
        moved = std::max(moved, std::abs(pose[k].get<double>() - before[name][k].get<double>()));
    before = picture["poses"];
    still = moved < 5e-5 ? still + 1 : 0;
    return still >= 3;
  });
}

void PreviewWindow::moveTo(double x, double y) {
  x_ = x;
  y_ = y;
  screen_.xdotool("mousemove --window " + window_ + " " + std::to_string(std::lround(x)) + " " +
                  std::to_string(std::lround(y)));
}

void PreviewWindow::glideTo(double x, double y) {
  const double fromX = x_, fromY = y_;
  const int steps = std::max(1, static_cast<int>(std::hypot(x - fromX, y - fromY) / 8));
  for (int k = 1; k <= steps; ++k) {
    moveTo(fromX + (x - fromX) * k / steps, fromY + (y - fromY) * k / steps);
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
  }
}

void PreviewWindow::click(int button, int times) {
  screen_.xdotool("click --repeat " + std::to_string(times) + " --delay 20 " + std::to_string(button));
}

void PreviewWindow::key(const std::string& name) {
  screen_.xdotool("key " + name);
}

void PreviewWindow::clickControl(const std::string& name) {
  waitFor(
      [&](const Json& picture) { return picture["marks"].contains(name); });  // a list opens after a click
  const Json at = now()["marks"].at(name);
  moveTo((at[0].get<double>() + at[2].get<double>()) / 2, (at[1].get<double>() + at[3].get<double>()) / 2);
  waitForPictures(2);
  press(1);
  waitForPictures(2);
  release(1);
  waitForPictures(2);
}

void PreviewWindow::resize(int width, int height) {
  screen_.xdotool("windowsize " + window_ + " " + std::to_string(width) + " " + std::to_string(height));
}

std::string PreviewWindow::keepPicture(const std::string& name) {
  namespace fs = std::filesystem;
  key("F12");
  waitForPictures(3);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().extension() != ".png") continue;
    const fs::path kept = fs::temp_directory_path() / ("tenon-preview-" + name + ".png");
    fs::copy_file(entry.path(), kept, fs::copy_options::overwrite_existing);
    return kept.string();
  }
  return "";
}

}  // namespace tenon::tests
