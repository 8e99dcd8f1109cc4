// Darkness about the line of sight, the same for both eyes wherever the edges of their pictures are.
#version 450

layout(push_constant) uniform Push {
  mat4 clip;   // its first column: how dark the rim is, how dark all is
  vec4 piece;
} push;

layout(location = 0) in vec2 tangent;
layout(location = 0) out vec4 colour;

void main() {
  float rim = push.clip[0].x, open = mix(1.3, 0.55, rim);
  float dark = rim > 0.0 ? min(1.0, 4.0 * rim) * smoothstep(0.7 * open, open, length(tangent)) : 0.0;
  colour = vec4(0, 0, 0, max(dark, push.clip[0].y));
}
