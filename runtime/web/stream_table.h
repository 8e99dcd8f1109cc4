// The binary part of a session document: byte streams, referred to by number.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tenon::runtime {

/// Equal streams are stored once, such as meshes of equal parts and tracks of parts at rest.
class StreamTable {
 public:
  /// Returns the number of the stream.
  int add(const std::string& bytes);

  const std::string& bytes() const { return bytes_; }  ///< all streams, one after the other
  /// Offset in bytes() and length of each stream.
  const std::vector<std::pair<std::size_t, std::size_t>>& ranges() const { return ranges_; }

 private:
  std::map<std::string, int> numbers_;
  std::vector<std::pair<std::size_t, std::size_t>> ranges_;
  std::string bytes_;
};

}  // namespace tenon::runtime
