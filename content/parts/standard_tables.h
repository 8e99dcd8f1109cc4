// Tables of standard fasteners and pins. All lengths in millimeters, as in the standards.
//
// Sources: engineeringhardware.com for ISO 4762 and ISO 273. Compared value by value with the FreeCAD
// fasteners workbench (FsData: iso4762def with fillets and ranges, iso4032def, iso7089def, iso2338def, ranges
// of ISO 4017) and bd_warehouse (hex_head_parameters: heads and ranges of ISO 4014 and 4017); of two ranges
// of lengths, the shorter one is used. Washer faces of ISO 4014 and lengths of ISO 2338 have no second
// source; a test checks bounds of the former. Arms of ISO 2936 are those that makers of such keys give,
// compared with no table of the standard. The test also compares ISO 4762 with the weight chart of DIN 912 by
// fullerkr.com, and all tables with relations between dimensions that the standards define.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace tenon::content {

/// One thread size, M3 to M16.
struct ThreadSize {
  std::string_view name;  ///< "M8"
  double d = 0;           ///< nominal diameter
  double pitch = 0;       ///< ISO 261, coarse

  struct SocketHead {
    double dk = 0, k = 0;     ///< head diameter and height
    double s = 0, t = 0;      ///< socket across flats, depth
    double fillet = 0;        ///< r, under the head
    double chamfer = 0;       ///< v, at the top of the head
    double threadLength = 0;  ///< b; shorter screws are threaded to the head
    double shortest = 0, longest = 0;
  } socketHead;  ///< ISO 4762

  struct HexHead {
    double s = 0, k = 0;      ///< across flats, height
    double dw = 0, c = 0;     ///< washer face: diameter (min), height (max)
    double fillet = 0;        ///< r, under the head
    double threadLength = 0;  ///< b of ISO 4014, l ≤ 125
    double shortest4014 = 0, longest4014 = 0, shortest4017 = 0, longest4017 = 0;
  } hexHead;  ///< ISO 4014 (shank) and ISO 4017 (threaded to the head)

  struct Nut {
    double m = 0;   ///< height; width across flats as in hexHead
    double da = 0;  ///< countersink of the thread, max
  } nut;            ///< ISO 4032

  struct Washer {
    double d1 = 0, d2 = 0, h = 0;
  } washer;  ///< ISO 7089

  struct ClearanceHole {
    double fine = 0, medium = 0, coarse = 0;
  } clearance;  ///< ISO 273
};

/// A parallel pin of ISO 2338.
struct PinSize {
  double d = 0;
  double chamfer = 0;  ///< c, axial; at 15°
  double shortest = 0, longest = 0;
};

/// A hexagon socket screw key of ISO 2936.
struct KeySize {
  double s = 0;           ///< across flats
  double l1 = 0, l2 = 0;  ///< lengths of the arms over their outer edges: long (medium series), short
};

std::span<const ThreadSize> threadSizes();
std::span<const PinSize> pinSizes();
std::span<const KeySize> keySizes();
/// Standard lengths of screws (ISO 888) and pins (ISO 2338), ascending.
std::span<const double> screwLengths();
std::span<const double> pinLengths();

/// By name ("M8"); null if the size does not exist.
const ThreadSize* findThread(std::string_view name);
/// By diameter [mm]; null if the size does not exist.
const PinSize* findPin(double d);
/// By width across flats [mm]; null if the size does not exist.
const KeySize* findKey(double s);

/// Minor diameter of the basic profile of ISO 68-1: d − 2 · 5/8 · H, with H = √3/2 P.
double minorDiameter(const ThreadSize& size);
/// Diameter of the cylinder with the volume of a thread of the basic profile.
double meanThreadDiameter(const ThreadSize& size);

}  // namespace tenon::content
