// See disk_space.h.
#include "runtime/service/server/disk_space.h"

#include <fmt/format.h>

#include <system_error>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

/// What is left free of the disk, for records that grow [byte].
constexpr std::uintmax_t kSpareBytes = 64 << 20;

}  // namespace

DiskSpace::Reservation::Reservation(DiskSpace& space, std::uintmax_t bytes, const std::filesystem::path& file)
    : space_(space), bytes_(bytes) {
  const std::lock_guard lock(space_.mutex_);
  std::error_code failed;
  const std::filesystem::space_info disk = std::filesystem::space(file.parent_path(), failed);
  if (!failed && disk.available < space_.reserved_ + bytes + kSpareBytes)
    throw StatusError(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{}: the server's disk has no room for a copy of {} MB; try again when others "
                    "have ended their downloads, or delete records",
                    file.filename().string(), bytes / 1'000'000));
  space_.reserved_ += bytes;
}

DiskSpace::Reservation::~Reservation() {
  const std::lock_guard lock(space_.mutex_);
  space_.reserved_ -= bytes_;
}

}  // namespace tenon::service
