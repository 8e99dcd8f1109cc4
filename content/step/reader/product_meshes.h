// Triangulates the products of a STEP file in processes of their own, so that one which crashes OpenCASCADE,
// or takes too long, does not affect the others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "content/step/reader/step_document.h"

namespace tenon::content {

/// A product may use this part of the time that is left, unless it is the last one [-].
inline constexpr double kProductShare = 0.25;

/// Serialized products (step_model_bytes.h) of a document, with the problem of each one that cannot be used.
/// `products`: an empty file in memory that the processes write to; `seconds`: limit of the CPU time of this
/// process and of those together, 0 for none.
std::vector<std::string> meshProducts(const StepDocument& document, int products, double seconds,
                                      const std::function<void(const std::string&)>& progress);

}  // namespace tenon::content
