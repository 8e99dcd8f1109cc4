// Panels and texts: from pixels of the user interface to clip space.
#version 450

layout(push_constant) uniform Push {
  vec2 scale;
  vec2 shift;
} push;

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;  // sRGB
layout(location = 0) out vec2 uvOut;
layout(location = 1) out vec4 colorOut;

void main() {
  uvOut = uv;
  // The target encodes sRGB and blends linear light: colors are decoded here, once per vertex.
  vec3 linear =
      mix(color.rgb / 12.92, pow((color.rgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, color.rgb));
  colorOut = vec4(linear, color.a);
  gl_Position = vec4(position * push.scale + push.shift, 0, 1);
}
