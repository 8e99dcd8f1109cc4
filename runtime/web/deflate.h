// Compression of data for browsers.
#pragma once

#include <string>
#include <string_view>

namespace tenon::runtime {

/// `bytes` as a zlib stream (RFC 1950), which a browser's DecompressionStream calls "deflate". The same bytes
/// give the same stream. Throws std::runtime_error if there is not enough memory.
std::string deflated(std::string_view bytes);

}  // namespace tenon::runtime
