// See check_each.h.
#include "runtime/commands/check_each.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/printable.h"
#include "content/input/wording.h"
#include "content/reader/part_file.h"
#include "content/step/read_step.h"
#include "runtime/report/file_survey.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using ReadingClock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

std::vector<fs::path> filesIn(const std::string& folder) {
  std::error_code error;
  if (fs::is_regular_file(folder, error)) {
    if (content::isPartFile(folder)) return {folder};
    throw content::InputError("--each", content::inQuotes(folder), "is not a CAD or mesh file",
                              "name a .step, .stp, .stl, .obj, .gltf or .glb file, or a folder with such "
                              "files; a scene is checked without --each");
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (content::isPartFile(at->path().string())) files.push_back(at->path());
  if (error)
    throw content::InputError("--each", content::inQuotes(folder), "cannot be read: " + error.message(),
                              "name a CAD or mesh file, or a folder with such files");
  if (files.empty())
    throw content::InputError("--each", content::inQuotes(folder), "has no CAD or mesh file",
                              "name a folder with .step, .stp, .stl, .obj, .gltf or .glb files");
  std::sort(files.begin(), files.end());
  return files;
}

[[noreturn]] void failToStart(const char* what) {
  throw std::runtime_error(
      fmt::format("cannot start a process for a file: {}: {}", what, std::strerror(errno)));
}

void writeLine(int out, const Json& line) {
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(out, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

/// Writes a list of the names of several parts, then the row of each part as soon as it is known; in between,
/// on a terminal, its progress, each as a JSON string.
void writeRows(const fs::path& path, const CheckEachOptions& options, int out) {
  const std::string file = path.string(), name = path.filename().string();
  const auto fail = [&](const std::string& problem) { writeLine(out, failedRow(name, "", problem, 0)); };
  try {
    content::PartFileOptions reading;
    reading.unit = options.unit;
    reading.seconds = options.seconds;
    const auto show = [&](const std::string& text) {  // one line of the terminal: without the folder
      writeLine(out, text.starts_with(file) ? name + text.substr(file.size()) : text);
    };
    if (isTerminal(stderr)) reading.progress = show;
    reading.onNames = [&](const std::vector<std::string>& names) { writeLine(out, names); };
    reading.onPart = [&](const content::FilePart& part) { writeLine(out, fileRow(name, part)); };
    content::readPartFile(file, reading);
  } catch (const content::MissingComponent& error) {
    fail(error.what());
  } catch (const std::bad_alloc&) {
    fail("needs more memory than there is; export it with fewer details");
  } catch (const std::exception& error) {
    fail(fmt::format("internal error: {}; please report it", error.what()));
  }
}

/// In the new process: writes the rows to `out` and ends.
[[noreturn]] void readInProcess(const fs::path& path, const CheckEachOptions& options, int out) {
  setpgid(0, 0);  // with the STEP reader, so that both can be stopped
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  writeRows(path, options, out);
  _exit(0);
}

/// The last text among the lines from `begin` on, which is moved behind them; "" if there is none.
std::string lastTextIn(const std::string& lines, std::size_t& begin) {
  std::string last;
  for (std::size_t end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (const Json text = Json::parse(lines.substr(begin, end - begin), nullptr, false); text.is_string())
      last = text.get<std::string>();
  return last;
}

/// What the process writes until it ends, or until `end`; false at that time. Calls onText(text) for texts.
bool readUntil(int descriptor, ReadingClock::time_point end,
               const std::function<void(const std::string&)>& onText, std::string& text) {
  std::size_t seen = 0;
  std::array<char, 1 << 16> part{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - ReadingClock::now()).count();
    pollfd wait{descriptor, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::max<long>(0, left)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(part.data(), static_cast<std::size_t>(count));
    if (const std::string last = lastTextIn(text, seen); !last.empty()) onText(last);
  }
}

/// What a process has written about its file.
struct Written {
  std::vector<std::string> names;  ///< of its parts, if it has several
  std::vector<Json> rows;
};

Written parse(const std::string& text) {
  Written written;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_array())
      written.names = json.get<std::vector<std::string>>();
    else if (json.is_object())
      written.rows.push_back(json);
  }
  return written;
}

/// Rows for the parts about which the process, which ended because of `problem`, has not written.
void addMissing(const std::string& file, const std::string& problem, double seconds, Written& written) {
  std::vector<Json>& rows = written.rows;
  if (written.names.empty() && rows.empty()) rows.push_back(failedRow(file, "", problem, seconds));
  for (bool isFirst = true; rows.size() < written.names.size(); isFirst = false)
    rows.push_back(
        failedRow(file, written.names[rows.size()],
                  isFirst ? problem : "is not read after the part above; export it in a file of its own",
                  isFirst ? seconds : 0));
}

std::vector<Json> rowsOf(const fs::path& path, const CheckEachOptions& options,
                         const std::function<void(const std::string&)>& onProgress) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) failToStart("pipe2");
  std::fflush(nullptr);
  const auto start = ReadingClock::now();
  const pid_t child = fork();
  if (child < 0) failToStart("fork");
  if (child == 0) {
    close(ends[0]);
    readInProcess(path, options, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool isDone = readUntil(ends[0], start + std::chrono::seconds(options.seconds), onProgress, text);
  close(ends[0]);
  kill(-child, SIGKILL);  // what it has started, too; nothing is left where it has ended
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const double seconds = std::chrono::duration<double>(ReadingClock::now() - start).count();
  Written written = parse(text);
  const std::string reason = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no result";
  addMissing(
      path.filename().string(),
      isDone ? fmt::format("ends the reader ({}); please report it with the file", reason)
             : fmt::format("takes more than {} s; allow more with --limit, or export it with fewer details",
                           options.seconds),
      seconds, written);
  return std::move(written.rows);
}

}  // namespace

int checkEach(const CheckEachOptions& options) {
  const std::vector<fs::path> files = filesIn(options.folder);
  const bool onTerminal = isTerminal(stderr);
  std::vector<Json> rows;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const auto showProgress = [&](const std::string& text) {
      if (onTerminal)
        fmt::print(stderr, "\r\x1b[K{} of {}: {}", k + 1, files.size(), content::printable(text));
    };
    showProgress(files[k].filename().string());
    for (Json& row : rowsOf(files[k], options, showProgress)) rows.push_back(std::move(row));
  }
  if (onTerminal) fmt::print(stderr, "\r\x1b[K");
  if (options.json) {
    const auto usable =
        std::count_if(rows.begin(), rows.end(), [](const Json& row) { return row.at("usable").get<bool>(); });
    const Json result = {{"folder", options.folder},
                         {"files", files.size()},
                         {"usable", usable},
                         {"refused", static_cast<std::ptrdiff_t>(rows.size()) - usable},
                         {"parts", rows}};
    printResult(result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else {
    const bool isOneFile = files.size() == 1;  // of many the table would be long
    printResult(fileTable(rows, supportsColor(stdout)) + (isOneFile ? fileSiteTable(rows) : ""));
  }
  return areUsable(rows) ? kSuccess : kBadInput;
}

}  // namespace tenon::runtime
