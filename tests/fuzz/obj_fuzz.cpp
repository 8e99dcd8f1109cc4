// Fuzzes the OBJ reader: any bytes give either a valid mesh that can be repaired, or an error in one line.
#include <cstdint>

#include "content/mesh/read_obj.h"
#include "tests/fuzz/mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tenon::fuzz::readMesh(data, size,
                        [](std::string_view bytes) { return tenon::content::parseObj(bytes, "fuzz.obj"); });
  return 0;
}
