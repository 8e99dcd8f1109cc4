// An assembly of the structure of as1-oc-214, a common test file of STEP programs, with sizes of its own.
#pragma once

#include <vector>

#include "step_document.h"

/// 18 parts: a plate, two L-brackets, each with three bolts and their nuts through bracket and plate, and a
/// rod through the upright legs with a nut at each end. The bolts' heads are above, as in as1-oc-214; none
/// has a thread. Numbers: the clearance of bolts, rod and nuts, on the diameter [mm].
void bracketAssembly(Document& document, const std::vector<double>& numbers);
