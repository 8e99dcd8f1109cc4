// Fuzzes the glTF reader: any bytes give either a valid mesh that can be repaired, or an error in one line.
#include <cstdint>

#include "content/mesh/read_gltf.h"
#include "tests/fuzz/mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tenon::content::FileBytes nothing;
  tenon::content::StoredFileSource noDisk("fuzz.json", nothing);
  tenon::fuzz::readMesh(data, size, [&](std::string_view bytes) {
    return tenon::content::parseGltf(bytes, "fuzz.gltf", noDisk);
  });
  return 0;
}
