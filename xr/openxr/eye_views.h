// The choice of a headset's views. Without OpenXR's headers.
#pragma once

namespace tenon::xr {

/// Which views are drawn where the runtime offers several kinds: those that it prefers; one for each eye; or
/// two for each eye, of which the second, the foveated inset, covers less and shows more detail.
enum class EyeViews { preferred, stereo, foveated };

}  // namespace tenon::xr
