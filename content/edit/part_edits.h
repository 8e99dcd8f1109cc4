// Edits of the parts and materials in the text of a scene file. Each returns the text after it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "content/edit/json_text.h"
#include "content/model/scene.h"

namespace tenon::content {

/// A name that is not in `taken`: `wanted`, or it with a number: "pin 2".
std::string freeName(const std::string& wanted, const std::vector<std::string>& taken);

/// Units of length of a scene file per meter.
double unitsPerMeter(const std::string& unit);

/// The JSON of a position in the unit of the file, and of a rotation as axis and angle.
nlohmann::ordered_json positionJson(const Vector3d& p, double unitsPerMeter);
nlohmann::ordered_json rotationJson(const physics::Quaterniond& q);

/// Appends a part; `entry` is its object in the file. A material that it names and the file lacks is added as
/// steel, by addMaterial().
void addPart(JsonText& text, const nlohmann::ordered_json& entry);

/// Removes a part, with "count" all parts of its entry, with the goals, the joints and the scripts of hands
/// that name it. Returns what was removed beside the part: "2 goals, the script of right"; or "".
std::string removePart(JsonText& text, const Scene& scene, int part);

/// Appends a copy of a part at another place.
void duplicatePart(JsonText& text, const Scene& scene, int part, const std::string& name, const Pose& X_WP);

/// Renames a part where it is defined and in goals, joints and scripts.
void renamePart(JsonText& text, const Scene& scene, int part, const std::string& name);

/// Sets the start pose. Coordinates that do not change keep their text, such as an expression.
void setPose(JsonText& text, const Scene& scene, int part, const Pose& X_WP);

/// Sets a field of a part's entry, such as "motion"; null removes it.
void setPartField(JsonText& text, const Scene& scene, int part, const std::string& field,
                  const nlohmann::ordered_json& value);

/// Adds a material of this density [kg/m³], with the friction of lightly oiled steel on itself and all
/// others.
void addMaterial(JsonText& text, const std::string& material, double density);

/// Adds a material of this density [kg/m³], or changes that of an existing one.
void setDensity(JsonText& text, const std::string& material, double density);

/// Sets Coulomb's μ of two materials.
void setFriction(JsonText& text, const std::string& a, const std::string& b, double friction);

}  // namespace tenon::content
