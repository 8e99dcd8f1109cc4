// Takes the threads out of a mesh, and puts them together with the shape of what is left.
#pragma once

#include <optional>
#include <vector>

#include "content/recognize/recognized_part.h"
#include "content/recognize/thread_cut.h"

namespace tenon::content {

/// The threads of a mesh, and the mesh without those that are used.
struct ThreadsOfMesh {
  std::vector<RecognizedThread> threads;  ///< used ones and others
  RepairedMesh rest;                      ///< no triangles: nothing is left
  std::optional<CadFaces> restFaces;      ///< of a CAD file, for the triangles of `rest`
  double removedArea = 0;                 ///< of the given mesh [m²]
  int unsearchedAxes = 0;                 ///< see RecognizedPart

  bool areUsed() const;
};

/// Finds threads about the axes of `threadAxes()` and cuts them out. A thread whose vertices are farther from
/// it than ten times the tolerance of the import, that cannot be cut out, or has a problem of its own, stays
/// in the mesh, with that problem, and so do all threads of an open mesh.
ThreadsOfMesh threadsOfMesh(const Facets& facets, const std::vector<Region>& regions,
                            const std::vector<RevolvedGroup>& groups, BoreRule rule,
                            const CadFaces* cadFaces);

/// Makes `part`, recognized in the rest of the mesh, the whole part: a compound with the threads. Ends and
/// holes about the axis of a thread get exactly that axis; the free end of an external thread and the hole of
/// an internal one get names if they have none.
void addThreads(const ThreadsOfMesh& found, RecognizedPart& part);

}  // namespace tenon::content
