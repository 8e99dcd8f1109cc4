// The error of displays on a machine that cannot show images.
#pragma once

#include <stdexcept>

namespace tenon::xr {

/// The machine lacks a prerequisite of rendering; the text names the remedy.
class GraphicsUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::xr
