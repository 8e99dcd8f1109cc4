// A file that appears whole or not at all.
#pragma once

#include <string>

namespace tenon::runtime {

/// Writes beside the wanted file and renames at the end. Opening it early finds out before the work
/// whether there will be a place for the result.
class AtomicFile {
 public:
  /// Throws content::InputError where `path` cannot be written: no such folder, no permission, or
  /// something there that is not a plain file. A link is followed.
  explicit AtomicFile(const std::string& path);
  /// Leaves nothing behind unless commit() was called.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Writes `text` after what was appended before. Throws as commit().
  void append(const std::string& text);
  /// Writes `text` last and puts it in place of what was there. Throws content::InputError where the disk
  /// does not take it; what was there then still is. Once only.
  void commit(const std::string& text);

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_, target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace tenon::runtime
