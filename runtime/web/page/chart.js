// Push against depth of a goal, as a curve that may grow.
"use strict";
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 340, HEIGHT = 132, LEFT = 46, RIGHT = 8, TOP = 8, BOTTOM = 30;
  const TOLERANCE = 0.5;  // [px]; lines are 1.5 and 2 px wide

  function draw(name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  /** Round numbers in [low, high], about `count`. */
  function ticks(low, high, count) {
    const range = high - low || 1, power = 10 ** Math.floor(Math.log10(range / count));
    const step = [1, 2, 5, 10].map((s) => s * power).find((s) => range / s <= count), out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * range; ++k) out.push(+(k * step).toPrecision(6));
    return out;
  }
  Tenon.ticks = ticks;

  /**
   * Indices of the points (x[k], y[k]) whose polyline is within √2 · `tolerance` of all points: a point is left out while
   * one line from the last kept one passes it, and all left out before it, and goes on in its direction (cone of
   * directions; one pass).
   */
  Tenon.thinned = function (x, y, tolerance) {
    const kept = [], count = x.length;
    for (let anchor = 0; anchor < count;) {
      kept.push(anchor);
      let low = -Infinity, high = Infinity, base = null, far = 0, end = anchor + 1;
      for (let k = anchor + 1; k < count; ++k) {
        const dx = x[k] - x[anchor], dy = y[k] - y[anchor], distance = Math.hypot(dx, dy);
        if (distance < far - tolerance) break;  // it turns back
        if (distance > tolerance) {
          const angle = Math.atan2(dy, dx), half = Math.asin(tolerance / distance);
          if (base === null) base = angle;
          const turn = Math.atan2(Math.sin(angle - base), Math.cos(angle - base));
          if (turn < low || turn > high) break;
          low = Math.max(low, turn - half);
          high = Math.min(high, turn + half);
        }
        far = Math.max(far, distance);
        end = k;
      }
      anchor = anchor === count - 1 ? count : end;
    }
    return kept;
  };

  class Chart {
    constructor(goal) {
      this.goal = goal;
      this.svg = draw("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Push against depth"});
      this.grid = draw("g", {});
      this.whole = draw("polyline", {class: "whole"});
      this.past = draw("polyline", {class: "past"});
      this.dot = draw("circle", {class: "dot", r: 4.5});
      this.svg.append(this.grid, this.whole, this.past, this.dot);
      this.grow();
    }

    /** Call after the curve got more points. */
    grow() {
      const {curve, depths, pushes, depth_m: depth} = this.goal;
      if (curve.length === this.length && curve[0] === this.first) return;
      this.length = curve.length;
      this.first = curve[0];
      // Not Math.min(...): a long session has more points than a call may have arguments.
      let low = 0, high = depth, least = 0, most = 1e-3;
      for (const frame of curve) {
        low = Math.min(low, depths[frame]);
        high = Math.max(high, depths[frame]);
        least = Math.min(least, pushes[frame]);
        most = Math.max(most, pushes[frame]);
      }
      this.scale(1e3 * low, 1e3 * high, least, 1.06 * most);
      const x = Float64Array.from(curve, (frame) => this.x(1e3 * depths[frame]));
      const y = Float64Array.from(curve, (frame) => this.y(pushes[frame]));
      const kept = Tenon.thinned(x, y, TOLERANCE);
      this.frames = kept.map((k) => curve[k]);
      this.points = kept.map((k) => `${x[k].toFixed(1)},${y[k].toFixed(1)}`);
      this.whole.setAttribute("points", this.points.join(" "));
      this.passed = -1;
    }

    scale(low, high, least, most) {
      this.x = (depth) => LEFT + (depth - low) / (high - low || 1) * (WIDTH - LEFT - RIGHT);
      this.y = (push) => HEIGHT - BOTTOM - (push - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
      const range = [low, high, least, most].join();
      if (range === this.range) return;
      this.range = range;
      const lines = [];
      for (const at of ticks(low, high, 6)) {
        lines.push(draw("line", {class: "grid", x1: this.x(at), x2: this.x(at), y1: TOP, y2: HEIGHT - BOTTOM}));
        lines.push(draw("text", {x: this.x(at), y: HEIGHT - BOTTOM + 12, "text-anchor": "middle"}, at));
      }
      for (const at of ticks(least, most, 4)) {
        lines.push(draw("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(at), y2: this.y(at)}));
        lines.push(draw("text", {x: LEFT - 5, y: this.y(at) + 3.5, "text-anchor": "end"}, at));
      }
      const middle = (TOP + HEIGHT - BOTTOM) / 2;
      lines.push(draw("text", {x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle"}, "depth [mm]"));
      lines.push(draw("text", {x: 9, y: middle, "text-anchor": "middle", transform: `rotate(-90 9 ${middle})`}, "push [N]"));
      this.grid.replaceChildren(...lines);
    }

    /** Number of the elements of ascending `frames` up to `frame`. */
    static countTo(frames, frame) {
      let low = 0, high = frames.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (frames[middle] <= frame) low = middle + 1;
        else high = middle;
      }
      return low;
    }

    set(frame) {
      const {curve, depths, pushes} = this.goal, low = Chart.countTo(curve, frame);
      const at = low ? curve[low - 1] : -1;  // the last point up to here
      if (at !== this.passed) {
        const points = this.points.slice(0, Chart.countTo(this.frames, at));
        if (low) points.push(`${this.x(1e3 * depths[at]).toFixed(1)},${this.y(pushes[at]).toFixed(1)}`);
        this.past.setAttribute("points", points.join(" "));
      }
      this.passed = at;
      this.dot.style.display = at === frame ? "" : "none";
      if (at !== frame) return;
      this.dot.setAttribute("cx", this.x(1e3 * depths[frame]));
      this.dot.setAttribute("cy", this.y(pushes[frame]));
    }
  }
  Tenon.Chart = Chart;
})();
