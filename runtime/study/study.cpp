// Threads compute; the calling thread alone writes.
#include "runtime/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "content/input/input_error.h"

namespace tenon::runtime {

namespace {

using Clock = std::chrono::steady_clock;

enum class CaseState : std::uint8_t { missing, failed, succeeded };

/// The known cases, and where the plan's stop rule ends the study.
class Tally {
 public:
  Tally(const StudyPlan& plan, Shard shard)
      : shard_(shard), width_(shard.count == 1 ? plan.yieldWidth : std::nullopt) {
    progress_.total = (plan.count - shard.index + shard.count - 1) / shard.count;
    states_.resize(static_cast<std::size_t>(progress_.total), CaseState::missing);
  }
  void add(const CaseResult& result) {
    const std::size_t place = placeOf(result.number);
    if (place >= states_.size()) return;  // of no case of the plan: the file was changed by hand
    CaseState& state = states_[place];
    if (state != CaseState::missing) return;
    state = result.success ? CaseState::succeeded : CaseState::failed;
    ++progress_.done;
    progress_.successes += result.success;
    advance();
  }
  bool has(std::int64_t k) const { return states_[placeOf(k)] != CaseState::missing; }
  /// The number of cases after which the yield is known well enough; empty before.
  std::optional<std::int64_t> end() const { return end_; }
  StudyProgress progress() const {
    StudyProgress progress = progress_;
    if (end_) {
      progress.done = progress.total = *end_;
      progress.successes = prefixSuccesses_;
    }
    progress.yield = wilsonInterval(progress.successes, progress.done);
    return progress;
  }

 private:
  std::size_t placeOf(std::int64_t k) const {
    return static_cast<std::size_t>((k - shard_.index) / shard_.count);
  }
  void advance() {
    if (!width_) return;
    while (!end_ && prefix_ < std::ssize(states_) && has(prefix_)) {
      prefixSuccesses_ += states_[static_cast<std::size_t>(prefix_++)] == CaseState::succeeded;
      if (wilsonInterval(prefixSuccesses_, prefix_).width() < *width_) end_ = prefix_;
    }
  }

  Shard shard_;
  std::vector<CaseState> states_;  ///< of the shard's cases: a byte each
  std::optional<double> width_;
  StudyProgress progress_;
  std::int64_t prefix_ = 0, prefixSuccesses_ = 0;
  std::optional<std::int64_t> end_;
};

/// Threads that compute the missing cases of a shard in order.
class Pool {
 public:
  /// `known`: for each case of the shard, whether it is done.
  Pool(const StudyScene& scene, Shard shard, std::vector<bool> known, int threads)
      : scene_(scene), shard_(shard), known_(std::move(known)), running_(threads) {
    for (int k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
  }
  ~Pool() { stop(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Waits for `time` or the end; false: nothing more will come. Throws what a case threw.
  bool drain(std::chrono::milliseconds time, std::vector<CaseResult>& results) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return running_ == 0; });
    std::move(done_.begin(), done_.end(), std::back_inserter(results));
    done_.clear();
    if (failure_) std::rethrow_exception(failure_);
    return running_ > 0;
  }
  void stop() {
    stop_ = true;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  /// The next missing case; empty after the last.
  std::optional<std::int64_t> take() {
    for (std::size_t place = next_++; place < known_.size(); place = next_++)
      if (!known_[place]) return shard_.index + static_cast<std::int64_t>(place) * shard_.count;
    return std::nullopt;
  }
  void work() {
    try {
      while (!stop_) {
        const std::optional<std::int64_t> k = take();
        if (!k) break;
        CaseResult result = scene_.compute(*k, stop_);
        if (stop_) break;
        const std::lock_guard lock(mutex_);
        done_.push_back(std::move(result));
      }
    } catch (...) {
      stop_ = true;
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  const StudyScene& scene_;
  Shard shard_;
  std::vector<bool> known_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<CaseResult> done_;
  std::exception_ptr failure_;
  int running_;
  std::vector<std::thread> threads_;
};

std::vector<bool> knownCases(const StudyPlan& plan, Shard shard, const Tally& tally) {
  std::vector<bool> known;
  known.reserve(static_cast<std::size_t>(tally.progress().total));
  for (std::int64_t k = shard.index; k < plan.count; k += shard.count) known.push_back(tally.has(k));
  return known;
}

void requireShard(Shard shard) {
  if (shard.count < 1 || shard.count > 100'000 || shard.index < 0 || shard.index >= shard.count)
    throw content::InputError("--shard", fmt::format("{}/{}", shard.index + 1, shard.count), "is no shard",
                              "give i/n with i from 1 to n");
}

}  // namespace

StudyOutcome runStudy(const StudyScene& scene, const std::string& resultsFile, const StudyOptions& options,
                      const std::function<void(const StudyProgress&)>& progress) {
  requireShard(options.shard);
  const StudyPlan& plan = scene.plan();
  ResultsFile file(resultsFile, scene, options.shard);
  Tally tally(plan, options.shard);
  file.forEach([&](const CaseResult& result) { tally.add(result); });
  const auto before = tally.progress().done;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto start = Clock::now();
  auto written = start;
  bool stopped = false;
  std::vector<CaseResult> results;
  const auto report = [&] {
    StudyProgress now = tally.progress();
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    now.rate = time > 0 ? static_cast<double>(std::max<std::int64_t>(0, now.done - before)) / time : 0;
    now.timeLeft = now.rate > 0 ? static_cast<double>(now.total - now.done) / now.rate : 0;
    if (progress) progress(now);
    return now;
  };
  if (!tally.end()) {
    Pool pool(scene, options.shard, knownCases(plan, options.shard, tally),
              options.threads > 0 ? options.threads : cores);
    for (bool more = true; more && !tally.end() && !stopped;) {
      const std::size_t known = results.size();
      more = pool.drain(std::chrono::milliseconds(100), results);
      for (std::size_t k = known; k < results.size(); ++k) tally.add(results[k]);
      stopped = options.stopRequested && options.stopRequested();
      if (Clock::now() - written >= std::chrono::seconds(1)) {
        file.add(results);
        results.clear();
        written = Clock::now();
      }
      report();
    }
  }
  file.add(results);
  if (tally.end()) file.truncate(*tally.end());
  const StudyProgress last = report();
  return {last, last.done == last.total};
}

MergeOutcome mergeStudies(const std::vector<std::string>& files, const std::string& out) {
  const ResultsFile first(files.at(0));
  const StudyPlan& plan = first.plan();
  const StudyScene scene(plan);
  if (scene.fingerprint() != first.fingerprint())
    throw content::InputError(
        plan.scene, "", "or a file of it has changed since " + files[0] + " was computed", "restore it");
  for (const std::string& file : files) {
    const ResultsFile part(file);
    if (part.plan().text != plan.text || part.fingerprint() != first.fingerprint())
      throw content::InputError(file, "", "is of another plan or scene than " + files[0],
                                "merge the shards of one plan");
  }
  ResultsFile merged(out, scene, {});
  Tally tally(plan, {});
  for (const std::string& file : files) {
    std::vector<CaseResult> batch;
    const auto flush = [&] {
      merged.add(batch);
      batch.clear();
    };
    ResultsFile(file).forEach([&](const CaseResult& result) {
      tally.add(result);
      batch.push_back(result);
      if (batch.size() == 10'000) flush();
    });
    flush();
  }
  if (tally.end()) merged.truncate(*tally.end());
  const std::int64_t total = tally.end().value_or(plan.count);
  MergeOutcome outcome{tally.progress().done, total, {}, 0};
  for (std::int64_t k = 0; k < total; ++k) {
    if (tally.has(k)) continue;
    ++outcome.missingCount;
    if (outcome.missing.size() < 10) outcome.missing.push_back(k);
  }
  return outcome;
}

}  // namespace tenon::runtime
