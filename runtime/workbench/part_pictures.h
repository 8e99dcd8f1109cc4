// Pictures of the parts in the dialog that adds one.
#pragma once

#include <string>

#include "runtime/live_view/thumbnails.h"

namespace tenon::runtime {

/// Key of the picture of a standard or a template by its name.
std::string partPictureKey(const std::string& name);

/// Requests the pictures of all of them.
void requestPartPictures(Thumbnails& thumbnails);

}  // namespace tenon::runtime
