// What the parts of the layer have in common.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <string>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

/// Adds to what the session reports as wrong at its end.
void complain(const char* what);
/// True if the program enabled this extension.
bool isEnabled(const std::string& extension);
/// The runtime's path of a text.
XrPath pathOf(const char* text);

/// The result of a call that the runtime lacks: its failure by the lines, else success.
inline XrResult resultOf(const char* call) {
  return static_cast<XrResult>(failureOf(call).value_or(XR_SUCCESS));
}

template <class Function>
PFN_xrVoidFunction plain(Function* function) {
  return reinterpret_cast<PFN_xrVoidFunction>(function);
}

}  // namespace tenon::faults
