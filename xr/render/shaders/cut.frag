// The inside of a part, seen where it is cut open: drawn as the face of the cut, hatched.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 1) in vec3 n_W;
layout(location = 2) flat in int instance;
layout(location = 0) out vec4 colour;

void main() {
  Instance i = instances[instance];
  vec3 n = frame.section.xyz;
  vec3 toward = p_W - push.eye.xyz;
  vec3 p = push.eye.xyz + toward * ((frame.section.w - dot(n, push.eye.xyz)) / dot(n, toward));
  vec3 side = normalize(abs(n.z) < 0.9 ? cross(vec3(0, 0, 1), n) : vec3(1, 0, 0));
  vec3 up = cross(n, side);
  vec2 q = vec2(dot(p, side), dot(p, up));
  float across = (i.look.z > 0.5 ? q.x + q.y : q.x - q.y) * inversesqrt(2.0) / i.look.w;
  float width = max(fwidth(across), 1e-6);
  float line = 1.0 - smoothstep(0.09, 0.09 + 1.2 * width, abs(fract(across) - 0.5));
  Gathered g = gather(p, n, n);
  vec3 base = mix(i.colour.rgb, vec3(0.85), 0.45);
  vec3 c = base * (0.35 + 0.35 * g.open + 0.25 * g.key);
  colour = vec4(tone(mix(c, 0.22 * base, 0.75 * line)), 1);
}
