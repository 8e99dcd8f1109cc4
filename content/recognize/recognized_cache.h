// What was recognised in a mesh, kept between runs in the user's cache directory.
#pragma once

#include <optional>
#include <string>

#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// Name of the entry for a mesh in metres: 128 bits of its vertices and triangles, of the rule, and of the
/// version of the recognition. A chance clash is out of the question.
std::string cacheKey(const TriangleMesh& mesh, BoreRule rule);
/// Likewise for a product of a CAD file, by the bytes of the file and the reader's version.
std::string cacheKey(const std::string& bytes, const std::string& product, const std::string& reader);

/// The entry as text, and back. Nothing where the text is not an entry, is damaged, or says a shape that
/// cannot be: every number is checked as a scene's are.
std::string toCacheText(const RecognizedPart& part);
std::optional<RecognizedPart> fromCacheText(const std::string& text);
/// An entry of this body, whatever it says.
std::string withChecksum(const std::string& body);

/// The entry `key` in `folder`, or nothing. Never throws.
std::optional<RecognizedPart> readCache(const std::string& folder, const std::string& key);

/// Writes it beside and renames, so that an entry is whole or not there. A cache that cannot be written is no
/// mistake: nothing happens then.
void writeCache(const std::string& folder, const std::string& key, const RecognizedPart& part);

/// $XDG_CACHE_HOME/tenon, else ~/.cache/tenon; empty where neither is known.
std::string userCacheFolder();

}  // namespace tenon::content
