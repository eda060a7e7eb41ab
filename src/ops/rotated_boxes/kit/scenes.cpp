#include "ops/rotated_boxes/kit/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mluop::rotated_boxes::scenes {
namespace {

const double pi = std::acos(-1.0);

using Row = std::array<double, 5>;

void add(Rows& rows, const Row& row) { rows.insert(rows.end(), row.begin(), row.end()); }

Row row_at(const Rows& rows, std::int64_t i) {
  Row row;
  std::copy_n(rows.begin() + 5 * i, 5, row.begin());
  return row;
}

std::int64_t count_of(const Rows& rows) { return std::ssize(rows) / 5; }

template <class Draw>
Rows drawn(std::int64_t count, Draw&& draw) {
  Rows rows;
  for (std::int64_t i = 0; i < count; ++i) add(rows, draw(i));
  return rows;
}

Row jittered(Generator& random, const Row& row, double share) {
  const double size = std::min(std::abs(row[2]), std::abs(row[3]));
  return {row[0] + random.uniform(-share, share) * size,
          row[1] + random.uniform(-share, share) * size,
          row[2] * std::exp(random.uniform(-share, share)),
          row[3] * std::exp(random.uniform(-share, share)), row[4] + random.uniform(-share, share)};
}

}  // namespace

Rows objects(Generator& random, std::int64_t count, double side) {
  return drawn(count, [&](std::int64_t) -> Row {
    const double length = 10 * std::exp(random.uniform(0, std::log(20.0)));
    return {random.uniform(0, side), random.uniform(0, side), length,
            length * random.uniform(0.2, 0.9), random.uniform(-pi / 2, pi / 2)};
  });
}

Rows crowd(Generator& random, std::int64_t count) {
  return drawn(count, [&](std::int64_t) -> Row {
    return {random.uniform(0, 10), random.uniform(0, 10), random.uniform(1, 8),
            random.uniform(1, 8), random.uniform(-4, 4)};
  });
}

Rows street(Generator& random, std::int64_t count) {
  return drawn(count, [&](std::int64_t) -> Row {
    const bool car = random.chance(0.7);
    return {random.uniform(0, 70.4), random.uniform(-40, 40),
            car ? random.uniform(3.2, 4.8) : random.uniform(0.5, 1.0),
            car ? random.uniform(1.4, 1.9) : random.uniform(0.4, 0.8), random.uniform(-pi, pi)};
  });
}

Rows anchors(Generator& random, std::int64_t each, bool turned) {
  constexpr std::array ratios{1.0, 0.5, 2.0};
  Rows rows;
  for (int stride = 8; stride <= 128; stride *= 2) {
    const int cells = 1024 / stride;
    for (int cell = 0; cell < cells * cells; ++cell) {
      for (std::int64_t k = 0; k < each; ++k) {
        const double size = 4 * stride * std::exp2(static_cast<double>(k / 3) / 3);
        const double root = std::sqrt(ratios[static_cast<std::size_t>(k % 3)]);
        const Row anchor{(cell % cells + 0.0) * stride, (cell / cells + 0.0) * stride, size / root,
                         size * root, 0};
        Row row = turned ? jittered(random, anchor, 0.3) : anchor;
        if (turned) row[4] = random.uniform(-pi / 2, pi / 2);
        add(rows, row);
      }
    }
  }
  return rows;
}

Rows near(Generator& random, const Rows& rows) {
  return drawn(count_of(rows), [&](std::int64_t i) {
    Row row = jittered(random, row_at(rows, i), 0.4);
    if (i % 9 == 8) row[0] += 3 * (std::abs(row[2]) + std::abs(row[3]));
    return row;
  });
}

Rows detections(Generator& random, std::int64_t count) {
  const std::int64_t each = 12;
  const Rows centres = objects(random, (count + each - 1) / each);
  return drawn(count, [&](std::int64_t) {
    return jittered(random, row_at(centres, random.integer(0, count_of(centres) - 1)), 0.15);
  });
}

Rows by_class(const Rows& rows, std::int64_t classes) {
  double largest = 0, longest = 0;
  for (std::int64_t i = 0; i < count_of(rows); ++i) {
    const Row row = row_at(rows, i);
    largest = std::max({largest, row[0], row[1]});
    longest = std::max({longest, row[2], row[3]});
  }
  Rows all;
  for (std::int64_t i = 0; i < count_of(rows); ++i) {
    for (std::int64_t k = 0; k < classes; ++k) {
      Row row = row_at(rows, i);
      row[0] += static_cast<double>(k) * (largest + longest + 1);
      row[1] += static_cast<double>(k) * (largest + longest + 1);
      add(all, row);
    }
  }
  return all;
}

Rows degenerate(Generator& random, std::int64_t count) {
  const std::array<Row, 22> known{{
      {0, 0, 4, 2, 0},        {0, 0, 4, 2, 0},       {0, 0, 2, 1, 0},       {4, 0, 4, 2, 0},
      {4, 2, 4, 2, 0},        {0, 0, 2, 4, pi / 2},  {0, 0, 4, 2, pi},      {0, 0, 2, 2, pi / 4},
      {2, 0, 2, 2, pi / 4},   {0, 0, -4, -2, 0},     {0, 0, -4, 2, 0},      {0, 0, 4, 0, 0},
      {0, 0, 1000, 1e-3, 0},  {0, 0, 1000, 1e-3, 1}, {1e-7, 0, 4, 2, 0},    {0, 0, 4, 2, 1e-7},
      {0, 2, 4, 2, 0},        {0, 1e-4, 4, 2, 1e-5}, {1, 1, 1e-6, 1e-6, 0}, {2, 1, 4, 2, 0},
      {-2, -1, 4, 2, 2 * pi}, {0, 0, 1e5, 1e5, 0.3},
  }};
  return drawn(count, [&](std::int64_t i) {
    Row row = known[static_cast<std::size_t>(i) % known.size()];
    // Later rounds are the same boxes elsewhere, now and then at angles of their own.
    if (i >= std::ssize(known)) {
      row[0] += static_cast<double>(random.integer(-8, 8));
      row[1] += static_cast<double>(random.integer(-4, 4));
      if (random.chance(0.3)) row[4] += random.uniform(-2e-6, 2e-6);
    }
    return row;
  });
}

Rows minute(Generator& random, std::int64_t count) {
  return drawn(count, [&](std::int64_t) -> Row {
    const double scale = std::pow(10, random.uniform(-8, -1));
    return {random.uniform(-1, 1) * scale, random.uniform(-1, 1) * scale,
            random.uniform(0.3, 3) * scale, random.uniform(0.3, 3) * scale, random.uniform(-4, 4)};
  });
}

Rows in_line(Generator& random, std::int64_t count) {
  const double angle = random.uniform(-2, 2), c = std::cos(angle), s = std::sin(angle);
  return drawn(count, [&](std::int64_t i) -> Row {
    const double thin = std::pow(10, random.uniform(-5, 1));
    const double along = std::pow(10, random.uniform(0, 4)) * (random.chance(0.5) ? 1 : -1);
    const double across = static_cast<double>(random.integer(-1, 1)) * thin;
    return {along * c - across * s, along * s + across * c, random.uniform(1, 10), thin,
            angle + (i % 3 == 0 ? random.uniform(-3e-7, 3e-7) : 0)};
  });
}

Rows broken(Generator& random, std::int64_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array values{nan, infinity, -infinity, 3e38, -3e38, 1e20, 1e-30, 0.0, 1e300};
  Rows rows = crowd(random, count);
  for (double& value : rows) {
    if (!random.chance(0.06)) continue;
    value = values[static_cast<std::size_t>(random.integer(0, std::ssize(values) - 1))];
  }
  return rows;
}

}  // namespace mluop::rotated_boxes::scenes
