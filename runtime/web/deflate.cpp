// See deflate.h.
#include "runtime/web/deflate.h"

#include <zlib.h>

#include <stdexcept>

namespace tenon::runtime {

std::string deflated(std::string_view bytes) {
  std::string out(compressBound(bytes.size()), '\0');
  uLongf length = out.size();
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_BEST_COMPRESSION);
  if (status != Z_OK) throw std::runtime_error("not enough memory to compress the page's data");
  out.resize(length);
  return out;
}

}  // namespace tenon::runtime
