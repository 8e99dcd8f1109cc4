// Contrast of colors after WCAG 2.1, and how different eyes see them.
#pragma once

#include <Eigen/Core>
#include <array>

#include "xr/appearance/palette.h"

namespace tenon::tests {

/// Contrast ratio of WCAG 2.1, of relative luminances: 1 to 21.
double contrast(xr::Color a, xr::Color b);

/// A color with an opacity [0…1] over another one, blended as encoded values, as displays do.
xr::Color blended(xr::Color above, double opacity, xr::Color below);

enum class Eye { normal, protanope, deuteranope, tritanope };
inline constexpr std::array kEyes{Eye::normal, Eye::protanope, Eye::deuteranope, Eye::tritanope};

/// Distance ΔE*ab of CIE 1976 (D65) between two colors as an eye sees them; 2.3 is just noticeable. Simulated
/// after G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of
/// Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.
double distance(xr::Color a, xr::Color b, Eye eye);

}  // namespace tenon::tests
