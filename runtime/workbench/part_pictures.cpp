// See part_pictures.h.
#include "runtime/workbench/part_pictures.h"

#include <nlohmann/json.hpp>

#include "content/parts/standard_part.h"
#include "content/reader/load_scene.h"
#include "runtime/workbench/new_parts.h"

namespace tenon::runtime {

namespace {

/// A scene of one part with this field.
std::string partScene(const std::string& field, const nlohmann::ordered_json& value) {
  return nlohmann::ordered_json{{"tenon", 1}, {"unit", "mm"}, {"parts", {{{"name", "part"}, {field, value}}}}}
      .dump();
}

void requestPart(Thumbnails& thumbnails, const std::string& name, const std::string& text) {
  thumbnails.request({partPictureKey(name), [text] { return text; },
                      [](const std::string& scene) { return content::parseScene(scene, "part.json"); }});
}

}  // namespace

std::string partPictureKey(const std::string& name) {
  return "part " + name;
}

void requestPartPictures(Thumbnails& thumbnails) {
  for (const content::StandardFamily& family : content::standardFamilies())
    requestPart(thumbnails, family.name, partScene("standard", family.example));
  for (const PartTemplate& one : partTemplates())
    requestPart(thumbnails, one.name, partScene(one.field, nlohmann::ordered_json::parse(one.dimensions)));
}

}  // namespace tenon::runtime
