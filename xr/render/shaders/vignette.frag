// Darkening around the line of sight, the same for both eyes whatever their fields of view.
#version 450

layout(push_constant) uniform Push {
  mat4 sheet;  // first column: darkness of the rim, darkness of the whole view
  vec4 imageRect;
} push;

layout(location = 0) in vec2 tangent;
layout(location = 0) out vec4 color;

void main() {
  float rim = push.sheet[0].x, open = mix(1.3, 0.55, rim);
  float dark = rim > 0.0 ? min(1.0, 4.0 * rim) * smoothstep(0.7 * open, open, length(tangent)) : 0.0;
  color = vec4(0, 0, 0, max(dark, push.sheet[0].y));
}
