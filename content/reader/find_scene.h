// Finds the shipped scenes, and the scene that a misspelled name meant.
#pragma once

#include <filesystem>
#include <string>

namespace tenon::content {

/// The folder content/scenes in the working folder or the nearest one above it, else that of the installed
/// program; empty if there is none.
std::filesystem::path shippedSceneFolder();

/// What to do about a scene file that does not exist: names the most similar scene of its folder, or the
/// shipped scene of that name.
std::string missingSceneRemedy(const std::string& file);

}  // namespace tenon::content
