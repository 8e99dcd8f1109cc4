// The holes of a part: those of its shape and the sockets that the scene declares, and where a goal leads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/model/scene.h"

namespace tenon::content {

/// The holes of the part's shape, then its sockets.
std::vector<HoleSite> holesOf(const Part& part);

/// All mouths: those holes, then the second mouths of through ones.
std::vector<HoleSite> mouthsOf(const Part& part);

/// The mouth called `name`, if there is one.
std::optional<HoleSite> mouthOf(const Part& part, const std::string& name);

/// The mouth that a goal leads into; a goal with a pose has none.
std::optional<HoleSite> mouthOf(const Scene& scene, const Goal& goal);

/// A cylinder as a site: mouth and direction out of it in the part's frame, `width` and `depth` [m].
HoleSite socketOf(std::string name, const Vector3d& mouth, const Vector3d& out, double width, double depth,
                  bool through);

}  // namespace tenon::content
