// Fuzzes the STL reader: any bytes give either a valid mesh that can be repaired, or an error in one line.
#include <cstdint>

#include "content/mesh/read_stl.h"
#include "tests/fuzz/mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tenon::fuzz::readMesh(data, size,
                        [](std::string_view bytes) { return tenon::content::parseStl(bytes, "fuzz.stl"); });
  return 0;
}
