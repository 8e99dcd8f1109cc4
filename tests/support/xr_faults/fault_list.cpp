// The file is read at each call: a test changes it while the program runs.
#include "tests/support/xr_faults/fault_list.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

namespace tenon::faults {

namespace {

/// Calls come from several threads, and change the file.
std::mutex fileMutex;

std::vector<std::string> lines() {
  std::vector<std::string> all;
  const char* const file = std::getenv("TENON_XR_FAULTS");
  std::ifstream in(file == nullptr ? "" : file);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

/// In one piece: whoever reads it sees the old lines or the new ones.
void write(const std::vector<std::string>& all) {
  const std::string file = std::getenv("TENON_XR_FAULTS"), next = file + ".next";
  {
    std::ofstream out(next);
    for (const std::string& line : all) out << line << '\n';
  }
  std::rename(next.c_str(), file.c_str());
}

}  // namespace

constexpr const char* kFrameHangs = "hang WaitFrame";
std::atomic<bool> frameHangs = false;  ///< a call of xrWaitFrame does

static void waitWhile(const std::string& line) {
  for (; holds(line); std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (line == kFrameHangs) frameHangs = true;
  if (line == kFrameHangs) frameHangs = false;
}

/// False: no call of xrWaitFrame hangs yet that should; the program waits for a frame first.
static bool doesFrameHangIfWished() {
  constexpr auto kInterval = std::chrono::milliseconds(10);
  for (int k = 0; k < 100 && !frameHangs; ++k) {
    if (!holds(kFrameHangs)) return true;
    std::this_thread::sleep_for(kInterval);
  }
  return frameHangs;
}

std::optional<int> failureOf(const std::string& call) {
  waitWhile("hang " + call);
  const std::lock_guard lock(fileMutex);
  std::vector<std::string> all = lines();
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::istringstream in(all[k]);
    std::string word, name;
    int result = 0, skip = 0;
    in >> word >> name >> result;
    if (in && word == "always" && name == call) return result;
    if (!(in >> skip) || word != "fail" || name != call) continue;
    if (skip > 0) {
      all[k] = "fail " + name + " " + std::to_string(result) + " " + std::to_string(skip - 1);
      write(all);
      return std::nullopt;
    }
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    write(all);
    return result;
  }
  return std::nullopt;
}

std::optional<int> takeEvent() {
  if (valueOf("event").empty() || !doesFrameHangIfWished()) return std::nullopt;
  const std::lock_guard lock(fileMutex);
  std::vector<std::string> all = lines();
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::istringstream in(all[k]);
    std::string word;
    int state = 0;
    if (!(in >> word >> state) || word != "event") continue;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    write(all);
    return state;
  }
  return std::nullopt;
}

std::string takeComplaint() {
  const std::lock_guard lock(fileMutex);
  std::vector<std::string> all = lines();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].starts_with("say ")) continue;
    const std::string text = all[k].substr(4);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    write(all);
    return text;
  }
  return "";
}

void takeLine(const std::string& word) {
  const std::lock_guard lock(fileMutex);
  std::vector<std::string> all = lines();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const std::string& line) { return line.starts_with(word + ' '); });
  if (found == all.end()) return;
  all.erase(found);
  write(all);
}

bool holds(const std::string& line) {
  for (const std::string& one : lines())
    if (one == line) return true;
  return false;
}

std::string valueOf(const std::string& word) {
  const std::vector<std::string> all = valuesOf(word);
  return all.empty() ? "" : all.front();
}

std::vector<std::string> valuesOf(const std::string& word) {
  std::vector<std::string> all;
  for (const std::string& one : lines())
    if (one.starts_with(word + ' ')) all.push_back(one.substr(word.size() + 1));
  return all;
}

void note(const std::string& line) {
  if (const char* const file = std::getenv("TENON_XR_CALLS"); file != nullptr)
    std::ofstream(file, std::ios::app) << line << '\n';
}

}  // namespace tenon::faults
