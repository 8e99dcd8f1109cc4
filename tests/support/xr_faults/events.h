// Events that the runtime does not report, by the numbers of the lines `event` of fault_list.h.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

namespace tenon::faults {

/// Makes the event of a number from 100 on; false: there is none of that number. `display`: time of the
/// newest frame.
bool makeEvent(int number, XrSession session, XrTime display, XrEventDataBuffer& event);

}  // namespace tenon::faults
