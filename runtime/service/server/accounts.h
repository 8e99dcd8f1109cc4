// What each client uses of the server: processor time, and space for its scenes and records.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "runtime/service/server/serve_options.h"

namespace tenon::service {

/// All members may be called from any thread. Without tokens all clients are one, whose name is empty.
class Accounts {
 public:
  using Clock = std::chrono::steady_clock;

  /// Borrows the options.
  explicit Accounts(const ServeOptions& options) : options_(options) {}

  /// Adds processor time [s] of a client's process.
  void addProcessorTime(const std::string& client, double seconds, Clock::time_point now = Clock::now());
  /// Processor time that counts against the limit [s]: it is forgiven evenly, the limit of a day in a day.
  double processorTime(const std::string& client, Clock::time_point now = Clock::now()) const;

  /// Notes the owner of a scene or record in the file FILE.owner beside it, unless it has one. Throws
  /// StatusError if that cannot be written.
  void own(const std::string& file, const std::string& client);
  /// Empty: unknown.
  static std::string ownerOf(const std::string& file);
  /// Removes a scene or record with what lies beside it: its owner, and the log of a record whose process was
  /// killed.
  static void remove(const std::string& file);
  /// Size of all files of a client in the folders of scenes, records and studies [byte].
  std::int64_t space(const std::string& client) const;

  /// Why a client may use no more; std::nullopt: it may.
  std::optional<std::string> excess(const std::string& client) const;
  /// Throws StatusError with RESOURCE_EXHAUSTED and excess().
  void requireWithin(const std::string& client) const;

 private:
  struct Processor {
    double used = 0;  ///< [s]
    Clock::time_point at;
  };
  /// processorTime() while the mutex is held.
  double remaining(const std::string& client, Clock::time_point now) const;
  double allowedSeconds() const { return 3600 * options_.maxProcessor_h; }

  const ServeOptions& options_;
  mutable std::mutex mutex_;
  std::map<std::string, Processor> processors_;
};

}  // namespace tenon::service
