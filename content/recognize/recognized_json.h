// A recognized part as JSON, for the cache.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// All members of a part; numbers round-trip exactly.
nlohmann::json jsonOf(const RecognizedPart& part);

/// The inverse of jsonOf(). Throws a std::exception if the JSON is incomplete, or describes an invalid shape.
RecognizedPart recognizedPartOf(const nlohmann::json& json);

}  // namespace tenon::content
