// See friction_pyramid.h.
#include "physics/solver/friction_pyramid.h"

#include <algorithm>

#include "physics/contact/pyramid_edges.h"

namespace tenon::physics {

namespace {

constexpr int kRounds = 12;  ///< of taking in contacts that the last ones' solution violates
constexpr int kAtOnce = 4;   ///< contacts taken in in one round
constexpr int kRowsEach = 2 + FrictionPyramid::kEdges;
constexpr int kPivotsPerRow = 6;     ///< of Lemke's path; more, and it is lost to rounding
constexpr double kViolated = 1e-12;  ///< of max |c|: what counts as an overlap [-]

using Map = Eigen::Map<Eigen::MatrixXd>;

Map room(std::vector<double>& buffer, int rows, int columns) {
  const auto size = static_cast<std::size_t>(rows) * columns;
  if (buffer.size() < size) buffer.resize(size);
  return {buffer.data(), rows, columns};
}

}  // namespace

// H of the working contacts, three columns each, and their couplings H Hᵀ + ε.
void FrictionPyramid::gather(const ScaledProblem& form) {
  const int count = static_cast<int>(working_.size());
  Map h = room(rows_, form.dimension(), 3 * count);
  h.setZero();
  for (int w = 0; w < count; ++w) {
    const auto normals = form.entries(working_[w]);
    const auto tangents = form.tangentEntries(working_[w]);
    for (std::size_t e = 0; e < normals.size(); ++e) {
      h.block<6, 1>(6 * normals[e].block, 3 * w) = normals[e].h;
      h.block<6, 2>(6 * normals[e].block, 3 * w + 1) = tangents[e];
    }
  }
  Map a = room(couplings_, 3 * count, 3 * count);
  a.noalias() = h.transpose() * h;
  for (int w = 0; w < count; ++w) {
    a(3 * w, 3 * w) += form.row(working_[w]).epsilon;
    a(3 * w + 1, 3 * w + 1) += form.tangents(working_[w]).epsilon;
    a(3 * w + 2, 3 * w + 2) += form.tangents(working_[w]).epsilon;
  }
}

bool FrictionPyramid::solveWorking(const ScaledProblem& form, std::vector<double>& y, int& iterations) {
  static const auto e = pyramidEdges();
  const int count = static_cast<int>(working_.size()), size = kRowsEach * count;
  gather(form);
  const Eigen::Map<const Eigen::MatrixXd> a(couplings_.data(), 3 * count, 3 * count);
  Map m = room(matrix_, size, size);
  Map b = room(rhs_, size, 1);
  Map x = room(x_, size, 1);
  m.setZero();
  for (int k = 0; k < count; ++k) {
    const int r = kRowsEach * k;
    const ScaledProblem::TangentRows& t = form.tangents(working_[k]);
    for (int l = 0; l < count; ++l) {
      const int s = kRowsEach * l;
      m(r, s) = a(3 * k, 3 * l);
      m.block<1, kEdges>(r, s + 1) = a.block<1, 2>(3 * k, 3 * l + 1) * e;
      m.block<kEdges, 1>(r + 1, s) = e.transpose() * a.block<2, 1>(3 * k + 1, 3 * l);
      m.block<kEdges, kEdges>(r + 1, s + 1) = e.transpose() * a.block<2, 2>(3 * k + 1, 3 * l + 1) * e;
    }
    m.block<kEdges, 1>(r + 1, r + 1 + kEdges).setOnes();
    m(r + 1 + kEdges, r) = t.mu;
    m.block<1, kEdges>(r + 1 + kEdges, r + 1).setConstant(-1);
    b(r, 0) = form.row(working_[k]).c;
    b.block<kEdges, 1>(r + 1, 0) = e.transpose() * t.c;
    b(r + 1 + kEdges, 0) = 0;
  }
  LemkeOptions options;
  options.proximalPaths = 2;
  options.maxPivots = 100 + kPivotsPerRow * size;
  lemke_.reserve(size);
  const LemkeResult result = lemke_.solve(m, b.col(0), x.col(0), options);
  iterations += result.pivots;
  std::fill(y.begin(), y.end(), 0.0);
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector2d t = e * x.block<kEdges, 1>(kRowsEach * k + 1, 0);
    const int at = 3 * working_[k];
    y[at] = x(kRowsEach * k, 0);
    y[at + 1] = t[0];
    y[at + 2] = t[1];
  }
  return result.outcome == LemkeOutcome::solved;
}

// The worst of those that are violated: most of the others follow.
bool FrictionPyramid::addViolated(const ScaledProblem& form, const std::vector<double>& y) {
  form.velocity(y, v_);
  form.distances(y, v_, z_);
  bool added = false;
  for (int n = 0; n < kAtOnce; ++n) {
    int worst = -1;
    for (int k = 0; k < form.contacts(); ++k) {
      if (isWorking_[k] || z_[3 * k] >= -kViolated * form.scale()) continue;
      if (worst < 0 || z_[3 * k] < z_[3 * worst]) worst = k;
    }
    if (worst < 0) break;
    isWorking_[worst] = 1;
    working_.push_back(worst);
    added = true;
  }
  return added;
}

bool FrictionPyramid::solve(const ScaledProblem& form, std::vector<double>& y, int& iterations) {
  v_.resize(form.dimension());
  z_.resize(form.size());
  working_.clear();
  isWorking_.assign(form.contacts(), 0);
  for (int k = 0; k < form.contacts(); ++k) {
    if (!(y[3 * k] > 0)) continue;
    isWorking_[k] = 1;
    working_.push_back(k);
  }
  if (working_.size() > kMaxWorking) return false;
  std::fill(y.begin(), y.end(), 0.0);
  if (working_.empty()) addViolated(form, y);
  bool solved = false;
  for (int round = 0; round < kRounds; ++round) {
    if (working_.size() > kMaxWorking) return false;
    std::sort(working_.begin(), working_.end());
    solved = solveWorking(form, y, iterations);
    if (!addViolated(form, y)) return solved;
  }
  return false;
}

}  // namespace tenon::physics
