// Bytes as text, for files inside a page.
#pragma once

#include <string>

namespace tenon::runtime {

/// `bytes` in base64 (RFC 4648), without line breaks.
std::string base64(const std::string& bytes);

}  // namespace tenon::runtime
