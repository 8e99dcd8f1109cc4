// Copies of SQLite files that others may write, for downloads.
#pragma once

#include <grpcpp/support/sync_stream.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "runtime/service/messages/status.h"
#include "runtime/service/server/client_quota.h"
#include "runtime/service/server/disk_space.h"

namespace tenon::service {

inline constexpr std::size_t kCopyChunkBytes = 256 * 1024;

/// Downloads of all clients.
struct Downloads {
  /// `most`: of one client at once.
  explicit Downloads(int most) : quota("downloads", most) {}

  ClientQuota quota;
  DiskSpace space;
};

/// Largest size of a copy: that of the file, and of what is written but not in it yet [byte].
std::uintmax_t databaseBytes(const std::string& file);

/// A consistent copy of a record or a study's results as one file without a name, in the same folder. Throws
/// StatusError, with RESOURCE_EXHAUSTED if the disk has no room for it.
std::ifstream copyOfDatabase(const std::string& file, DiskSpace& space);

/// What a client gets for an error of SQLite while the file of this name is copied.
StatusError copyError(const std::string& name, int sqliteCode, const std::string& text);

/// Fills `bytes` with the next part of a copy, none at its end. Throws StatusError with DATA_LOSS if it
/// cannot be read.
void readPart(std::ifstream& copy, std::string& bytes);

/// Sends a copy to a client, as one of its downloads. Throws StatusError.
template <class Chunk>
void sendCopy(Downloads& downloads, const std::string& client, const std::string& file,
              grpc::ServerWriter<Chunk>& writer) {
  const ClientQuota::Slot slot(downloads.quota, client);
  std::ifstream copy = copyOfDatabase(file, downloads.space);
  Chunk chunk;
  std::string& bytes = *chunk.mutable_data();
  do {
    readPart(copy, bytes);
  } while (!bytes.empty() && writer.Write(chunk));
}

}  // namespace tenon::service
