// See preview_window.h.
#include "tests/support/preview_window.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tenon::tests {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::minutes(2);  ///< on a machine with much else to do

void pause() {
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace

PreviewWindow::PreviewWindow(std::vector<std::string> arguments, std::vector<std::string> environment) {
  trace_ = folder_ / "trace.jsonl";
  arguments.insert(arguments.begin(), {TENON_PROGRAM, "preview"});
  arguments.insert(arguments.end(), {"--size", "1280x720", "--trace", trace_});
  environment.insert(environment.end(),
                     {"DISPLAY=" + screen_.name(), "XDG_CONFIG_HOME=" + folder_.path(), "WAYLAND_DISPLAY="});
  child_ = fork();
  if (child_ == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    const int err = open((folder_ / "stderr").c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(err, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (chdir(folder_.path().c_str()) != 0) _exit(127);  // its pictures come here
    for (std::string& variable : environment) putenv(variable.data());
    std::vector<char*> argv;
    for (std::string& word : arguments) argv.push_back(word.data());
    argv.push_back(nullptr);
    alarm(600);  // survives the exec
    execv(argv[0], argv.data());
    _exit(127);
  }
  if (!waitForPictures(2)) throw std::runtime_error("no picture came: " + said());
  window_ = screen_.xdotool("search --onlyvisible --name Tenon | tail -1");
  while (!window_.empty() && std::isspace(window_.back())) window_.pop_back();
  screen_.xdotool("windowfocus " + window_);
}

PreviewWindow::~PreviewWindow() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

bool PreviewWindow::readMore() {
  std::ifstream in(trace_);
  in.seekg(read_);
  std::stringstream text;
  text << in.rdbuf();
  rest_ += text.str();
  read_ += static_cast<long>(text.str().size());
  const auto end = rest_.rfind('\n');
  if (end == std::string::npos) return false;
  const auto begin = end == 0 ? std::string::npos : rest_.rfind('\n', end - 1);
  const std::string last = rest_.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1));
  rest_.erase(0, end + 1);
  now_ = Json::parse(last);
  return true;
}

const PreviewWindow::Json& PreviewWindow::now() {
  readMore();
  return now_;
}

bool PreviewWindow::waitFor(const std::function<bool(const Json&)>& is) {
  const auto end = Clock::now() + kPatience;
  while (Clock::now() < end) {
    if (readMore() && is(now_)) return true;
    if (child_ >= 0 && waitpid(child_, nullptr, WNOHANG | WNOWAIT) != 0) {
      siginfo_t info{};
      if (waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid != 0)
        return false;
    }
    pause();
  }
  return false;
}

bool PreviewWindow::waitForPictures(int count) {
  const long from = now().is_object() ? now_["frame"].get<long>() : 0;
  return waitFor([&](const Json& picture) { return picture["frame"].get<long>() >= from + count; });
}

bool PreviewWindow::waitForRest() {
  // What the mouse did last is in the second picture from now at the latest.
  if (!waitForPictures(2)) return false;
  Json before = now_["poses"];
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

int PreviewWindow::exitCode() {
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string PreviewWindow::said() const {
  std::ifstream in(folder_ / "stderr");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
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
