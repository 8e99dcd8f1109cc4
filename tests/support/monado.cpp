// See monado.h. The wire format is that of Monado's remote driver (r_interface.h): packets of 376 bytes.
#include "tests/support/monado.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tenon::tests {

namespace {

constexpr std::size_t kPacket = 376, kHead = 104, kLeftHand = 136, kHand = 120;
constexpr std::size_t kTrigger = 72, kSqueeze = 76, kStick = 84, kActive = 105, kA = 108,
                      kB = 110;                 // of a hand
constexpr std::size_t kCurl = 52, kBare = 104;  // of a hand
constexpr auto kPatience = std::chrono::minutes(1);

/// What monado.sh said: the program that runs others with Monado, or why there is none.
struct FoundProcess {
  std::string with, problem;
};

const FoundProcess& found() {
  static const FoundProcess answer = [] {
    const TemporaryFolder folder;
    const std::string command = "bash " TENON_SOURCE_DIR "/tests/harness/monado.sh >" + (folder / "out") +
                                " 2>" + (folder / "err") + " </dev/null";
    const bool done = std::system(command.c_str()) == 0;
    std::string line;
    std::ifstream in(folder / (done ? "out" : "err"));
    while (std::getline(in, line) && line.empty()) {
    }
    if (done) return FoundProcess{line, ""};
    return FoundProcess{"", line.empty() ? "tests/harness/monado.sh failed without a word" : line};
  }();
  return answer;
}

/// One that is free now.
int freePort() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (probe < 0 || bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port");
  close(probe);
  return ntohs(address.sin_port);
}

void put(char* to, double value) {
  const auto narrow = static_cast<float>(value);
  std::memcpy(to, &narrow, sizeof narrow);
}

void put(char* to, const physics::Pose& X) {
  const double values[] = {X.q.x(), X.q.y(), X.q.z(), X.q.w(), X.p.x(), X.p.y(), X.p.z()};
  for (std::size_t k = 0; k < 7; ++k) put(to + 4 * k, values[k]);
}

}  // namespace

std::string whyNoMonado() {
  return found().problem;
}

Monado::Monado() {
  X_SHead.p = {0, 1.6, 0};
  hands[kLeft].X_SH.p = {-0.2, 1.2, -0.3};
  hands[kRight].X_SH.p = {0.2, 1.2, -0.3};
  std::filesystem::create_directory(folder_ / "monado");
  start();
}

// On another port, if a program has taken this one in the meantime.
void Monado::start() {
  constexpr int kTrials = 5;
  for (int trial = 0; trial < kTrials; ++trial) {
    port_ = freePort();
    launch();
    if (connect()) return send();
    kill();
  }
  throw std::runtime_error("Monado finds no free port: " + said());
}

void Monado::launch() {
  std::ofstream(folder_ / "monado/config_v0.json")
      << R"({"active": "remote", "remote": {"version": 0, "view_count": 2, "port": )" << port_ << "}}\n";
  saidBefore_ = said().size();
  // Of one that was killed: it would be taken for one that runs.
  std::error_code ignored;
  std::filesystem::remove(folder_ / "monado_comp_ipc", ignored);
  std::vector<std::string> words = with({"monado-service"});
  std::vector<std::string> variables = environment();
  for (const char* more : {"XRT_NO_STDIN=1", "XRT_COMPOSITOR_NULL=1", "P_OVERRIDE_ACTIVE_CONFIG=remote"})
    variables.emplace_back(more);
  service_ = fork();
  if (service_ == 0) {
    // As root it would take priority over all else on the machine.
    prctl(PR_CAPBSET_DROP, CAP_SYS_NICE);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    const int log = open((folder_ / "service").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (std::string& variable : variables) putenv(variable.data());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    alarm(600);  // survives the exec
    execv(argv[0], argv.data());
    _exit(127);
  }
}

Monado::~Monado() {
  kill();
}

void Monado::kill() {
  if (service_ < 0) return;
  ::kill(service_, SIGKILL);
  waitpid(service_, nullptr, 0);
  service_ = -1;
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

std::vector<std::string> Monado::with(std::vector<std::string> words) const {
  words.insert(words.begin(), found().with);
  return words;
}

std::vector<std::string> Monado::environment() const {
  return {"HOME=" + folder_.path(), "XDG_CONFIG_HOME=" + folder_.path(), "XDG_RUNTIME_DIR=" + folder_.path()};
}

// False if its driver did not get its port.
bool Monado::connect() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    // Programs find the service by this file. Who comes sooner and goes again ends it.
    const bool isUp = std::filesystem::exists(folder_ / "monado_comp_ipc");
    socket_ = isUp ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (isUp && ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) break;
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    if (said().find("[setup_accept_fd] bind", saidBefore_) != std::string::npos) return false;
    if (waitpid(service_, nullptr, WNOHANG) != 0 || std::chrono::steady_clock::now() > end)
      throw std::runtime_error("Monado did not come up: " + said());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  char greeting[2 * kPacket];
  for (std::size_t got = 0; got < sizeof greeting;) {
    const ssize_t count = recv(socket_, greeting + got, sizeof greeting - got, 0);
    if (count <= 0) throw std::runtime_error("Monado's driver said nothing: " + said());
    got += static_cast<std::size_t>(count);
  }
  return true;
}

void Monado::send() {
  char packet[kPacket] = {};
  std::memcpy(packet, "mndrmt3", 8);
  put(packet + kHead, X_SHead);
  for (std::size_t side = 0; side < hands.size(); ++side) {
    char* const at = packet + kLeftHand + side * kHand;
    put(at, hands[side].X_SH);
    put(at + kTrigger, hands[side].trigger);
    put(at + kSqueeze, hands[side].squeeze);
    put(at + kStick, hands[side].thumbstickX);
    for (std::size_t k = 0; k < 5; ++k) put(at + kCurl + 4 * k, hands[side].curl[k]);
    at[kBare] = hands[side].bare ? 1 : 0;
    put(at + kStick + 4, hands[side].thumbstickY);
    at[kActive] = hands[side].active ? 1 : 0;
    at[kA] = hands[side].a ? 1 : 0;
    at[kB] = hands[side].b ? 1 : 0;
  }
  if (::send(socket_, packet, sizeof packet, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof packet))
    throw std::runtime_error("Monado's driver takes nothing: " + said());
}

std::string Monado::said() const {
  std::ifstream in(folder_ / "service");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace tenon::tests
