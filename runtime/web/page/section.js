// A plane that cuts the parts open, with hatched faces where it goes through material.
//
// A closed mesh shows, at a point of the plane that is inside of it, one more back face than front faces: the
// stencil buffer counts them, and the plane is drawn where the count is not zero.
"use strict";
(function () {
  function hatching(mirrored) {
    const size = 64, canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d");
    context.fillStyle = Tenon.color("paper");
    context.fillRect(0, 0, size, size);
    context.strokeStyle = Tenon.color("ink");
    context.globalAlpha = 0.5;
    context.lineWidth = 3;
    for (let k = -size; k <= size; k += size / 4) {
      context.beginPath();
      context.moveTo(mirrored ? size - k : k, -1);
      context.lineTo(mirrored ? size - k - size - 2 : k + size + 2, size + 1);
      context.stroke();
    }
    const texture = new THREE.CanvasTexture(canvas);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 4;
    return texture;
  }

  class Section {
    /** `parts`: the groups of makeParts(); `center`, `radius` [m]: of the scene. */
    constructor(parts, center, radius) {
      this.parts = parts.filter(Boolean);
      this.center = center;
      this.radius = radius;
      this.plane = new THREE.Plane();  // keeps the side of its normal
      this.group = new THREE.Group();
      this.group.visible = false;
      this.caps = null;  // made when first switched on
    }

    makeCaps() {
      const planes = [this.plane], size = 8 * this.radius, textures = [hatching(false), hatching(true)];
      textures.forEach((texture) => texture.repeat.set(size / (0.07 * this.radius), size / (0.07 * this.radius)));
      // One triangle: the samples along a diagonal of a square would be counted for one of its two triangles only.
      const sheet = new THREE.BufferGeometry(), half = size / 2;
      sheet.setAttribute("position", new THREE.Float32BufferAttribute(
        [-half, -half, 0, 3 * half, -half, 0, -half, 3 * half, 0], 3));
      sheet.setAttribute("uv", new THREE.Float32BufferAttribute([0, 0, 2, 0, 0, 2], 2));
      const counting = (side, operation) => new THREE.MeshBasicMaterial({
        side, clippingPlanes: planes, colorWrite: false, depthWrite: false, depthTest: false, stencilWrite: true,
        stencilFunc: THREE.AlwaysStencilFunc, stencilFail: operation, stencilZFail: operation, stencilZPass: operation});
      const back = counting(THREE.BackSide, THREE.IncrementWrapStencilOp);
      const front = counting(THREE.FrontSide, THREE.DecrementWrapStencilOp);
      this.caps = this.parts.map((part, k) => {
        const {body, material} = part.userData;
        const counters = [back, front].map((counter) => {
          const mesh = new THREE.Mesh(body.geometry, counter);
          mesh.renderOrder = 10 + k;
          mesh.matrixAutoUpdate = false;
          this.group.add(mesh);
          return mesh;
        });
        const color = material.color.clone().lerp(new THREE.Color(0.9, 0.92, 0.95), 0.5);
        const face = new THREE.Mesh(sheet, new THREE.MeshBasicMaterial({
          color, map: textures[k % 2], side: THREE.DoubleSide, toneMapped: false, stencilWrite: true, stencilRef: 0,
          stencilFunc: THREE.NotEqualStencilFunc, stencilFail: THREE.ReplaceStencilOp,
          stencilZFail: THREE.ReplaceStencilOp, stencilZPass: THREE.ReplaceStencilOp}));
        face.renderOrder = 10.5 + k;
        face.onAfterRender = (renderer) => renderer.clearStencil();
        this.group.add(face);
        return {part, counters, face};
      });
    }

    /** Cuts away the side that the unit vector `normal` points to, from n·p = `offset` [m] on. */
    set(normal, offset) {
      if (!this.caps) this.makeCaps();
      this.plane.normal.copy(normal).negate();
      this.plane.constant = offset;
      this.group.visible = true;
      for (const {userData} of this.parts)
        for (const object of [userData.material, userData.lines.material]) {
          object.clippingPlanes = [this.plane];
          object.clipShadows = true;
          object.needsUpdate = true;
        }
    }

    clear() {
      this.group.visible = false;
      for (const {userData} of this.parts)
        for (const object of [userData.material, userData.lines.material]) {
          object.clippingPlanes = null;
          object.clipShadows = false;
          object.needsUpdate = true;
        }
    }

    isOn() {
      return this.group.visible;
    }

    /** True if the plane cuts away a point of the world. */
    hides(point) {
      return this.isOn() && this.plane.distanceToPoint(point) < 0;
    }

    /** Call after parts moved: places the faces, and leaves out parts that the plane does not meet. */
    update() {
      if (!this.isOn()) return;
      const sphere = new THREE.Sphere(), at = new THREE.Vector3(), ahead = new THREE.Vector3();
      this.plane.projectPoint(this.center, at);
      for (const {part, counters, face} of this.caps) {
        sphere.copy(part.userData.body.geometry.boundingSphere).applyMatrix4(part.matrix);
        const meets = part.visible && Math.abs(this.plane.distanceToPoint(sphere.center)) <= sphere.radius;
        face.visible = meets;
        for (const mesh of counters) {
          mesh.visible = meets;
          mesh.matrix.copy(part.matrix);
          mesh.matrixWorldNeedsUpdate = true;
        }
        face.position.copy(at);
        face.lookAt(ahead.copy(at).sub(this.plane.normal));
      }
    }
  }
  Tenon.Section = Section;
})();
