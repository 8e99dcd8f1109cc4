// Fuzzes the reader of cache entries, with a correct checksum: any bytes are either rejected or a part with a
// valid shape that round-trips.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "content/recognize/recognized_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  const std::string body(reinterpret_cast<const char*>(data), size);
  const auto part = content::fromCacheText(content::withChecksum(body));
  if (!part) return 0;
  if (!std::isfinite(physics::massProperties(part->shape, 1).mass)) std::abort();
  if (!content::fromCacheText(content::toCacheText(*part))) std::abort();
  return 0;
}
