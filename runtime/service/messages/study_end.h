// How a study ends that is complete.
#pragma once

namespace tenon::service {

/// `Study.ended` of a study with all its cases.
inline constexpr const char* kStudyDone = "done";

}  // namespace tenon::service
