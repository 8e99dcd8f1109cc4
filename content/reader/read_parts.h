// Reads materials and parts of a scene file.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/part_holes.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "materials" and "material_pairs" into `scene`. Throws InputError.
void readMaterials(const JsonCursor& root, Scene& scene);

/// Reads "parts" after the materials. Throws InputError.
void readParts(const JsonCursor& root, Scene& scene);

/// The feature (index) or the hole of `part` with the name at `at`. Throws InputError if there is none.
int featureAt(const JsonCursor& at, const Part& part);
HoleSite holeAt(const JsonCursor& at, const Part& part);

/// The names of a list of named things, in their order.
template <class List>
std::vector<std::string> namesOf(const List& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

/// The name at `at`. Throws InputError if an entry of `list` has the same name.
template <class List>
std::string uniqueName(const JsonCursor& at, const List& list) {
  std::string name = at.name();
  for (const auto& entry : list) {
    if (entry.name == name) at.fail("is a name given twice", "give each its own \"name\"");
  }
  return name;
}

}  // namespace tenon::content
