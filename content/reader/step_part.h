// Reads parts whose shape is a product of a STEP file.
#pragma once

#include <string>
#include <vector>

#include "content/input/json_cursor.h"
#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// The part of {"kind": "mesh", "file": "….step"} at `at`: its "product", or the only product of the file.
/// `file`: the checked path; `cached` (out): the part comes from the cache. Each file is read once per scene.
/// Throws InputError, and MissingComponent (step/read_step.h).
RecognizedPart readStepPart(const JsonCursor& at, const std::string& file, ThreadRule threads, bool& cached);

/// The names of the products of a STEP file.
std::vector<std::string> productsOf(const std::string& file, ReadContext& context);

/// The part of one of these products. Throws likewise.
RecognizedPart readStepProduct(const std::string& file, const std::string& product, ReadContext& context);

}  // namespace tenon::content
