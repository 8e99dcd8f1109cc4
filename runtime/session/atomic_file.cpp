// Uses POSIX calls for exclusive creation and detailed errors.
#include "runtime/session/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "content/reader/load_scene.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  std::error_code none;
  const fs::path real = fs::weakly_canonical(path, none);
  target_ = none || real.empty() ? path : real.string();
  const fs::file_status status = fs::status(target_, none);
  if (path.empty() || (fs::exists(status) && !fs::is_regular_file(status)))
    throw content::InputError(path.empty() ? "\"\"" : path, "", "is not a plain file",
                              "name a writable file");
  if (fs::exists(status) && access(target_.c_str(), W_OK) != 0) fail(errno);
  temporary_ = fmt::format("{}.{}.part", target_, getpid());
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  // The target keeps its permissions. File systems without any reject this.
  if (fs::exists(status)) static_cast<void>(fchmod(descriptor_, static_cast<mode_t>(status.permissions())));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

void AtomicFile::append(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(errno);
    done += static_cast<std::size_t>(count);
  }
}

void AtomicFile::commit(const std::string& text) {
  append(text);
  if (fsync(descriptor_) != 0 || rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  close(descriptor_);
  descriptor_ = -1;
}

void AtomicFile::fail(int error) const {
  throw content::InputError(path_, "", fmt::format("cannot be written ({})", std::strerror(error)),
                            "name a file in an existing writable folder with free space");
}

}  // namespace tenon::runtime
