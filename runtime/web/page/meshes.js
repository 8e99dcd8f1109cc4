// three.js objects of parts, of the ground, and the light they stand in.
"use strict";
(function () {
  /** A color of the palette, as text. */
  Tenon.color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  /** The same for materials. */
  Tenon.linearColor = (name) => new THREE.Color(Tenon.color(name)).convertSRGBToLinear();

  function geometryOf(mesh) {
    const solid = new THREE.BufferGeometry();
    solid.setAttribute("position", new THREE.BufferAttribute(mesh.positions, 3));
    solid.setAttribute("normal", new THREE.BufferAttribute(mesh.normals, 3));
    solid.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
    solid.computeBoundingBox();
    solid.computeBoundingSphere();
    const edges = new THREE.BufferGeometry();
    edges.setAttribute("position", solid.getAttribute("position"));
    edges.setIndex(new THREE.BufferAttribute(mesh.edges, 1));
    return {solid, edges};
  }

  /** A group for each part with a mesh, in the order of session.parts; null for others. Equal meshes are shared. */
  Tenon.makeParts = function (session, environment) {
    const shared = new Map();
    return session.parts.map((part, index) => {
      if (!part.mesh) return null;
      if (!shared.has(part.mesh)) shared.set(part.mesh, geometryOf(part.mesh));
      const {solid, edges} = shared.get(part.mesh), appearance = part.surface;
      const material = new THREE.MeshStandardMaterial({
        color: new THREE.Color(...appearance.color), metalness: 0.85 * appearance.metallic, roughness: Math.max(appearance.roughness, 0.25),
        opacity: appearance.opacity, transparent: appearance.opacity < 1, envMap: environment, envMapIntensity: 1.25,
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      });
      const body = new THREE.Mesh(solid, material);
      body.castShadow = body.receiveShadow = true;
      const lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({color: Tenon.color("ink"), transparent: true, opacity: 0.5,
        toneMapped: false}));
      const group = new THREE.Group();
      group.add(body, lines);
      group.matrixAutoUpdate = false;
      group.userData = {index, body, lines, material};
      body.userData.index = index;
      return group;
    });
  };

  /** Radiance of the surroundings in a direction (z up), 0…1: bright sky, a wide lamp, a horizon, a light floor. */
  function skyLight(x, y, z) {
    const lamp = (lx, ly, lz, width) => {
      const l = Math.hypot(lx, ly, lz), cosine = (x * lx + y * ly + z * lz) / l;
      return 1 / (1 + Math.exp(-(cosine - Math.cos(width)) * 14));
    };
    const sky = z > 0 ? 0.38 + 0.36 * z : 0.38 - 0.08 * z;
    return Math.min(1, sky + 0.42 * lamp(-0.5, -0.7, 0.9, 0.5) + 0.5 * lamp(0.5, 1, 0.55, 0.62) +
      0.34 * lamp(1, -0.25, 0.4, 0.42) + 0.12 * lamp(-1, -0.1, 0.2, 0.45) - 0.2 * Math.exp(-((z - 0.03) ** 2) / 0.01));
  }

  /** The surroundings as a cube map, for reflections. */
  Tenon.makeEnvironment = function () {
    const size = 64;
    const axes = [  // of a cube map's six images: to the right, down, outwards
      [[0, 0, -1], [0, -1, 0], [1, 0, 0]], [[0, 0, 1], [0, -1, 0], [-1, 0, 0]], [[1, 0, 0], [0, 0, 1], [0, 1, 0]],
      [[1, 0, 0], [0, 0, -1], [0, -1, 0]], [[1, 0, 0], [0, -1, 0], [0, 0, 1]], [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]];
    const images = axes.map(([right, down, out]) => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = size;
      const context = canvas.getContext("2d"), image = context.createImageData(size, size);
      for (let row = 0; row < size; ++row)
        for (let column = 0; column < size; ++column) {
          const s = (2 * column + 1) / size - 1, t = (2 * row + 1) / size - 1;
          const d = [0, 1, 2].map((k) => out[k] + s * right[k] + t * down[k]), length = Math.hypot(...d);
          // three.js mirrors x of cube maps.
          const light = skyLight(-d[0] / length, d[1] / length, d[2] / length), at = 4 * (row * size + column);
          const tint = d[2] > 0 ? [0.98, 1, 1.02] : [1.02, 1, 0.98];
          for (let k = 0; k < 3; ++k) image.data[at + k] = Math.round(255 * Math.min(1, light * tint[k]) ** (1 / 2.2));
          image.data[at + 3] = 255;
        }
      context.putImageData(image, 0, 0);
      return canvas;
    });
    const texture = new THREE.CubeTexture(images);
    texture.encoding = THREE.sRGBEncoding;
    texture.needsUpdate = true;
    return texture;
  };

  /** Lights around a sphere; the first casts shadows. */
  Tenon.makeLights = function (center, radius) {
    const key = new THREE.DirectionalLight(0xfffaf2, 1.6);
    key.position.copy(center).add(new THREE.Vector3(-0.55, -0.6, 1.25).multiplyScalar(2.2 * radius));
    key.target.position.copy(center);
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 3;
    key.shadow.bias = -0.0006;
    const box = key.shadow.camera, half = 1.35 * radius;
    Object.assign(box, {left: -half, right: half, top: half, bottom: -half, near: 0.2 * radius, far: 6 * radius});
    return [key, key.target, new THREE.HemisphereLight(0xffffff, 0xb9c3ce, 0.55)];
  };

  /** The ground with its grid, which fades at a distance, and a plane that shows shadows on it. */
  Tenon.makeGround = function (ground, center, radius) {
    const grid = new THREE.Mesh(new THREE.PlaneBufferGeometry(40 * radius, 40 * radius), new THREE.ShaderMaterial({
      extensions: {derivatives: true}, transparent: true, depthWrite: false, toneMapped: false,
      uniforms: {cell: {value: ground.cell_m}, center: {value: center}, radius: {value: radius}},
      vertexShader: `varying vec2 p;
        void main() { vec4 w = modelMatrix * vec4(position, 1.0); p = w.xy; gl_Position = projectionMatrix * viewMatrix * w; }`,
      fragmentShader: `uniform float cell, radius; uniform vec3 center; varying vec2 p;
        float lines(float size) {
          vec2 at = p / size, width = fwidth(at), near = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
          float fine = max(width.x, width.y);
          return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.15, 0.6, fine));
        }
        void main() {
          float fade = 1.0 - smoothstep(1.2, 6.0, length(p - center.xy) / radius);
          float ink = max(0.4 * lines(cell), lines(10.0 * cell));
          gl_FragColor = vec4(mix(vec3(0.90, 0.917, 0.935), vec3(0.67, 0.71, 0.75), ink), fade);
        }`,
    }));
    grid.position.set(center.x, center.y, ground.height_m);
    grid.renderOrder = -2;
    const shadow = new THREE.Mesh(grid.geometry, new THREE.ShadowMaterial({opacity: 0.3, depthWrite: false,
      toneMapped: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1}));
    shadow.position.copy(grid.position);
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    return [grid, shadow];
  };

  /** The ball that marks a hand: gray when open, blue when it holds a part. */
  Tenon.makeHand = function (radius, environment) {
    return new THREE.Mesh(new THREE.SphereBufferGeometry(radius, 28, 20), new THREE.MeshStandardMaterial({
      color: 0x888888, metalness: 0, roughness: 0.45, envMap: environment, envMapIntensity: 0.8, transparent: true,
      opacity: 0.62}));
  };
})();
