// What displays throw where a machine cannot show anything.
#pragma once

#include <stdexcept>

namespace tenon::xr {

/// The machine lacks what pictures need; says what to do.
class GraphicsUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::xr
