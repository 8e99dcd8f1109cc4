// See service_log.h.
#include "runtime/service/server/service_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace tenon::service {

void ServiceLog::write(const char* event, std::initializer_list<Field> fields) {
  const auto now = std::chrono::system_clock::now();
  const auto since = now.time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since).count() % 1000;
  nlohmann::ordered_json line;
  line["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                             fmt::gmtime(std::chrono::system_clock::to_time_t(now)), milliseconds);
  line["event"] = event;
  for (const auto& [name, value] : fields) line[name] = value;
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(mutex_);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace tenon::service
