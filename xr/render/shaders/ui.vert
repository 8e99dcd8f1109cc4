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
  colourOut = colour;
  gl_Position = vec4(position * push.scale + push.shift, 0, 1);
}
