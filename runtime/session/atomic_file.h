// Writes a file atomically.
#pragma once

#include <string>

namespace tenon::runtime {

/// Writes to a temporary file beside the target and renames it at the end, so the target is always complete.
/// An existing target keeps its permissions.
/// Construct it before long work, so that an unwritable target is reported early.
class AtomicFile {
 public:
  /// Throws content::InputError if `path` cannot be written: missing folder, no permission, or not a regular
  /// file. Follows links.
  explicit AtomicFile(const std::string& path);
  /// Removes the temporary file unless commit() was called.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The temporary file, for another program that writes it from its beginning; commit("") then replaces the
  /// target.
  const std::string& temporary() const { return temporary_; }
  /// Appends `text`. Throws like commit().
  void append(const std::string& text);
  /// Appends `text` and replaces the target. Throws content::InputError if writing fails; the target is then
  /// unchanged. Call once.
  void commit(const std::string& text);

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_, target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace tenon::runtime
