// The scene on the canvas: camera, parts at a time, forces, section, picking. Draws only when something changed.
"use strict";
(function () {
  const UP = 0.26;  // tangent of half the vertical field of view
  const BUTTONS = 40;  // height of the buttons above the scene [px]
  const DIRECTIONS = {iso: [-0.5, -1, 0.72], front: [0, -1, 0.02], right: [1, 0, 0.02], top: [0, -0.001, 1]};
  const HIGHLIGHT = 0.5;  // share of the palette's blue that a picked part emits

  class View {
    /** Throws an Error if the browser cannot draw. */
    constructor(session, canvas, labels) {
      this.session = session;
      this.canvas = canvas;
      const attributes = {alpha: false, antialias: true, stencil: true, powerPreference: "high-performance"};
      const context = canvas.getContext("webgl2", attributes) || canvas.getContext("webgl", attributes);
      if (!context) throw new Error("This browser cannot draw the scene: WebGL is switched off or missing.");
      const renderer = (this.renderer = new THREE.WebGLRenderer({canvas, context}));
      renderer.gammaOutput = true;
      renderer.gammaFactor = 2.2;
      renderer.toneMapping = THREE.LinearToneMapping;
      renderer.toneMappingExposure = 1.12;
      renderer.shadowMap.enabled = true;
      renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      renderer.shadowMap.autoUpdate = false;  // only when parts move, see changed()
      renderer.localClippingEnabled = true;
      renderer.setClearColor(Tenon.color("ground"));
      this.scene = new THREE.Scene();
      this.camera = new THREE.PerspectiveCamera((2 * Math.atan(UP) * 180) / Math.PI, 1, 0.01, 10);
      this.camera.up.set(0, 0, 1);
      this.controls = new THREE.OrbitControls(this.camera, canvas);
      Object.assign(this.controls, {screenSpacePanning: true, enableKeys: false, rotateSpeed: 0.7});
      this.controls.addEventListener("change", () => this.changed());

      const environment = Tenon.makeEnvironment();
      this.parts = Tenon.makeParts(session, environment);
      for (const part of this.parts) if (part) this.scene.add(part);
      this.frame = 0;
      this.share = 0;
      this.movePartsTo(0, 0);
      this.measure();
      this.scene.add(...Tenon.makeLights(this.center, this.radius));
      if (session.ground)
        this.scene.add(...Tenon.makeGround(session.ground, this.center, this.radius));
      this.hands = session.hands.map(() => Tenon.makeHand(Math.min(0.008, 0.04 * this.radius), environment));
      for (const hand of this.hands) this.scene.add(hand);
      this.section = new Tenon.Section(this.parts, this.center, this.radius);
      this.scene.add(this.section.group);
      this.arrows = new Tenon.Arrows(session, this.radius, labels);
      this.scene.add(this.arrows.group);
      this.showsForces = true;
      this.picked = -1;
      this.onPick = () => {};
      this.onPoint = () => false;  // true: the click was a point, and picks nothing
      this.onDraw = () => {};
      this.watchPointer();
      new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
      this.resize();
      this.look("iso");
      this.set(0, 0);
    }

    /** Center and radius [m] of all parts at the start. */
    measure() {
      const box = new THREE.Box3();
      for (const part of this.parts) {
        if (!part) continue;
        box.union(part.userData.body.geometry.boundingBox.clone().applyMatrix4(part.matrix));
      }
      this.center = box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3());
      this.radius = Math.max(box.isEmpty() ? 0.1 : box.getSize(new THREE.Vector3()).length() / 2, 1e-4);
    }

    movePartsTo(frame, share) {
      this.parts.forEach((part, k) => {
        if (!part) return;
        const {p, q} = this.session.parts[k].motion.at(frame, share);
        part.matrix.compose(new THREE.Vector3(...p), new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));
        part.matrixWorldNeedsUpdate = true;
      });
    }

    /** Shows the states `share` of the way from a frame to the next; forces are those of the nearer frame. */
    set(frame, share) {
      this.frame = frame;
      this.share = share;
      this.movePartsTo(frame, share);
      this.session.hands.forEach((hand, k) => {
        const held = hand.held[frame] >= 0;
        this.hands[k].position.set(...hand.motion.at(frame, share).p);
        this.hands[k].material.color.copy(Tenon.linearColor(held ? "hand" : "soft"));
      });
      this.forceFrame = share > 0.5 ? frame + 1 : frame;
      this.arrows.set(this.forceFrame, this.showsForces);
      this.section.update();
      if (this.untouched && this.isLeaving()) this.look(this.direction, this.framed);
      this.changed(true);
    }

    /** True if a shown part has left the image. */
    isLeaving() {
      const at = new THREE.Vector3();
      this.camera.updateMatrixWorld();
      return this.parts.some((part, k) => part && part.visible && (!this.framed || this.framed.includes(k)) &&
        (at.copy(part.userData.body.geometry.boundingSphere.center).applyMatrix4(part.matrix).project(this.camera),
        Math.max(Math.abs(at.x), Math.abs(at.y)) > 1));
    }

    /** Draws soon. `moved`: shadows are other ones too. */
    changed(moved = false) {
      if (moved) this.renderer.shadowMap.needsUpdate = true;
      if (this.pending) return;
      this.pending = requestAnimationFrame(() => {
        this.pending = 0;
        this.draw();
      });
    }

    draw() {
      const {camera, renderer} = this, distance = camera.position.distanceTo(this.controls.target);
      const away = camera.position.distanceTo(this.center);
      camera.near = Math.max(1e-4, Math.min(0.05 * distance, 0.02 * this.radius));
      camera.far = away + 30 * this.radius;
      camera.updateProjectionMatrix();
      renderer.render(this.scene, camera);
      const at = new THREE.Vector3(), {clientWidth, clientHeight} = this.canvas;
      const project = (point) => {
        at.set(...point).project(camera);
        return at.z > 1 ? null : [(at.x + 1) / 2 * clientWidth, (1 - at.y) / 2 * clientHeight];
      };
      this.arrows.label(project);
      this.onDraw(project);
    }

    resize() {
      const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
      if (!width || !height) return;
      const first = this.width === undefined;
      this.width = width;
      this.height = height;
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      if (!first && this.untouched) this.look(this.direction, this.framed);
      this.draw();
    }

    /** Corners of the parts' boxes [world]; `only`: indices of parts, or all. */
    corners(only) {
      const points = [];
      this.parts.forEach((part, k) => {
        if (!part || !part.visible || (only && !only.includes(k))) return;
        const {min, max} = part.userData.body.geometry.boundingBox;
        for (let c = 0; c < 8; ++c)
          points.push(new THREE.Vector3(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z)
            .applyMatrix4(part.matrix));
      });
      return points;
    }

    /** Looks at the parts from a named direction, or from a vector, so that all of them, or `only` some, are in the view. */
    look(direction, only) {
      const points = this.corners(only);
      if (!points.length) return;
      this.direction = direction;
      this.framed = only;
      const back = new THREE.Vector3(...(DIRECTIONS[direction] || direction)).normalize();
      const right = new THREE.Vector3(0, 0, 1).cross(back).normalize(), up = back.clone().cross(right);
      // Of each image axis the smallest distance at which all points are inside (as xr::fitView).
      const fit = (axis, above, below) => {
        let high = -Infinity, low = -Infinity;
        for (const p of points) {
          const c = p.dot(axis), z = p.dot(back);
          high = Math.max(high, c + above * z);
          low = Math.max(low, -c + below * z);
        }
        const height = (high + low) / (above + below);
        return {height, middle: (h) => (high - above * h - low + below * h) / 2};
      };
      // At each edge a margin of 1/16; above also the buttons.
      const margin = 7 / 8, top = Math.max(margin - (2 * BUTTONS) / this.height, margin / 2);
      const tall = fit(up, UP * top, UP * margin);
      const wide = fit(right, UP * margin * this.camera.aspect, UP * margin * this.camera.aspect);
      const height = Math.max(tall.height, wide.height);
      const position = right.clone().multiplyScalar(wide.middle(height)).addScaledVector(up, tall.middle(height))
        .addScaledVector(back, height);
      const middle = points.reduce((sum, p) => sum + p.dot(back), 0) / points.length;
      this.camera.position.copy(position);
      this.controls.target.copy(position).addScaledVector(back, middle - height);
      this.controls.minDistance = 0.01 * this.radius;
      this.controls.maxDistance = 30 * this.radius;
      this.controls.update();
      this.untouched = true;
      this.changed();
    }

    showPart(index, visible) {
      if (this.parts[index]) this.parts[index].visible = visible;
      this.section.update();
      this.changed(true);
    }

    /** Highlights a part; −1: none. */
    pick(index) {
      this.parts.forEach((part, k) => part && part.userData.material.emissive.copy(Tenon.linearColor("blue")).multiplyScalar(k === index ? HIGHLIGHT : 0));
      this.picked = index;
      this.changed();
    }

    /** A click without a drag picks the part there. */
    watchPointer() {
      let down = null;
      this.controls.addEventListener("start", () => (this.untouched = false));
      this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
      this.canvas.addEventListener("pointerup", (event) => {
        if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
        const hit = this.hitAt(event.clientX, event.clientY);
        if (!this.onPoint(hit, event)) this.onPick(hit.part);
      });
      this.canvas.addEventListener("dblclick", () => this.look("iso"));
    }

    /** The nearest visible part at a point of the window: {part: index, at: [x, y, z] in its frame [m]}; part −1: none. */
    hitAt(x, y) {
      const box = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
      ray.setFromCamera({x: 2 * (x - box.left) / box.width - 1, y: 1 - 2 * (y - box.top) / box.height}, this.camera);
      const bodies = this.parts.filter((part) => part && part.visible).map((part) => part.userData.body);
      const hit = ray.intersectObjects(bodies).find((one) => !this.section.hides(one.point));
      if (!hit) return {part: -1, at: null};
      return {part: hit.object.userData.index, at: hit.object.worldToLocal(hit.point.clone()).toArray()};
    }
  }
  Tenon.View = View;
})();
