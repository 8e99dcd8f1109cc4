// A linearized contact problem in scaled form: the one all inner solvers work on.
//
// With M̂ = L Lᵀ, ũ = Lᵀ(u − u_free), D_k = Δt √A_kk and y = D f, z = D⁻¹ δ:
//     z = c + H ũ + ε y ≥ 0   ⟂   y ≥ 0,   ũ = Hᵀ y,
// (of a tilted row, ContactRow::isTilted, z has the row g of its gradient in place of h), where row k of H is
// (Δt/D_k) G_kᵀ L⁻ᵀ and has length 1, so A = H Hᵀ has unit diagonal. y and z have the same unit √J. This is
// the optimality condition of  min ½|ũ|² + |y|² ε/2  s.t.  H ũ + ε y + c ≥ 0: A has rank ≤ 6n however many
// contacts there are, and everything that costs O(K³) in force space costs O(K n²) here.
//
// A contact has two more rows, its tangents, scaled by the same D_k so that Coulomb's cone keeps its shape:
// y_t = D f_t, z_t = D⁻¹ Δt (sliding velocity) + ε y_t. Vectors y and z hold (n, t1, t2) contact by contact,
// and the law is coulomb_law.h's. Without friction (μ = 0) tangents are zero.
//
// Joints do not appear here: ũ is the coordinates they leave free (joint_space.h), in blocks of six, which
// are the bodies where there are no joints.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "physics/contact/contact_problem.h"
#include "physics/math/block_pattern.h"

namespace tenon::physics {

/// (n, t1, t2) of contact k in a stacked vector.
inline Eigen::Map<Vector3d> triple(std::span<double> stacked, int k) {
  return Eigen::Map<Vector3d>(stacked.data() + 3 * k);
}
inline Eigen::Map<Vector3d> triple(std::vector<double>& stacked, int k) {
  return triple(std::span(stacked), k);
}
inline Eigen::Map<const Vector3d> triple(std::span<const double> stacked, int k) {
  return Eigen::Map<const Vector3d>(stacked.data() + 3 * k);
}

class ScaledProblem {
 public:
  /// Builds the scaled problem from the current rows of `problem`. ε ≥ 0 is the relative compliance [-] of
  /// contacts that have none of their own.
  void build(const LinearizedContacts& problem, double epsilon);
  /// Builds it from H itself, without compliance: column k of `rows` is the normal row of contact k, of any
  /// length, so that z = b + H ũ; with `mu`, columns are triples (normal, tangent, tangent) of a contact.
  void build(const Eigen::Ref<const Eigen::MatrixXd>& rows, const Eigen::Ref<const Eigen::VectorXd>& b,
             std::span<const double> mu);
  /// Removes the compliance of contacts between rigid materials that yield too much under the forces y: it
  /// only regularizes the problem. Their forces need not be unique then. False: there are none.
  bool removeCompliance(std::span<const double> y);
  /// Raises the compliance of all contacts to at least ε [-].
  void raiseCompliance(double epsilon);
  /// The contact's compliance now [m/N]; 0: it has at most ε, which counts as overlap.
  double complianceOf(int k) const { return rows_[k].own * rows_[k].d * rows_[k].d; }

  /// Blocks of six coordinates of ũ.
  int blocks() const { return blocks_; }
  int contacts() const { return static_cast<int>(rows_.size()); }
  int dimension() const { return 6 * blocks_; }
  /// More blocks than this are factorized sparsely; without friction, where no factors exchange rows, any.
  static constexpr int kDenseBlocks = 4;
  bool sparse() const { return blocks_ > (frictional_ ? kDenseBlocks : 1); }
  /// Blocks that any row couples, each pair once, ascending; only where sparse().
  std::span<const BodyCoupling> couplings() const { return couplings_; }
  /// True where any contact has friction.
  bool frictional() const { return frictional_; }
  /// Entries of y and z: three a contact.
  std::size_t size() const { return 3 * rows_.size(); }

  /// A row of H, without its entries.
  struct Row {
    int first = 0, count = 0;  ///< of its entries; no two in the same block
    double c = 0;              ///< [√J]
    double d = 1;              ///< D_k [√(m/N)]
    double own = 0;            ///< the contact's own compliance, in the same measure [-]
    double epsilon = 0;        ///< own, or ε where it has none [-]
    bool rigid = true;         ///< the materials are rigid: ε only regularizes the problem
  };
  const Row& row(int k) const { return rows_[k]; }

  /// The part of a row in one block. Usually two a row; more where joints connect bodies.
  struct Entry {
    int block = 0;
    Vector6d h = Vector6d::Zero();  ///< of the force: ũ = Hᵀ y
    Vector6d g = Vector6d::Zero();  ///< of the distance: z = c + g·ũ; h, unless the contact's row is tilted
  };
  std::span<const Entry> entries(int k) const {
    return std::span(entries_).subspan(rows_[k].first, rows_[k].count);
  }

  /// The tangential rows of a contact.
  struct TangentRows {
    Eigen::Vector2d c = Eigen::Vector2d::Zero();  ///< [√J]
    double mu = 0;                                ///< [-]
    double epsilon = 0;                           ///< [-]
  };
  const TangentRows& tangents(int k) const { return tangents_[k]; }
  /// Their entries, in the blocks of entries(k); zero where μ = 0. Only where frictional().
  std::span<const Tangents> tangentEntries(int k) const {
    return std::span(tangentEntries_).subspan(rows_[k].first, rows_[k].count);
  }
  /// The term that Newton's method adds to the compliance of a contact's rows for a given ε [-]: ε with
  /// friction; without, what the contact's own compliance lacks.
  double shift(int k, double epsilon) const {
    return frictional_ ? epsilon : std::max(0.0, epsilon - rows_[k].epsilon);
  }
  /// True where any contact has that term.
  bool isShifted(double epsilon) const {
    return frictional_ || std::any_of(rows_.begin(), rows_.end(),
                                      [epsilon](const Row& row) { return row.epsilon < epsilon; });
  }
  /// The compliance of its normal row, that term included [-].
  double compliance(int k, double epsilon) const { return rows_[k].epsilon + shift(k, epsilon); }

  /// ũ = Hᵀ y.
  void velocity(std::span<const double> y, std::span<double> v) const;
  /// Adds the part of contact k.
  void addVelocity(int k, std::span<const double> y, std::span<double> v) const {
    const auto yk = triple(y, k);
    if (yk[0] != 0)
      for (const Entry& entry : entries(k)) block(v, entry.block) += yk[0] * entry.h;
    if (!frictional_ || (yk[1] == 0 && yk[2] == 0)) return;
    const Row& r = rows_[k];
    for (int e = r.first; e < r.first + r.count; ++e)
      block(v, entries_[e].block) += tangentEntries_[e] * yk.tail<2>();
  }
  /// Its part of z = c + H ũ + ε y.
  void distance(int k, std::span<const double> y, std::span<const double> v, std::span<double> z) const;
  /// z.
  void distances(std::span<const double> y, std::span<const double> v, std::span<double> z) const;
  /// g_k · ũ.
  double normalComponent(int k, std::span<const double> v) const {
    double sum = 0;
    for (const Entry& entry : entries(k)) sum += entry.g.dot(block(v, entry.block));
    return sum;
  }
  /// Its tangential part.
  Eigen::Vector2d tangentialComponent(int k, std::span<const double> v) const;
  /// Both, (n, t1, t2).
  Vector3d components(int k, std::span<const double> v) const;
  /// H Hᵀ entry (k, l), of normals.
  double coupling(int k, int l) const;
  /// max |c|, without joint limits that are not reached: the scale of tolerances [√J].
  double scale() const { return scale_; }
  /// max D_k: converts a length to a tolerance [√(m/N)].
  double largestD() const { return largestD_; }
  /// True where u_free already satisfies every row: y = 0 is the solution.
  bool isFreeMotionFeasible() const;
  /// Of coulomb_law.h [√J]; without friction that is ‖min(y, z)‖∞.
  double naturalResidual(std::span<const double> y) const;

  /// y from forces [N] and back.
  double toScaled(int k, double force) const { return rows_[k].d * force; }
  double toForce(int k, double y) const { return y / rows_[k].d; }
  /// Forces (n, t1, t2) of contact k [N].
  Vector3d forceOf(int k, std::span<const double> y) const { return triple(y, k) / rows_[k].d; }
  /// u = u_free + L⁻ᵀ ũ.
  void toVelocity(const LinearizedContacts& problem, std::span<const double> v, std::vector<double>& u) const;

 private:
  double addEntries(const LinearizedContacts& problem, const ContactRow& in, Row& out);
  void scaleEntries(const Row& row, double factor);
  void gatherCouplings();
  void buildTangents(const LinearizedContacts& problem, double epsilon);

  int blocks_ = 0;
  bool frictional_ = false;
  double scale_ = 0, largestD_ = 0;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<BodyCoupling> couplings_;
  std::vector<TangentRows> tangents_;
  std::vector<Tangents> tangentEntries_;
  std::vector<Vector6d>
      closingVelocity_;  // u_free plus the velocity that closes the joints, by body [m/s, rad/s]
  mutable std::vector<double> v_, z_;  // scratch of naturalResidual
};

}  // namespace tenon::physics
