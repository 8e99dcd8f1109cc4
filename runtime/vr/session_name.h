// Names for records that are begun without a keyboard.
#pragma once

#include <string>

namespace tenon::runtime {

/// A file in the working folder that is not there yet, after the date and the time of day:
/// "tenon-20260131-142501.tenon".
std::string freshSessionName();

}  // namespace tenon::runtime
