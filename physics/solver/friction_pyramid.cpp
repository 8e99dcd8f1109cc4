// See friction_pyramid.h.
#include "physics/solver/friction_pyramid.h"

#include <algorithm>

#include "physics/contact/pyramid_edges.h"

namespace tenon::physics {

namespace {

constexpr int kMaxWorkingSets = 12;  ///< rounds that add the contacts violated by the last solution
constexpr int kAddedPerRound = 4;    ///< contacts added in one round
constexpr int kRowsEach = 2 + FrictionPyramid::kEdges;
constexpr int kPyramidPivotsPerRow = 6;  ///< of Lemke's path; longer ones fail by rounding
constexpr int kPyramidPaths = 2;         ///< proximal paths where the plain one fails by rounding
constexpr double kViolation = 1e-12;     ///< overlap that counts as a violation, relative to max |c| [-]

using Map = Eigen::Map<Eigen::MatrixXd>;

Map mapOf(std::vector<double>& buffer, int rows, int columns) {
  const auto size = static_cast<std::size_t>(rows) * columns;
  if (buffer.size() < size) buffer.resize(size);
  return {buffer.data(), rows, columns};
}

}  // namespace

// The forces' H of the working contacts, three columns each, and their couplings: distances' H times it, + ε.
void FrictionPyramid::gather(const ScaledProblem& scaled) {
  const int count = static_cast<int>(working_.size());
  Map h = mapOf(rows_, scaled.dimension(), 3 * count), g = mapOf(gradients_, scaled.dimension(), 3 * count);
  h.setZero();
  for (int w = 0; w < count; ++w) {
    const auto normals = scaled.entries(working_[w]);
    const auto tangents = scaled.tangentEntries(working_[w]);
    for (std::size_t e = 0; e < normals.size(); ++e) {
      h.block<6, 1>(6 * normals[e].block, 3 * w) = normals[e].h;
      h.block<6, 2>(6 * normals[e].block, 3 * w + 1) = tangents[e];
    }
  }
  g = h;
  for (int w = 0; w < count; ++w)
    for (const ScaledProblem::Entry& normal : scaled.entries(working_[w]))
      g.block<6, 1>(6 * normal.block, 3 * w) = normal.g;
  Map a = mapOf(couplings_, 3 * count, 3 * count);
  a.noalias() = g.transpose() * h;
  for (int w = 0; w < count; ++w) {
    a(3 * w, 3 * w) += scaled.row(working_[w]).epsilon;
    a(3 * w + 1, 3 * w + 1) += scaled.tangents(working_[w]).epsilon;
    a(3 * w + 2, 3 * w + 2) += scaled.tangents(working_[w]).epsilon;
  }
}

bool FrictionPyramid::solveWorking(const ScaledProblem& scaled, std::vector<double>& y, int& iterations) {
  static const auto e = pyramidEdges();
  const int count = static_cast<int>(working_.size()), size = kRowsEach * count;
  gather(scaled);
  const Eigen::Map<const Eigen::MatrixXd> a(couplings_.data(), 3 * count, 3 * count);
  Map m = mapOf(matrix_, size, size);
  Map b = mapOf(rhs_, size, 1);
  Map x = mapOf(x_, size, 1);
  m.setZero();
  for (int k = 0; k < count; ++k) {
    const int r = kRowsEach * k;
    const ScaledProblem::TangentRows& t = scaled.tangents(working_[k]);
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
    b(r, 0) = scaled.row(working_[k]).c;
    b.block<kEdges, 1>(r + 1, 0) = e.transpose() * t.c;
    b(r + 1 + kEdges, 0) = 0;
  }
  LemkeOptions options;
  options.proximalPaths = kPyramidPaths;
  options.pivotsPerRow = kPyramidPivotsPerRow;
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

// Adds the most violated contacts: they usually resolve the others.
bool FrictionPyramid::addViolated(const ScaledProblem& scaled, const std::vector<double>& y) {
  scaled.velocity(y, v_);
  scaled.distances(y, v_, z_);
  bool added = false;
  for (int n = 0; n < kAddedPerRound; ++n) {
    int mostViolated = -1;
    for (int k = 0; k < scaled.contacts(); ++k) {
      if (isWorking_[k] || z_[3 * k] >= -kViolation * scaled.scale()) continue;
      if (mostViolated < 0 || z_[3 * k] < z_[3 * mostViolated]) mostViolated = k;
    }
    if (mostViolated < 0) break;
    isWorking_[mostViolated] = 1;
    working_.push_back(mostViolated);
    added = true;
  }
  return added;
}

bool FrictionPyramid::solve(const ScaledProblem& scaled, std::vector<double>& y, int& iterations) {
  v_.resize(scaled.dimension());
  z_.resize(scaled.size());
  working_.clear();
  isWorking_.assign(scaled.contacts(), 0);
  for (int k = 0; k < scaled.contacts(); ++k) {
    if (!(y[3 * k] > 0)) continue;
    isWorking_[k] = 1;
    working_.push_back(k);
  }
  if (working_.size() > kMaxWorking) return false;
  std::fill(y.begin(), y.end(), 0.0);
  if (working_.empty()) addViolated(scaled, y);
  bool solved = false;
  for (int round = 0; round < kMaxWorkingSets; ++round) {
    if (working_.size() > kMaxWorking) return false;
    std::sort(working_.begin(), working_.end());
    solved = solveWorking(scaled, y, iterations);
    if (!addViolated(scaled, y)) return solved;
  }
  return false;
}

}  // namespace tenon::physics
