// See accounts.h.
#include "runtime/service/server/accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

constexpr double kDay = 86'400;  ///< [s]
constexpr const char* kOwnerEnding = ".owner";
constexpr std::array kFolders{"/scenes", "/records", "/studies"};

std::string called(const std::string& client) {
  return client.empty() ? std::string("the clients of this server") : client;
}

/// 0 if it has gone.
std::int64_t sizeOf(const std::string& file) {
  std::error_code gone;
  const auto size = fs::file_size(file, gone);
  return gone ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

void Accounts::addProcessorTime(const std::string& client, double seconds, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const double used = remaining(client, now);
  processors_[client] = {used + std::max(0.0, seconds), now};
}

double Accounts::processorTime(const std::string& client, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return remaining(client, now);
}

double Accounts::remaining(const std::string& client, Clock::time_point now) const {
  const auto found = processors_.find(client);
  if (found == processors_.end()) return 0;
  const double elapsed = std::chrono::duration<double>(now - found->second.at).count();
  return std::max(0.0, found->second.used - allowedSeconds() * elapsed / kDay);
}

void Accounts::own(const std::string& file, const std::string& client) {
  if (client.empty() || fs::exists(file + kOwnerEnding)) return;
  std::ofstream out(file + kOwnerEnding, std::ios::binary);
  if (!(out << client << std::flush))
    throw StatusError(grpc::StatusCode::RESOURCE_EXHAUSTED, "the data folder cannot be written");
}

std::string Accounts::ownerOf(const std::string& file) {
  std::ifstream in(file + kOwnerEnding, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void Accounts::remove(const std::string& file) {
  std::error_code ignored;
  for (const char* const ending : {"", "-wal", "-shm", "-journal", kOwnerEnding})
    fs::remove(file + ending, ignored);
}

std::int64_t Accounts::space(const std::string& client) const {
  std::int64_t bytes = 0;
  for (const char* const folder : kFolders) {
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(options_.data + folder, failed)) {
      const std::string file = entry.path().string();
      // The log of SQLite beside a record that grows ends in the record.
      if (entry.path().extension() == kOwnerEnding ||
          entry.path().filename().string().find('-') != std::string::npos)
        continue;
      if (client.empty() || ownerOf(file) == client) bytes += sizeOf(file);
    }
  }
  return bytes;
}

std::optional<std::string> Accounts::excess(const std::string& client) const {
  if (options_.maxProcessor_h > 0 && processorTime(client) >= allowedSeconds())
    return fmt::format("{} used the {:g} h of processor time that this server allows in a day; wait",
                       called(client), options_.maxProcessor_h);
  if (options_.maxSpace_mb > 0 && space(client) >= options_.maxSpaceBytes())
    return fmt::format(
        "scenes, records and studies of {} take the {} MB that this server allows; delete some of them",
        called(client), options_.maxSpace_mb);
  return std::nullopt;
}

void Accounts::requireWithin(const std::string& client) const {
  if (const auto reason = excess(client)) throw StatusError(grpc::StatusCode::RESOURCE_EXHAUSTED, *reason);
}

}  // namespace tenon::service
