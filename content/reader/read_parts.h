// Materials and parts as a scene file writes them.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/hole_sites.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "materials" and "material_pairs" of the file's root into `scene`. Throws InputError.
void readMaterials(const JsonCursor& root, Scene& scene);

/// Reads "parts"; the materials are there. Throws InputError.
void readParts(const JsonCursor& root, Scene& scene);

/// The feature, or the hole, of `part` that is named at `at`. Throws InputError where it has none of that
/// name.
int featureAt(const JsonCursor& at, const Part& part);
HoleSite holeAt(const JsonCursor& at, const Part& part);

/// The names of a list of named things, in their order.
template <class List>
std::vector<std::string> namesOf(const List& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

/// The name at `at`, which no entry of `list` has yet.
template <class List>
std::string uniqueName(const JsonCursor& at, const List& list) {
  std::string name = at.name();
  for (const auto& entry : list) {
    if (entry.name == name) at.fail("is a name given twice", "give each its own \"name\"");
  }
  return name;
}

}  // namespace tenon::content
