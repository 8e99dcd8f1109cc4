// Cache of recognized meshes between runs, in the user's cache directory.
#pragma once

#include <optional>
#include <string>

#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// Key of the entry of a mesh in meters: a 128-bit hash of its vertices and triangles, the rules, and the
/// version of the recognition.
std::string cacheKey(const TriangleMesh& mesh, BoreRule rule, ThreadRule threads = ThreadRule::exact);
/// Key for a product of a CAD file, from the bytes of the file, the product, the rule and the version of the
/// reader.
std::string cacheKey(const std::string& bytes, const std::string& product, const std::string& reader,
                     ThreadRule threads = ThreadRule::exact);

/// An entry to and from text. Empty if the text is not an entry, is damaged, or describes an invalid shape:
/// all numbers are checked as in a scene.
std::string toCacheText(const RecognizedPart& part);
std::optional<RecognizedPart> fromCacheText(const std::string& text);
/// The text of an entry with any body, valid or not.
std::string withChecksum(const std::string& body);

/// The entry `key` in `folder`, or empty. Never throws.
std::optional<RecognizedPart> readCache(const std::string& folder, const std::string& key);

/// Writes an entry to a temporary file and renames it, so that no incomplete entry is visible. Ignores
/// failures: the cache is optional.
void writeCache(const std::string& folder, const std::string& key, const RecognizedPart& part);

/// $XDG_CACHE_HOME/tenon, else ~/.cache/tenon; empty if neither variable is set.
std::string userCacheFolder();

}  // namespace tenon::content
