// Contacts whose distances follow from those of others of their pair.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/contact.h"

namespace tenon::physics {

/// Removes, of the corners of a flat face on one plane, those inside of the convex hull of the others, with
/// their entries in `compliance` [m/N]: their distances are means of those of the hull, so that no motion
/// brings them nearer to the plane than the nearest of these. Only rigid contacts: others share the load.
void removeImplied(ContactSet& contacts, std::vector<double>& compliance);

}  // namespace tenon::physics
