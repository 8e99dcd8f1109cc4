// What is thrown where the headset or its runtime goes away during a session. Free of OpenXR's headers.
#pragma once

#include <stdexcept>

namespace tenon::xr {

/// Says what happened, in words for a person. Nothing more can be shown.
class HeadsetLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::xr
