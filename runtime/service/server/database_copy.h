// Copies of SQLite files that others may write, for downloads.
#pragma once

#include <grpcpp/support/sync_stream.h>

#include <cstddef>
#include <fstream>
#include <string>

#include "runtime/service/server/places.h"

namespace tenon::service {

inline constexpr std::size_t kCopyChunkBytes = 256 * 1024;

/// A consistent copy of a record or a study's results as one file without a name, in the same folder. Throws
/// StatusError, with RESOURCE_EXHAUSTED if the disk has no room for it.
std::ifstream copyOfDatabase(const std::string& file);

/// Sends a copy to a client, as one of its downloads. Throws StatusError.
template <class Chunk>
void sendCopy(Places& downloads, const std::string& client, const std::string& file,
              grpc::ServerWriter<Chunk>& writer) {
  const Places::Place place(downloads, client);
  std::ifstream copy = copyOfDatabase(file);
  Chunk chunk;
  std::string& bytes = *chunk.mutable_data();
  for (bool isOpen = true; isOpen && copy;) {
    bytes.resize(kCopyChunkBytes);
    copy.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(copy.gcount()));
    isOpen = bytes.empty() || writer.Write(chunk);
  }
}

}  // namespace tenon::service
