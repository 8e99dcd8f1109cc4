// bench_service: a server under load. Starts `tenon serve` on a Unix socket and measures, as its clients see
// it: sessions that play side by side, observers of one of them, and the path of a hand's samples.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/service/client/remote_server.h"
#include "runtime/session/run_scene.h"
#include "tests/bench/bench_program.h"

namespace tenon::bench {
namespace {

using Clock = std::chrono::steady_clock;
using service::RemoteServer;

struct Options {
  std::string program, scene = "content/scenes/four-bolts.json";
  int sessions = 8, observers = 100;
  double seconds = 10, rate = 1000;
};

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double percentile(std::vector<double>& values, double fraction) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

/// A server with a data folder of its own.
class ServerProcess {
 public:
  explicit ServerProcess(const Options& options) {
    std::string name = (std::filesystem::temp_directory_path() / "tenon-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    const std::string most = std::to_string(options.sessions + 1);
    std::fflush(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      if (std::freopen((folder_ + "/log").c_str(), "w", stderr) == nullptr) _exit(126);
      if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
      execl(options.program.c_str(), "tenon", "serve", "--data", folder_.c_str(), "--listen",
            address().c_str(), "--max-sessions", most.c_str(), nullptr);
      _exit(127);
    }
    connect();
  }
  ~ServerProcess() {
    server_.reset();
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::string address() const { return "unix:" + folder_ + "/socket"; }
  RemoteServer& server() { return *server_; }

 private:
  void connect() {
    for (const auto start = Clock::now(); !server_;
         std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
      if (waitpid(pid_, nullptr, WNOHANG) != 0 || secondsSince(start) > 30)
        throw std::runtime_error("the server does not start; see --program");
      if (!std::filesystem::exists(folder_ + "/socket")) continue;
      try {
        server_ = std::make_unique<RemoteServer>(service::ConnectOptions{address(), "", "", "", ""});
      } catch (const std::exception&) {  // not yet
      }
    }
  }

  std::string folder_;
  pid_t pid_ = -1;
  std::unique_ptr<RemoteServer> server_;
};

/// A session that plays.
class Playing {
 public:
  Playing(RemoteServer& server, const runtime::LoadedScene& scene, const Options& options,
          bool freeHands = false)
      : server_(server) {
    v1::CreateSessionRequest request;
    request.set_scene(server.upload(scene));
    request.set_rate(options.rate);
    request.set_free_hands(freeHands);
    info_ = server.create(request);
    control([](v1::ControlRequest& wanted) { wanted.set_play(true); });
  }
  ~Playing() {
    grpc::ClientContext context;
    v1::CloseSessionRequest request;
    request.set_session(id());
    v1::CloseSessionResponse response;
    server_.sessionsStub().Close(&context, request, &response);
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

  const std::string& id() const { return info_.id(); }
  const v1::Session& info() const { return info_; }

  v1::Pace pace() {
    return control([](v1::ControlRequest& wanted) { wanted.set_play(true); });
  }

 private:
  template <class Fill>
  v1::Pace control(const Fill& fill) {
    grpc::ClientContext context;
    v1::ControlRequest request;
    request.set_session(id());
    fill(request);
    v1::Pace pace;
    const grpc::Status status = server_.sessionsStub().Control(&context, request, &pace);
    if (!status.ok()) throw std::runtime_error(status.error_message());
    return pace;
  }

  RemoteServer& server_;
  v1::Session info_;
};

/// Steps computed, of those due, in a period.
class Share {
 public:
  explicit Share(Playing& session) : session_(&session), before_(session.pace()) {}
  double get() {
    const v1::Pace after = session_->pace();
    const double played = double(after.steps() - before_.steps()),
                 dropped = double(after.dropped_steps() - before_.dropped_steps());
    return played + dropped > 0 ? played / (played + dropped) : 1;
  }
  std::int64_t dropped() { return session_->pace().dropped_steps() - before_.dropped_steps(); }

 private:
  Playing* session_;
  v1::Pace before_;
};

void wait(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void measureSessions(const Options& options, const runtime::LoadedScene& scene) {
  ServerProcess process(options);
  for (int count = 1; count <= options.sessions; count *= 2) {
    std::vector<std::unique_ptr<Playing>> sessions;
    for (int k = 0; k < count; ++k)
      sessions.push_back(std::make_unique<Playing>(process.server(), scene, options));
    std::vector<Share> shares;
    for (const auto& session : sessions) shares.emplace_back(*session);
    wait(options.seconds);
    double worst = 1;
    for (Share& share : shares) worst = std::min(worst, share.get());
    fmt::print("| {} sessions at {:g} Hz | least share of the due steps | {:.4f} |\n", count, options.rate,
               worst);
    std::fflush(stdout);
  }
}

/// Streams of states, and when each state came.
class Observers {
 public:
  Observers(const std::string& address, const Playing& session, int count, double rate, double stepTime)
      : stepTime_(stepTime) {
    for (int k = 0; k < count; ++k)
      threads_.emplace_back([=, this, id = session.id()] { watch(address, id, rate); });
  }

  /// Lags behind the state that came with the least delay of all [s].
  std::vector<double> stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    const double least = delays_.empty() ? 0 : *std::min_element(delays_.begin(), delays_.end());
    for (double& delay : delays_) delay -= least;
    return delays_;
  }

 private:
  void watch(const std::string& address, const std::string& id, double rate) {
    RemoteServer server({address, "", "", "", ""});
    grpc::ClientContext context;
    v1::WatchRequest request;
    request.set_session(id);
    request.set_rate(rate);
    const auto states = server.sessionsStub().Watch(&context, request);
    std::vector<double> delays;
    v1::State state;
    while (!stop_ && states->Read(&state))
      delays.push_back(secondsSince(start_) - static_cast<double>(state.step()) * stepTime_);
    context.TryCancel();
    const std::lock_guard lock(mutex_);
    delays_.insert(delays_.end(), delays.begin(), delays.end());
  }

  double stepTime_;
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::vector<double> delays_;
  std::vector<std::thread> threads_;
};

void measureObservers(const Options& options, const runtime::LoadedScene& scene) {
  constexpr double kRate = 30;
  ServerProcess process(options);
  Playing session(process.server(), scene, options);
  wait(1);
  Share alone(session);
  wait(options.seconds);
  fmt::print("| 1 session, no observer | dropped steps | {} |\n", alone.dropped());
  Observers observers(process.address(), session, options.observers, kRate, 1 / options.rate);
  wait(1);
  Share observed(session);
  wait(options.seconds);
  const std::int64_t dropped = observed.dropped();
  std::vector<double> lags = observers.stop();
  fmt::print("| 1 session, {} observers at {:g} Hz | dropped steps | {} |\n", options.observers, kRate,
             dropped);
  fmt::print("| | states a second and observer | {:.1f} |\n",
             static_cast<double>(lags.size()) / options.observers / (options.seconds + 1));
  fmt::print("| | state to observer, median, 99 % [ms] | {:.1f}, {:.1f} |\n", 1e3 * percentile(lags, 0.5),
             1e3 * percentile(lags, 0.99));
  std::fflush(stdout);
}

/// Samples of a hand that moves: from the sample to the state in which the hand is there.
void measureHands(const Options& options, const runtime::LoadedScene& scene) {
  constexpr double kSampleRate = 90, kStateRate = 240, kSpeed = 1e-4;  // [m] a sample
  ServerProcess process(options);
  Playing session(process.server(), scene, options, true);
  grpc::ClientContext context;
  const auto stream = process.server().sessionsStub().Hands(&context);
  v1::HandsRequest request;
  request.mutable_begin()->set_session(session.id());
  request.mutable_begin()->add_hands(0);
  request.mutable_begin()->set_rate(kStateRate);
  stream->Write(request);
  const auto count = static_cast<std::size_t>(options.seconds * kSampleRate);
  std::vector<std::atomic<double>> sent(count);
  const auto start = Clock::now();
  std::vector<double> round;
  std::thread reader([&] {
    v1::State state;
    std::size_t last = 0;
    while (last + 1 < count && stream->Read(&state)) {
      const auto k =
          static_cast<std::size_t>(std::max(0.0, state.hands(0).target().position().x() / kSpeed + 0.5));
      if (k <= last || k >= count) continue;
      round.push_back(secondsSince(start) - sent[k]);
      last = k;
    }
  });
  for (std::size_t k = 1; k < count; ++k) {
    request.Clear();
    v1::HandSample& sample = *request.mutable_sample();
    sample.set_tracked(true);
    sample.mutable_pose()->mutable_position()->set_x(kSpeed * static_cast<double>(k));
    sample.mutable_pose()->mutable_position()->set_z(1);
    sent[k] = secondsSince(start);
    stream->Write(request);
    wait(1 / kSampleRate);
  }
  wait(0.5);
  context.TryCancel();
  reader.join();
  fmt::print(
      "| hand at {:g} Hz, states at {:g} Hz | sample to its state, median, 99 % [ms] | {:.1f}, {:.1f} |\n",
      kSampleRate, kStateRate, 1e3 * percentile(round, 0.5), 1e3 * percentile(round, 0.99));
}

int run(int argc, char** argv) {
  CLI::App app{"A server under load, as its clients see it"};
  Options options;
  options.program = (std::filesystem::path(argv[0]).parent_path() / "../../tenon").string();
  app.add_option("--program", options.program, "The program tenon")->check(CLI::ExistingFile);
  app.add_option("--scene", options.scene, "Scene of all sessions")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_option("--sessions", options.sessions, "Most sessions")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--observers", options.observers, "Observers of one session")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Time of each measurement [s]")
      ->check(CLI::Range(0.5, 3600.0))
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Steps per second [Hz]")
      ->check(CLI::Range(10.0, 10000.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  runtime::SceneOptions chosen;
  chosen.file = options.scene;
  const runtime::LoadedScene scene = runtime::loadScene(chosen);
  fmt::print("| load | measured | value |\n|---|---|---|\n");
  measureSessions(options, scene);
  measureObservers(options, scene);
  measureHands(options, scene);
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_service", tenon::bench::run, argc, argv);
}
