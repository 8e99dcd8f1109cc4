// Parts whose shape is a product of a STEP file.
#pragma once

#include <string>

#include "content/input/json_cursor.h"
#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// What {"kind": "mesh", "file": "….step"} at `at` stands for: the "product" that it names, or the only one.
/// `file`: its path, which has been checked; `cached`: whether it was known already. The same file is read
/// once a scene. Throws InputError, and MissingComponent (step/read_step.h).
RecognizedPart readStepPart(const JsonCursor& at, const std::string& file, bool& cached);

}  // namespace tenon::content
