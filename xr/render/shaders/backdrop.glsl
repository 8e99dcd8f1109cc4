// Display color of the seamless wall behind the scene, by the direction of the ray.
vec3 backdrop(vec3 d) {
  return mix(vec3(0.80, 0.82, 0.84), vec3(0.36, 0.42, 0.49), smoothstep(-0.25, 0.75, abs(d.z)));
}
