// Arrows of forces, on one linear scale, with their values at the largest.
"use strict";
(function () {
  const MAX_LABELS = 4, MIN_SHARE = 0.01;  // of the scale's force; smaller arrows are not drawn
  const LIT = 0.58;  // of the palette's color, which the lights bring back to it [-]
  const WINDOW = 0.5;  // [s] before and after, over which the scale follows the largest force

  function powerOfTen(x) {
    return 10 ** Math.floor(Math.log10(x) + 1e-9);
  }
  /** The smallest of 1, 2 or 5 times a power of ten that is at least x. */
  function roundAbove(x) {
    return [1, 2, 5, 10].map((step) => step * powerOfTen(x)).find((round) => round >= x * (1 - 1e-9));
  }
  /** The largest round number that is at most x. */
  function roundBelow(x) {
    return Math.max(...[1, 1.5, 2, 3, 4, 5, 6, 8].map((s) => s * powerOfTen(x)).filter((r) => r <= x * (1 + 1e-9)));
  }

  class Arrows {
    constructor(session, radius, labels) {
      this.session = session;
      this.radius = radius;
      this.labels = labels;
      this.group = new THREE.Group();
      this.pool = [];
      this.shown = [];  // {newtons: [x, y, z], point, hand, i, j}, largest first
      this.scale = {newtons: 1, length: 1};
      const tube = new THREE.CylinderBufferGeometry(1, 1, 1, 20);
      tube.translate(0, 0.5, 0);
      const cone = new THREE.ConeBufferGeometry(1, 1, 28);
      cone.translate(0, 0.5, 0);
      this.shapes = [tube, cone];
      this.materials = {};
      for (const kind of ["contact", "hand"]) {
        const full = Tenon.linearColor(kind), color = full.clone().multiplyScalar(LIT);
        const appearance = {color, metalness: 0, roughness: 0.5, emissive: color, emissiveIntensity: 0.25};
        this.materials[kind] = [new THREE.MeshStandardMaterial(appearance), new THREE.MeshBasicMaterial({
          color: full, transparent: true, opacity: 0.28, depthFunc: THREE.GreaterDepth,
          depthWrite: false, toneMapped: false})];
      }
    }

    scaleAt(frame) {
      const {times, count, largest: forces} = this.session.frames;
      let largest = 0.01;  // [N], as in the window of tenon preview
      for (let f = frame; f >= 0 && times[frame] - times[f] <= WINDOW; --f) largest = Math.max(largest, forces[f]);
      for (let f = frame; f < count && times[f] - times[frame] <= WINDOW; ++f)
        largest = Math.max(largest, forces[f]);
      return {newtons: roundAbove(largest), length: 1e-3 * roundBelow(1e3 * 0.33 * this.radius)};
    }

    arrow(k) {
      while (this.pool.length <= k) {
        const arrow = new THREE.Group();
        for (let pass = 0; pass < 2; ++pass)  // in front of parts, and behind them
          for (const shape of this.shapes) {
            const mesh = new THREE.Mesh(shape, this.materials.contact[pass]);
            mesh.renderOrder = pass ? 2000 : 1000;
            arrow.add(mesh);
          }
        this.pool.push(arrow);
        this.group.add(arrow);
      }
      return this.pool[k];
    }

    /** Shows the forces of a frame. */
    set(frame, visible) {
      const {first, pair, pairs, point, force} = this.session.forces;
      this.shown = [];
      this.scale = this.scaleAt(frame);
      for (let k = first[frame]; visible && k < first[frame + 1]; ++k) {
        const newtons = [force[3 * k], force[3 * k + 1], force[3 * k + 2]], size = Math.hypot(...newtons);
        if (size < MIN_SHARE * this.scale.newtons) continue;
        const [i, j] = pairs[pair[k]];
        this.shown.push({newtons, size, i, j, hand: i < 0, point: [point[3 * k], point[3 * k + 1], point[3 * k + 2]]});
      }
      this.shown.sort((a, b) => b.size - a.size);
      const thick = 0.009 * this.radius, up = new THREE.Vector3(0, 1, 0), along = new THREE.Vector3();
      this.shown.forEach((shown, k) => {
        const arrow = this.arrow(k), length = shown.size * this.scale.length / this.scale.newtons;
        const head = Math.min(4.2 * thick, 0.6 * length), wide = Math.min(1, length / (4 * thick));
        arrow.visible = true;
        arrow.position.set(...shown.point);
        arrow.quaternion.setFromUnitVectors(up, along.set(...shown.newtons).divideScalar(shown.size));
        arrow.children.forEach((mesh, part) => {
          mesh.material = this.materials[shown.hand ? "hand" : "contact"][part >> 1];
          if (part % 2 === 0) mesh.scale.set(wide * thick, length - head, wide * thick);
          else mesh.scale.set(2.1 * wide * thick, head, 2.1 * wide * thick);
          mesh.position.y = part % 2 === 0 ? 0 : length - head;
        });
        shown.tip = along.multiplyScalar(length).add(arrow.position).toArray();
      });
      for (let k = this.shown.length; k < this.pool.length; ++k) this.pool[k].visible = false;
    }

    /** Places the values beside the tips; `project` returns [x, y] in pixels, or null behind the camera. */
    label(project) {
      const texts = this.shown.slice(0, MAX_LABELS);
      while (this.labels.children.length < texts.length) this.labels.append(document.createElement("span"));
      const taken = [], height = 22;  // [x, y, width] of the labels before
      [...this.labels.children].forEach((label, k) => {
        const at = texts[k] && project(texts[k].tip);
        label.hidden = !at;
        if (!at) return;
        label.textContent = Tenon.forceText(texts[k].size);
        const width = label.offsetWidth, x = Math.min(at[0] + 8, this.labels.clientWidth - width - 4);
        let y = at[1] - 10;
        for (const [otherX, otherY, otherWidth] of taken)  // below labels that it would cover
          if (x < otherX + otherWidth && otherX < x + width && Math.abs(y - otherY) < height) y = otherY + height;
        taken.push([x, y, width]);
        label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      });
    }
  }
  Tenon.Arrows = Arrows;

  /** A number with three significant digits, without exponent. */
  Tenon.significant = function (value) {
    if (value === 0) return "0";
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)) + 1e-9));
    return value.toFixed(Math.min(digits, 6));
  };
  Tenon.forceText = (newtons) => Math.abs(newtons) < 1e-3 ? "0 N" : `${Tenon.significant(newtons)} N`;
})();
