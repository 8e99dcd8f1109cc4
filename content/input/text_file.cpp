// See text_file.h.
#include "content/input/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "content/input/input_error.h"

namespace tenon::content {

std::string readTextFile(const std::string& file, const TextFileKind& kind) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError(file, "", "does not exist", "check the path");
  if (error)
    throw InputError(file, "", "cannot be reached: " + error.message(), "check path and permissions");
  if (std::filesystem::is_directory(status))
    throw InputError(file, "", "is a directory", fmt::format("name a {} file in it", kind.name));
  // Reading from a pipe or a device may never end.
  if (!std::filesystem::is_regular_file(status))
    throw InputError(file, "", "is not a regular file",
                     fmt::format("save the {} to a file first", kind.name));
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InputError(file, "", fmt::format("cannot be opened: {}", std::strerror(errno)),
                     "check its permissions");
  const auto size = std::filesystem::file_size(file, error);
  std::string text(error ? kind.maxBytes + 1 : std::min<std::size_t>(size, kind.maxBytes) + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) throw InputError(file, "", "cannot be read", "check the disk and the file's permissions");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kind.maxBytes)
    throw InputError(file, "", fmt::format("is larger than {} MiB", kind.maxBytes >> 20),
                     kind.remedyIfTooLarge);
  return text;
}

}  // namespace tenon::content
