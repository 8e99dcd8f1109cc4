// The viewer as files of a server: the page, and what it loads.
#pragma once

#include <string>
#include <string_view>

namespace tenon::runtime {

/// The page of a server: it lists sessions, and shows one of them. `needsToken`: of those who open it.
std::string servedPage(bool needsToken);

/// A file that the served page loads; its bytes are compressed by zlib.
struct PageFile {
  const char* type = "";  ///< media type
  std::string deflated;
};

/// By its path, such as "/page/main.js"; null: there is no such file. Thread-safe.
const PageFile* pageFile(std::string_view path);

}  // namespace tenon::runtime
