// MuJoCo for all benchmarks: a model from XML with its state, and numbers as XML has them. Header alone: each
// benchmark finds MuJoCo for itself.
#pragma once

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "physics/math/pose.h"

namespace tenon::bench {

/// Settings that overlap least in these benchmarks: contacts as stiff as the time step allows (time constant
/// of 2 Δt, critical; half of it explodes), nearly rigid impedance within 10 µm.
inline constexpr double kTimeConstantInSteps = 2;
inline constexpr double kImpedance[2] = {0.99, 0.9999};
inline constexpr double kImpedanceWidth = 1e-5;  // m

/// These, as attributes of a geom. dt: [s].
inline std::string stiffContacts(double dt) {
  return fmt::format("solref=\"{:.17g} 1\" solimp=\"{:.17g} {:.17g} {:.17g}\"", kTimeConstantInSteps * dt,
                     kImpedance[0], kImpedance[1], kImpedanceWidth);
}

/// Newton's solver to full convergence with elliptic cones (friction's impedance as the normal one's), as
/// attributes of <option>.
inline constexpr char kFullConvergence[] =
    R"(cone="elliptic" solver="Newton" iterations="200" tolerance="1e-14")";
/// Keeps the time constant above: inside of <option>.
inline constexpr char kNoSafeReference[] = R"(<flag refsafe="disable"/>)";

inline std::string numbers(const physics::Vector3d& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}
inline std::string numbers(const physics::Quaterniond& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}
inline std::string placed(const physics::Pose& X) {
  return fmt::format("pos=\"{}\" quat=\"{}\"", numbers(X.p), numbers(X.q));
}

inline std::string mujocoName() {
  return std::string("MuJoCo ") + mj_versionString();
}

class MujocoModel {
 public:
  /// Throws std::runtime_error with MuJoCo's message where it refuses `xml`.
  explicit MujocoModel(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), kFile, static_cast<int>(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), kFile)], xml.data(), xml.size());
    char error[1000] = "";
    model_.reset(mj_loadXML(kFile, files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("MuJoCo: no memory for so many contacts");
    mj_forward(model_.get(), data_.get());
  }

  void step() { mj_step(model_.get(), data_.get()); }
  mjData& data() { return *data_; }
  const mjData& data() const { return *data_; }

  /// Pose of the frame of the k-th body with a free joint.
  physics::Pose pose(std::size_t k) const {
    const mjtNum* q = data_->qpos + 7 * k;
    return {physics::Quaterniond(q[3], q[4], q[5], q[6]).normalized(), physics::Vector3d(q[0], q[1], q[2])};
  }
  /// What makes its results void; empty: nothing.
  std::string remark() const {
    const bool full = data_->warning[mjWARN_CONTACTFULL].number + data_->warning[mjWARN_CNSTRFULL].number > 0;
    const int bad = data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
                    data_->warning[mjWARN_BADQACC].number;
    return bad > 0 ? "exploded, and was reset" : full ? "contacts left out: buffer full" : "";
  }

 private:
  static constexpr char kFile[] = "scene.xml";
  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace tenon::bench
