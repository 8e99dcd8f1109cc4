// What a preview begins with, checked before its window opens.
#pragma once

#include <optional>

#include "runtime/preview/preview.h"

namespace tenon::runtime {

struct PreviewStart {
  OpenedScene opened;  ///< the scene that is simulated
  std::optional<SceneOptions>
      arranged{};  ///< the window begins with the workbench; without a file: an empty one
};

/// Opens the first scene of a preview. Without a scene the window begins with an empty workbench, and with
/// the workbench also where parts overlap, as the reader then rejects the start only. Throws
/// content::InputError for bad options and scenes, and for output files that cannot be written.
PreviewStart openFirst(const PreviewOptions& options);

}  // namespace tenon::runtime
