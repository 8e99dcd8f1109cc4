// MuJoCo in the benchmark of nuts. Its signed distance fields come with versions after Debian's, and a mesh
// is its convex hull, so that a thread has to be cut in convex pieces.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>

#include "tests/bench/mujoco_model.h"
#include "tests/bench/threads/nut_trial.h"

namespace tenon::bench {
namespace {

constexpr double kRevolution = 2 * std::numbers::pi;

/// Convex pieces of a thread: its teeth between two of the angles at which the mesh has vertices.
std::vector<std::vector<Vector3d>> pieces(const tests::ThreadMeshOptions& o) {
  std::vector<std::vector<Vector3d>> all;
  const double crest = (o.isInternal ? o.minorDiameter : o.majorDiameter) / 2;
  const double root = (o.isInternal ? o.majorDiameter : o.minorDiameter) / 2;
  const auto half = [&o](double r) {
    const double narrowing = std::tan(o.halfAngle) * (r - o.pitchDiameter / 2);
    return o.pitch / 4 + (o.isInternal ? narrowing : -narrowing);
  };
  for (int j = 0; j < o.facets; ++j)
    for (int tooth = -1; tooth <= static_cast<int>(o.length / o.pitch) + 1; ++tooth) {
      std::vector<Vector3d> corners;
      bool isInside = true;
      for (const int side : {j, j + 1})
        for (const double r : {crest, root})
          for (const double sign : {-1.0, 1.0}) {
            const double theta = kRevolution * side / o.facets;
            const double z = o.pitch * ((theta - o.phase) / kRevolution + tooth) + sign * half(r);
            isInside = isInside && z >= 0 && z <= o.length;
            corners.push_back(o.X * Vector3d(r * std::cos(theta), r * std::sin(theta), z));
          }
      if (isInside) all.push_back(corners);
    }
  return all;
}

class Xml {
 public:
  explicit Xml(const NutTrial& trial, bool inPieces) : inPieces_(inPieces) {
    auto out = std::back_inserter(text_);
    fmt::format_to(out, R"(<mujoco><size nconmax="3000" njmax="12000"/>
<option timestep="{:.17g}" gravity="0 0 {:.17g}" {}>{}</option>
<default><geom condim="{}" friction="{:.17g} 0 0" {}/></default>
<worldbody>
)",
                   trial.dt, -trial.acceleration(), kFullConvergence, kNoSafeReference,
                   trial.friction > 0 ? 3 : 1, trial.friction, stiffContacts(trial.dt));
    addThread(trial.bolt);
    fmt::format_to(out,
                   "<body {}><freejoint/><inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{}\"/>\n",
                   placed(trial.X_WN), trial.mass, numbers(trial.inertia));
    addThread(trial.nut);
    text_ += "</body></worldbody><asset>\n" + meshes_ + "</asset></mujoco>\n";
  }
  const std::string& text() const { return text_; }

 private:
  void addThread(const tests::ThreadMeshOptions& options) {
    if (inPieces_) {
      for (const std::vector<Vector3d>& corners : pieces(options)) addMesh(corners);
    } else {
      addMesh(tests::threadMesh(options).vertices);
    }
  }
  void addMesh(const std::vector<Vector3d>& vertices) {
    fmt::format_to(std::back_inserter(meshes_), "<mesh name=\"{}\" vertex=\"", count_);
    for (const Vector3d& p : vertices) meshes_ += numbers(p) + " ";
    meshes_ += "\"/>\n";
    fmt::format_to(std::back_inserter(text_), "<geom type=\"mesh\" mesh=\"{}\"/>\n", count_++);
  }

  bool inPieces_;
  int count_ = 0;
  std::string text_, meshes_;
};

class MujocoEngine final : public NutEngine {
 public:
  MujocoEngine(const NutTrial& trial, bool inPieces) : mujoco_(Xml(trial, inPieces).text()) {}

  void step() override { mujoco_.step(); }
  Pose pose() const override { return mujoco_.pose(0); }
  std::string remark() const override { return mujoco_.remark(); }

 private:
  MujocoModel mujoco_;
};

}  // namespace

std::unique_ptr<NutEngine> makeMujoco(const NutTrial& trial, bool inPieces) {
  return std::make_unique<MujocoEngine>(trial, inPieces);
}

}  // namespace tenon::bench
