// See sensitivity.h.
#include "runtime/study/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::runtime {

namespace {

constexpr double kMaxClasses = 50;

/// Sum of squared differences from the mean.
double squaresOf(const std::vector<double>& y) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  return std::accumulate(y.begin(), y.end(), 0.0,
                         [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

/// The same about the means of lines of a grid: `size` values each, `stride` apart.
double squaresAlong(const std::vector<double>& y, std::size_t size, std::size_t stride) {
  double sum = 0;
  std::vector<double> line(size);
  for (std::size_t block = 0; block < y.size(); block += size * stride)
    for (std::size_t at = 0; at < stride; ++at) {
      for (std::size_t k = 0; k < size; ++k) line[k] = y[block + at + k * stride];
      sum += squaresOf(line);
    }
  return sum;
}

}  // namespace

std::vector<double> ranksOf(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t k = from; k < to; ++k) ranks[order[k]] = static_cast<double>(from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

double correlationOfRanks(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean = (static_cast<double>(x.size()) - 1) / 2;  // of any ranks
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - mean) * (y[k] - mean);
    xx += (x[k] - mean) * (x[k] - mean);
    yy += (y[k] - mean) * (y[k] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double firstOrderIndex(const std::vector<double>& ranks, const std::vector<double>& y) {
  struct Class {
    double count = 0, sum = 0;
  };
  const auto count = static_cast<double>(y.size());
  const double wanted = std::min(kMaxClasses, std::ceil(2 * std::cbrt(count)));
  std::vector<Class> classes(static_cast<std::size_t>(wanted) + 1);
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double all = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    Class& own = classes[static_cast<std::size_t>((ranks[k] + 0.5) * wanted / count)];
    ++own.count;
    own.sum += y[k] - mean;
    all += (y[k] - mean) * (y[k] - mean);
  }
  double between = 0, used = 0;
  for (const Class& own : classes) {
    if (own.count == 0) continue;
    between += own.sum * own.sum / own.count;
    ++used;
  }
  if (!(all > 0) || used < 2 || used >= count) return 0;
  return std::clamp(1 - (all - between) / (count - used) * (count - 1) / all, 0.0, 1.0);
}

std::vector<double> totalIndices(const StudyPlan& plan, const std::vector<double>& y) {
  if (plan.design != Design::grid || static_cast<std::int64_t>(y.size()) != plan.count) return {};
  const double all = squaresOf(y);
  std::vector<double> indices(plan.variables.size());
  std::size_t stride = 1;
  for (std::size_t d = indices.size(); d-- > 0;) {  // the last variable changes fastest
    const std::size_t size = plan.variables[d].numbers.size();
    indices[d] = all > 0 ? squaresAlong(y, size, stride) / all : 0;
    stride *= size;
  }
  return indices;
}

}  // namespace tenon::runtime
