// See mesh_survey.h.
#include "runtime/report/mesh_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/mesh/mesh_report_text.h"
#include "content/mesh/position_text.h"
#include "content/model/hole_sites.h"
#include "content/parts/read_thread.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/read_mesh.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/imported_thread_text.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using content::FacetRule;
using content::MeshShape;
using content::RecognizedFace;
using content::RecognizedThread;

std::string diameters(const RecognizedFace& face) {
  if (!face.cone) return fmt::format("Ø{:.4f}", face.diameterLow * 1e3);
  return fmt::format("Ø{:.4f} … Ø{:.4f}", face.diameterLow * 1e3, face.diameterHigh * 1e3);
}

/// Half the angle of a cone [°].
double slope(const RecognizedFace& face) {
  return std::atan2(0.5 * std::abs(face.diameterHigh - face.diameterLow), face.length) * 180 /
         std::numbers::pi;
}

std::string kindText(const RecognizedFace& face) {
  const char* side = face.inner ? "inner" : "outer";
  return face.cone ? fmt::format("{} cone {:.4g}°", side, slope(face)) : fmt::format("{} cylinder", side);
}

/// Position of the facets relative to the circle; both circles if unknown.
std::string facetText(const RecognizedFace& face) {
  switch (face.rule) {
    case FacetRule::vertices:
      return fmt::format("{}, corners on the circle", face.facets);
    case FacetRule::flats:
      return fmt::format("{}, flats on the circle", face.facets);
    case FacetRule::exact:
      return "exact, as in the file";
    case FacetRule::regular:
      break;
  }
  return fmt::format("{}, corners Ø{:.4f}, flats Ø{:.4f}", face.facets, face.vertexDiameter * 1e3,
                     face.flatDiameter * 1e3);
}

std::string useText(const RecognizedFace& face) {
  if (face.exact) return face.holeOrEnd.empty() ? "its own surface" : face.holeOrEnd;
  const std::string name = face.holeOrEnd.empty() ? "" : face.holeOrEnd + ", ";
  if (face.coverage < 0.98)
    return fmt::format("{}cut ({:.0f} % left): its facets collide", name, 100 * face.coverage);
  return name + "its facets collide";
}

/// The part's own faces, without its threads; null for a shape of another kind.
const physics::BoundarySolid* ownFaces(const physics::Shape& shape) {
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children)
      if (const auto* solid = ownFaces(child.shape)) return solid;
  return std::get_if<physics::BoundarySolid>(&shape);
}

std::string becameText(const content::RecognizedPart& part) {
  const std::string facets = part.deviation > 0 ? fmt::format("; facets within {} of the file's surfaces",
                                                              smallLengthText(part.deviation))
                                                : "";
  const auto used = std::count_if(part.threads.begin(), part.threads.end(),
                                  [](const RecognizedThread& t) { return t.isUsed(); });
  const std::string threads = used > 0 ? " and " + countText(used, "thread") : "";
  if (const auto* solid = ownFaces(part.shape))
    return fmt::format("collides as its {}{}, {:.1f} % of the area on exact surfaces{}",
                       countText(static_cast<long long>(solid->triangles.size()), "triangle"), threads,
                       100 * part.exactArea, facets);
  return (facets.empty() ? "exact: no facet collides" : "turned, in straight lines") + facets;
}

/// Rounding of a coordinate, and scatter of corners that is reported [m].
constexpr double kNoDeviation = 1e-9, kScatter = 1e-6;

/// The largest deviations between shape and mesh, with positions.
std::string offMeshText(const content::ShapeDeviation& off) {
  const auto extreme = [](const content::LargestDeviation& e) {
    return e.distance > kNoDeviation
               ? fmt::format("{} at {}", smallLengthText(e.distance), content::positionText(e.position))
               : std::string("0");
  };
  const std::string scatter =
      off.scatter > kScatter
          ? fmt::format("; given corners lie up to {} beside their surfaces, at {}",
                        smallLengthText(off.scatter), content::positionText(off.scatterPosition))
          : "";
  return fmt::format("shape outside the mesh by up to {}; inside it by up to {}{}", extreme(off.outside),
                     extreme(off.missing), scatter);
}

/// The measured distances of both surfaces, with places.
std::string deviationText(const content::ShapeDeviation& off) {
  const auto one = [](const content::DirectedDeviation& d) {
    if (!(d.largest > kNoDeviation)) return std::string("0");
    return fmt::format("{} at {}, 99 % within {}", smallLengthText(d.largest),
                       content::positionText(d.position), smallLengthText(d.p99));
  };
  return fmt::format("given surface to the colliding one {}; back {}", one(off.fromGiven),
                     one(off.fromColliding));
}

bool isMeasured(const content::ShapeDeviation& off) {
  return off.fromGiven.triangle >= 0;
}

/// Of the collision shape over the mesh's.
std::string volumeText(const content::RecognizedPart& part) {
  if (!(part.solid.mass > 0)) return "open: it encloses nothing";
  const double share = part.shapeVolume / part.solid.mass - 1;
  return fmt::format("{:.6g} mm³, the shape's {:+.3f} %", part.solid.mass * 1e9, 100 * share);
}

/// "7375 triangles, of which the repair leaves 7374,".
std::string trianglesText(const content::MeshReport& report) {
  const std::string read = countText(static_cast<std::int64_t>(report.triangles), "triangle");
  if (report.remaining == report.triangles) return read;
  return fmt::format("{}, {} after the repair,", read, report.remaining);
}

/// What the search for threads has left out, and why; "": nothing.
std::string threadSearchText(const MeshShape& mesh) {
  if (mesh.threads == content::ThreadRule::facets) return "not searched: \"threads\": \"facets\"";
  if (mesh.part.unsearchedAxes == 0) return "";
  return fmt::format(
      "{} {} not searched for threads: there are too many; divide the part, or give it \"threads\": "
      "\"facets\" "
      "if it has no other threads",
      mesh.part.unsearchedAxes, mesh.part.unsearchedAxes == 1 ? "axis was" : "axes were");
}

/// A line of openings or ends that are not round; "": none.
std::string prismaticText(const char* label, const char* what,
                          const std::vector<content::PrismaticSite>& sites) {
  std::vector<std::string> texts;
  for (const content::PrismaticSite& site : sites)
    texts.push_back(fmt::format("{} ({:.6g} × {:.6g} mm, {} {}{})", site.name, site.width * 1e3,
                                site.height * 1e3, millimetersText(site.depth), what,
                                site.through ? ", through" : ""));
  return texts.empty() ? "" : fmt::format("    {} {}\n", label, fmt::join(texts, ", "));
}

std::string textOf(const content::Part& part) {
  const MeshShape& mesh = *part.mesh;
  const content::RecognizedPart& found = mesh.part;
  const content::Vector3d size = found.high - found.low;
  // The triangles of a CAD file come from our own meshing.
  const std::string what = !found.unit.empty() ? (mesh.product.empty() ? "faces" : "faces of " + mesh.product)
                                               : trianglesText(found.report);
  std::string text = fmt::format("  {}: {}, {} read in {}: {:.6g} × {:.6g} × {:.6g} mm\n", part.name,
                                 mesh.file, what, mesh.unit, size.x() * 1e3, size.y() * 1e3, size.z() * 1e3);
  text +=
      fmt::format("    shape   {}\n    off     {}\n", becameText(found), offMeshText(found.meshDeviation));
  if (isMeasured(found.meshDeviation))
    text += fmt::format("    sampled {}\n", deviationText(found.meshDeviation));
  text += fmt::format("    volume  {}\n", volumeText(found));
  for (const RecognizedThread& thread : found.threads)
    text += fmt::format("    thread  {}\n", importedThreadText(thread));
  if (const std::string limit = threadSearchText(mesh); !limit.empty())
    text += fmt::format("    thread  {}\n", limit);
  std::vector<std::string> holes, ends;
  for (const content::HoleSite& hole : content::holesOf(found.shape))
    holes.push_back(fmt::format("{} ({} deep{}{})", hole.name, millimetersText(hole.depth()),
                                hole.through ? ", through" : "",
                                found.isFaceted(hole.name) ? ", its facets collide" : ""));
  for (const content::AxisFeature& end : found.features)
    ends.push_back(end.name + (found.isFaceted(end.name) ? " (its facets collide)" : ""));
  if (!holes.empty()) text += fmt::format("    holes   {}\n", fmt::join(holes, ", "));
  if (!ends.empty()) text += fmt::format("    ends    {}\n", fmt::join(ends, ", "));
  text += prismaticText("sockets", "deep", mesh.prismatic.sockets) +
          prismaticText("bars   ", "long", mesh.prismatic.ends);
  for (const std::string& line : content::describeMeshReport(found.report))
    text += fmt::format("    mesh    {}\n", line);
  if (found.faces.empty()) return text;
  TextTable table({"round face", "diameter [mm]", "length", "fit error", "facets", "of"});
  for (const RecognizedFace& face : found.faces)
    table.add({kindText(face), diameters(face), millimetersText(face.length),
               fmt::format("{:.2f} µm, worst {:.2f}", face.rms * 1e6, face.maxDeviation * 1e6),
               facetText(face), useText(face)});
  return text + table.text(4);
}

Json pointJson(const content::Vector3d& p) {
  return Json::array({p.x(), p.y(), p.z()});
}

Json prismaticJson(const std::vector<content::PrismaticSite>& sites) {
  Json all = Json::array();
  for (const content::PrismaticSite& site : sites)
    all.push_back({{"name", site.name},
                   {"position_m", pointJson(site.X.p)},
                   {"axis", pointJson(site.X.q * content::Vector3d::UnitZ())},
                   {"size_m", {site.width, site.height}},
                   {"depth_m", site.depth},
                   {"through", site.through}});
  return all;
}

Json faceJson(const RecognizedFace& face) {
  const char* rule = face.rule == FacetRule::vertices ? "vertices"
                     : face.rule == FacetRule::flats  ? "flats"
                     : face.rule == FacetRule::exact  ? "exact"
                                                      : "regular";
  return {{"of", face.holeOrEnd.empty() ? Json(nullptr) : Json(face.holeOrEnd)},
          {"inner", face.inner},
          {"kind", face.cone ? "cone" : "cylinder"},
          {"diameter_m", {face.diameterLow, face.diameterHigh}},
          {"vertex_diameter_m", face.vertexDiameter},
          {"flat_diameter_m", face.flatDiameter},
          {"length_m", face.length},
          {"fit_rms_m", face.rms},
          {"fit_worst_m", face.maxDeviation},
          {"facets", face.facets},
          {"coverage", face.coverage},
          {"circle", rule},
          {"exact", face.exact}};
}

Json extremeJson(const content::LargestDeviation& extreme) {
  return {{"distance_m", extreme.distance}, {"place_m", pointJson(extreme.position)}};
}

/// null if the shape was not sampled.
Json directedJson(const content::DirectedDeviation& d) {
  if (d.triangle < 0) return nullptr;
  return {
      {"worst_m", d.largest}, {"p99_m", d.p99}, {"place_m", pointJson(d.position)}, {"triangle", d.triangle}};
}

/// An end with its shaft.
Json endSiteJson(const content::AxisFeature& end, const content::RecognizedPart& part) {
  const auto shaft = shaftOf(part.shape, &part, end);
  return {{"name", end.name},
          {"position_m", pointJson(end.origin)},
          {"axis", pointJson(end.direction)},
          {"diameter_m", shaft ? Json(shaft->diameter) : Json(nullptr)},
          {"length_m", shaft ? Json(shaft->length) : Json(nullptr)},
          {"facets_collide", part.isFaceted(end.name)}};
}

/// True if the threads are a pair by their sizes, within what a rough fit is off.
bool areMates(const physics::Thread& a, const physics::Thread& b) {
  return a.isInternal != b.isInternal && a.isLeftHanded == b.isLeftHanded &&
         std::abs(a.pitch - b.pitch) < 0.1 * b.pitch && std::abs(a.pitchDiameter - b.pitchDiameter) < b.pitch;
}

/// Of threads of a part that are not used, where the thread of another part fits to them: its grooves count
/// as filled there.
void addMateWarnings(const content::Scene& scene, const content::Part& part,
                     std::vector<std::string>& warnings) {
  for (const RecognizedThread& refused : part.mesh->part.threads) {
    if (refused.isUsed()) continue;
    for (const content::Part& other : scene.parts) {
      const auto threads = content::threadsOf(other.shape);
      const auto mate = std::find_if(threads.begin(), threads.end(), [&](const content::PlacedThread& t) {
        return areMates(refused.thread, t.thread);
      });
      if (&other == &part || mate == threads.end()) continue;
      warnings.push_back(fmt::format(
          "{0} and {1} cannot be screwed together: the thread of {0} is not used ({2}), and {3} of {1} "
          "collides "
          "with its faces as a smooth {4} of Ø {5:.6g} mm: {6}{7}",
          part.name, other.name, refused.problem, content::threadText(mate->thread),
          mate->thread.isInternal ? "hole" : "rod",
          1e3 * (mate->thread.isInternal ? mate->thread.minorDiameter : mate->thread.majorDiameter),
          refused.remedy,
          other.mesh ? fmt::format("; with \"threads\": \"facets\" for {} too, the faces of both collide",
                                   other.name)
                     : ""));
      break;  // one warning per thread
    }
  }
}

}  // namespace

std::vector<std::string> meshWarnings(const content::Scene& scene) {
  std::vector<std::string> warnings;
  int last = -1;
  for (const content::Part& part : scene.parts) {
    if (!part.mesh || part.fileEntry == last) continue;
    last = part.fileEntry;
    const content::ShapeDeviation& off = part.mesh->part.meshDeviation;
    const std::string tolerance = smallLengthText(off.tolerance);
    for (const RecognizedThread& thread : part.mesh->part.threads)
      if (thread.isUsed() && thread.worst > off.tolerance)
        warnings.push_back(fmt::format(
            "{}: its thread {} lies {} from a vertex of its mesh ({}) at {}, beyond the {} "
            "stated; if that is too far, leave the thread out in CAD and give it with \"thread\", "
            "or let its faces collide by \"threads\": \"facets\"",
            part.name, content::threadText(thread.thread), smallLengthText(thread.worst), part.mesh->file,
            content::positionText(thread.worstPosition), tolerance));
    if (part.mesh->part.unsearchedAxes > 0)
      warnings.push_back(fmt::format("{}: {}", part.name, threadSearchText(*part.mesh)));
    addMateWarnings(scene, part, warnings);
    for (const bool outside : {true, false}) {
      const content::LargestDeviation& extreme = outside ? off.outside : off.missing;
      if (extreme.distance > off.tolerance)
        warnings.push_back(
            fmt::format("{}: its collision shape lies {} {} its mesh ({}) at {}, beyond the {} stated",
                        part.name, smallLengthText(extreme.distance), outside ? "outside" : "inside",
                        part.mesh->file, content::positionText(extreme.position), tolerance));
    }
  }
  return warnings;
}

std::string meshText(const content::Scene& scene) {
  std::string text;
  int last = -1;
  for (const content::Part& part : scene.parts) {
    if (!part.mesh || part.fileEntry == last) continue;  // parts of one "count" are identical
    last = part.fileEntry;
    if (!text.empty()) text += '\n';
    text += textOf(part);
  }
  return text;
}

Json meshJson(const MeshShape& mesh) {
  const content::RecognizedPart& found = mesh.part;
  Json holes = Json::array(), ends = Json::array(), endSites = Json::array(), faces = Json::array();
  for (const content::HoleSite& hole : content::holesOf(found.shape))
    holes.push_back({{"name", hole.name},
                     {"depth_m", hole.depth()},
                     {"through", hole.through},
                     {"position_m", pointJson(hole.X_PH.p)},
                     {"axis", pointJson(hole.X_PH.q * content::Vector3d::UnitZ())},
                     {"diameter_m", hole.diameter()},
                     {"facets_collide", found.isFaceted(hole.name)}});
  for (const content::AxisFeature& end : found.features) {
    ends.push_back(end.name);
    endSites.push_back(endSiteJson(end, found));
  }
  for (const RecognizedFace& face : found.faces) faces.push_back(faceJson(face));
  Json threads = Json::array();
  for (const RecognizedThread& thread : found.threads) threads.push_back(importedThreadJson(thread));
  return {{"file", mesh.file},
          {"product", mesh.product.empty() ? Json(nullptr) : Json(mesh.product)},
          {"sockets", prismaticJson(mesh.prismatic.sockets)},
          {"bar_ends", prismaticJson(mesh.prismatic.ends)},
          {"unit", mesh.unit},
          {"unit_doubt", mesh.unitWarning.empty() ? Json(nullptr) : Json(mesh.unitWarning)},
          {"coordinate_rounding_m", mesh.rounding},
          {"triangles", found.report.triangles},
          {"triangles_left", found.report.remaining},
          {"crack_width_m", found.report.crackWidth},
          {"open_edges", found.report.openEdges},
          {"closed", found.report.isClosed()},
          {"repairs", content::describeMeshReport(found.report)},
          {"mesh_volume_m3", found.solid.mass > 0 ? Json(found.solid.mass) : Json(nullptr)},
          {"shape_volume_m3", found.shapeVolume},
          {"triangles_collide", ownFaces(found.shape) != nullptr},
          {"exact_area", found.exactArea},
          {"stated_m", found.meshDeviation.tolerance},
          {"scatter_m", found.meshDeviation.scatter},
          {"outside_mesh", extremeJson(found.meshDeviation.outside)},
          {"inside_mesh", extremeJson(found.meshDeviation.missing)},
          {"given_to_colliding", directedJson(found.meshDeviation.fromGiven)},
          {"colliding_to_given", directedJson(found.meshDeviation.fromColliding)},
          {"refused_beyond_m", content::kMaxDeviationRatio * found.meshDeviation.tolerance},
          {"sample_spacing_m", found.meshDeviation.spacing},
          {"deviation_m", found.deviation},
          {"holes", holes},
          {"ends", ends},
          {"end_sites", endSites},
          {"threads", threads},
          {"thread_search", mesh.threads == content::ThreadRule::facets ? "off"
                            : found.unsearchedAxes > 0                  ? "limited"
                                                                        : "complete"},
          {"unsearched_axes", found.unsearchedAxes},
          {"faces", faces}};
}

Json meshJson(const content::Scene& scene) {
  Json list = Json::array();
  for (const content::Part& part : scene.parts) {
    if (!part.mesh) continue;
    Json json = {{"part", part.name}};
    json.update(meshJson(*part.mesh));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace tenon::runtime
