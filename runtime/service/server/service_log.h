// The server's log: one JSON object per line on stderr, without secrets.
#pragma once

#include <initializer_list>
#include <mutex>
#include <string>
#include <utility>

namespace tenon::service {

class ServiceLog {
 public:
  using Field = std::pair<const char*, std::string>;

  /// Writes {"time": …, "event": `event`, …}, with the time in UTC. Thread-safe.
  void write(const char* event, std::initializer_list<Field> fields);

 private:
  std::mutex mutex_;
};

}  // namespace tenon::service
