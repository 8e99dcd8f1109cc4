// What a document says of a scene once: parts, goals, words of verdicts; and the bytes of a document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "content/model/display_mesh.h"
#include "content/model/scene.h"
#include "runtime/assess/session_event.h"
#include "runtime/web/stream_table.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

/// Version of the format of documents; a page reads the version it was made for.
inline constexpr int kSessionDocumentFormat = 2;

/// Steps in which the numbers of goals are stored.
inline constexpr double kDepthQuantum = 1e-7;  ///< [m]
inline constexpr double kTiltQuantum = 1e-6;   ///< [rad]
inline constexpr double kPushQuantum = 1e-4;   ///< [N]

/// Largest distance of a vertex from the origin of the part's frame [m].
double reachOf(const content::DisplayMesh& mesh);

/// Name, material, mass and surface of a part; its mesh too, unless it has none.
nlohmann::json partJson(const content::Scene& scene, std::size_t part, const content::DisplayMesh* mesh,
                        StreamTable& streams);
/// Name, parts and hole of a goal.
nlohmann::json goalJson(const content::Scene& scene, std::size_t goal);
/// Names and values of the quanta of a goal's numbers.
nlohmann::json goalQuantaJson();
/// Null without a ground.
nlohmann::json groundJson(const std::optional<xr::Ground>& ground);
/// `time`: on the document's time line [s].
nlohmann::json eventJson(const SessionEvent& event, double time, const content::Scene& scene);
/// {"word", "kind"} of a verdict's word; kinds are "good", "bad", "wait" and "none".
nlohmann::json verdictJson(const std::string& word);

/// Text of a file as every other output shows it: without characters that hide or reorder others.
std::string shown(std::string_view text);

/// Length of `json` in four bytes, the lowest first; `json` with the ranges of the streams; all streams.
std::string packedDocument(nlohmann::json json, const StreamTable& streams);

}  // namespace tenon::runtime
