// Space of the disk that copies will take: what is free says nothing about copies that are still being made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>

namespace tenon::service {

/// All members may be called from any thread.
class DiskSpace {
 public:
  /// Space for a file, until it is written.
  class Reservation {
   public:
    /// Throws StatusError with RESOURCE_EXHAUSTED unless the disk of `file` has room for `bytes` more, and
    /// for records that grow.
    Reservation(DiskSpace& space, std::uintmax_t bytes, const std::filesystem::path& file);
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

   private:
    DiskSpace& space_;
    std::uintmax_t bytes_;
  };

 private:
  std::mutex mutex_;
  std::uintmax_t reserved_ = 0;  ///< [byte]
};

}  // namespace tenon::service
