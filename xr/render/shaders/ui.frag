// Panels and texts: colour times how much of the pixel the glyph covers.
#version 450

layout(set = 0, binding = 0) uniform sampler2D font;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;

void main() {
  // The target encodes sRGB and blends linear light: colours are decoded here.
  vec3 linear = mix(colour.rgb / 12.92, pow((colour.rgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, colour.rgb));
  result = vec4(linear, colour.a * texture(font, uv).r);
}
