// See traced_program.h.
#include "tests/support/traced_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace tenon::tests {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTraceTimeout = std::chrono::minutes(2);  ///< on a machine with much else to do

}  // namespace

TracedProgram::TracedProgram(std::vector<std::string> words, std::vector<std::string> environment,
                             std::string folder, std::string trace)
    : folder_(std::move(folder)), trace_(std::move(trace)) {
  child_ = fork();
  if (child_ != 0) return;
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  const int err = open((folder_ + "/stderr").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(err, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (chdir(folder_.c_str()) != 0) _exit(127);
  for (std::string& variable : environment) putenv(variable.data());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  alarm(600);  // survives the exec
  execv(argv[0], argv.data());
  _exit(127);
}

TracedProgram::~TracedProgram() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

bool TracedProgram::readMore() {
  std::ifstream in(trace_);
  in.seekg(read_);
  std::stringstream text;
  text << in.rdbuf();
  rest_ += text.str();
  read_ += static_cast<long>(text.str().size());
  const auto end = rest_.rfind('\n');
  if (end == std::string::npos) return false;
  const auto begin = end == 0 ? std::string::npos : rest_.rfind('\n', end - 1);
  const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
  now_ = Json::parse(rest_.substr(from, end - from));
  rest_.erase(0, end + 1);
  return true;
}

const TracedProgram::Json& TracedProgram::now() {
  readMore();
  return now_;
}

bool TracedProgram::hasEnded() const {
  siginfo_t info{};
  return child_ >= 0 && waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

bool TracedProgram::waitFor(const std::function<bool(const Json&)>& is) {
  const auto end = Clock::now() + kTraceTimeout;
  while (Clock::now() < end) {
    const bool ended = hasEnded();
    if (readMore() && is(now_)) return true;
    if (ended) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

void TracedProgram::send(int signal) const {
  kill(child_, signal);
}

int TracedProgram::exitCode() {
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string TracedProgram::said() const {
  std::ifstream in(folder_ + "/stderr");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace tenon::tests
