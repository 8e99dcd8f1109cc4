// Contacts and joints of a problem as a dense one, and Baraff's method on it: the one routine for forces that
// accelerate and for impulses that change velocities.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "physics/contact/contact_problem.h"
#include "physics/solver/lcp/baraff.h"

namespace tenon::physics {

/// a = A f + b with A = Gᵀ M̂⁻¹ G: contacts with 0 ≤ f ⟂ a ≥ 0, then joints' equations with a = 0. What a
/// is, the caller decides by b: an acceleration (f forces), or a velocity (f impulses).
///
/// O(K²) memory, and the cost of Baraff. Allocates nothing once it has met a problem of as many rows, up to
/// the next power of two.
class RowSystem {
 public:
  explicit RowSystem(const BaraffOptions& options) : options_(options) {}

  /// For those of `rows` that `chosen` names, in that order, and all of `problem`'s joints. b is zero.
  void build(const LinearizedContacts& problem, std::span<const ContactRow> rows,
             std::span<const int> chosen);

  int contacts() const { return contacts_; }
  /// Of contact k, in the order chosen.
  void setContact(int k, double b) { at_->problem.b[k] = b; }
  /// Adds to A_kk: the contact yields.
  void addCompliance(int k, double compliance) { at_->problem.A(k, k) += compliance; }
  /// Of equation `row` of joint n.
  void setJoint(int n, int row, double b) { at_->problem.b[firstOf_[n] + row] = b; }

  /// `solved` is verified, to kDenseTolerance of max|b|.
  DenseReport solve();

  /// f of contact k, after solve().
  double force(int k) const { return at_->f[k]; }
  /// u += share · M̂⁻¹ G f.
  void move(double share, std::span<double> u) const;

  /// Natural residual of the last solve(), ‖min(f, (A f + b)/A_kk)‖∞, of joints ‖(A f + b)/A_kk‖∞ [as f].
  double residual() const { return residual_; }
  /// Of the last solve(); what is unwanted in the units of b and f, forces as an upper bound.
  const BaraffStatistics& statistics() const { return statistics_; }

 private:
  /// A column of L⁻¹ G.
  struct Column {
    int a = -1, b = -1;
    Vector6d ha = Vector6d::Zero(), hb = Vector6d::Zero();
  };
  struct Workspace {
    DenseProblem problem;
    Eigen::VectorXd f, w;
    Baraff method;
    explicit Workspace(const BaraffOptions& options) : method(options) {}
  };
  static constexpr int kSizes = 16;

  void add(int a, int b, const Vector6d& Ga, const Vector6d& Gb);
  static double coupling(const Column& k, const Column& l);
  Workspace& workspace(int size);
  void check();

  BaraffOptions options_;
  const LinearizedContacts* of_ = nullptr;
  std::vector<Column> columns_;
  std::vector<int> firstOf_;  ///< row of each joint's first equation
  int contacts_ = 0;
  std::array<std::unique_ptr<Workspace>, kSizes> workspaces_;
  Workspace* at_ = nullptr;
  BaraffStatistics statistics_;
  double residual_ = 0;
};

}  // namespace tenon::physics
