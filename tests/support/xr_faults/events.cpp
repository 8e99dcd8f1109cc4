// See events.h.
#include "tests/support/xr_faults/events.h"

#include <cstring>

#include "xr/openxr/later_names.h"

namespace tenon::faults {

namespace {

constexpr int kInstanceGoes = 100, kStageChanges = 101, kLocalChanges = 102, kProfileChanges = 103,
              kPersonLeaves = 104, kPersonReturns = 105, kHeadsetIsHot = 106, kMaskChanges = 107,
              kModelsChange = 108;

}  // namespace

bool makeEvent(int number, XrSession session, XrTime display, XrEventDataBuffer& event) {
  if (number == kInstanceGoes) {
    XrEventDataInstanceLossPending goes{};
    goes.type = XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING;
    std::memcpy(&event, &goes, sizeof goes);
    return true;
  }
  if (number == kStageChanges || number == kLocalChanges) {
    XrEventDataReferenceSpaceChangePending changes{};
    changes.type = XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING;
    changes.session = session;
    changes.referenceSpaceType =
        number == kStageChanges ? XR_REFERENCE_SPACE_TYPE_STAGE : XR_REFERENCE_SPACE_TYPE_LOCAL;
    changes.changeTime = display + 1'000'000'000;
    std::memcpy(&event, &changes, sizeof changes);
    return true;
  }
  if (number == kProfileChanges) {
    XrEventDataInteractionProfileChanged changes{};
    changes.type = XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED;
    changes.session = session;
    std::memcpy(&event, &changes, sizeof changes);
    return true;
  }
  if (number == kPersonLeaves || number == kPersonReturns) {
    xr::UserPresenceChanged changes{};
    changes.type = xr::kUserPresenceChanged;
    changes.session = session;
    changes.isUserPresent = number == kPersonReturns ? XR_TRUE : XR_FALSE;
    std::memcpy(&event, &changes, sizeof changes);
    return true;
  }
  if (number == kModelsChange) {
    XrEventDataInteractionRenderModelsChangedEXT changes{};
    changes.type = XR_TYPE_EVENT_DATA_INTERACTION_RENDER_MODELS_CHANGED_EXT;
    std::memcpy(&event, &changes, sizeof changes);
    return true;
  }
  if (number == kMaskChanges) {
    XrEventDataVisibilityMaskChangedKHR changes{};
    changes.type = XR_TYPE_EVENT_DATA_VISIBILITY_MASK_CHANGED_KHR;
    changes.session = session;
    std::memcpy(&event, &changes, sizeof changes);
    return true;
  }
  if (number == kHeadsetIsHot) {
    XrEventDataPerfSettingsEXT hot{};
    hot.type = XR_TYPE_EVENT_DATA_PERF_SETTINGS_EXT;
    hot.domain = XR_PERF_SETTINGS_DOMAIN_GPU_EXT;
    hot.subDomain = XR_PERF_SETTINGS_SUB_DOMAIN_THERMAL_EXT;
    hot.fromLevel = XR_PERF_SETTINGS_NOTIF_LEVEL_NORMAL_EXT;
    hot.toLevel = XR_PERF_SETTINGS_NOTIF_LEVEL_WARNING_EXT;
    std::memcpy(&event, &hot, sizeof hot);
    return true;
  }
  return false;
}

}  // namespace tenon::faults
