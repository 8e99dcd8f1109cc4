// MuJoCo in the benchmark of piles.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <iterator>
#include <stdexcept>

#include "tests/bench/pile/pile_trial.h"

namespace tenon::bench {
namespace {

// Settings:
// - usual: as delivered, which is Newton's solver, pyramidal cones and a time constant of 20 ms;
// - tight: those of the insertion benchmark: contacts as stiff as the time step allows, nearly rigid within
//   10 µm, elliptic cones, full convergence.
constexpr double kTimeConstantInSteps = 2;
constexpr double kImpedance[2] = {0.99, 0.9999};
constexpr double kImpedanceWidth = 1e-5;  // m

// Room for contacts and their rows, of each block: more than a resting pile of boxes has.
constexpr int kContactsABlock = 24, kRowsAContact = 4;

std::string numbers(const Vector3d& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string placed(const Pose& X) {
  return fmt::format("pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\"", numbers(X.p), X.q.w(), X.q.x(),
                     X.q.y(), X.q.z());
}

std::string settings(const PileTrial& trial, Effort effort) {
  const bool tight = effort == Effort::tight;
  const std::string stiff =
      tight ? fmt::format("solref=\"{:.17g} 1\" solimp=\"{:.17g} {:.17g} {:.17g}\"",
                          kTimeConstantInSteps * trial.dt, kImpedance[0], kImpedance[1], kImpedanceWidth)
            : "";
  return fmt::format(
      R"(<option timestep="{:.17g}" gravity="{}" {}>{}</option>
<default><geom condim="{}" friction="{:.17g} 0 0" {}/></default>
)",
      trial.dt, numbers(trial.scene.gravity),
      tight ? R"(cone="elliptic" solver="Newton" iterations="200" tolerance="1e-14")" : "",
      tight ? R"(<flag refsafe="disable"/>)" : "", trial.friction > 0 ? 3 : 1, trial.friction, stiff);
}

std::string modelOf(const PileTrial& trial, Effort effort) {
  const int contacts = kContactsABlock * trial.blocks;
  const int rows = contacts * (trial.friction > 0 ? kRowsAContact : 1);
  std::string xml;
  auto out = std::back_inserter(xml);
  fmt::format_to(out, "<mujoco><size nconmax=\"{}\" njmax=\"{}\"/>\n{}<worldbody>\n", contacts, rows,
                 settings(trial, effort));
  for (const std::size_t k : trial.walls)
    fmt::format_to(out, "<geom type=\"plane\" size=\"0 0 1\" {}/>\n", placed(trial.part(k).X_WP));
  for (const std::size_t k : trial.boxes)
    fmt::format_to(out, "<body {}><freejoint/><geom type=\"box\" size=\"{}\" mass=\"{:.17g}\"/></body>\n",
                   placed(trial.part(k).X_WP), numbers(trial.halfExtents(k)), trial.part(k).mass.mass);
  return xml + "</worldbody></mujoco>\n";
}

class MujocoEngine final : public PileEngine {
 public:
  MujocoEngine(const PileTrial& trial, Effort effort) {
    const std::string xml = modelOf(trial, effort);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "pile.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "pile.xml")], xml.data(), xml.size());
    char error[1000] = "";
    model_.reset(mj_loadXML("pile.xml", files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("MuJoCo: no memory for so many contacts");
    mj_forward(model_.get(), data_.get());
  }

  void step() override { mj_step(model_.get(), data_.get()); }
  void poses(std::span<Pose> X_WB) const override {
    for (std::size_t k = 0; k < X_WB.size(); ++k) {
      const mjtNum* q = data_->qpos + 7 * k;
      X_WB[k] = {physics::Quaterniond(q[3], q[4], q[5], q[6]).normalized(), Vector3d(q[0], q[1], q[2])};
    }
  }
  std::string remark() const override {
    const bool full = data_->warning[mjWARN_CONTACTFULL].number + data_->warning[mjWARN_CNSTRFULL].number > 0;
    const int bad = data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
                    data_->warning[mjWARN_BADQACC].number;
    return bad > 0 ? "exploded, and was reset" : full ? "contacts left out: buffer full" : "";
  }

 private:
  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace

std::string mujocoName() {
  return std::string("MuJoCo ") + mj_versionString();
}

std::unique_ptr<PileEngine> makeMujoco(const PileTrial& trial, Effort effort) {
  return std::make_unique<MujocoEngine>(trial, effort);
}

}  // namespace tenon::bench
