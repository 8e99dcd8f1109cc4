// Panels and texts: pixels of the user interface to the picture.
#version 450

layout(push_constant) uniform Push {
  vec2 scale;
  vec2 shift;
} push;

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 colour;  // sRGB
layout(location = 0) out vec2 uvOut;
layout(location = 1) out vec4 colourOut;

void main() {
  uvOut = uv;
  // The target encodes sRGB and blends linear light: colours are decoded here, once a corner.
  vec3 linear =
      mix(colour.rgb / 12.92, pow((colour.rgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, colour.rgb));
  colourOut = vec4(linear, colour.a);
  gl_Position = vec4(position * push.scale + push.shift, 0, 1);
}
