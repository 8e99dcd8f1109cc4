// Panels and texts: color times the glyph's coverage of the pixel.
#version 450

layout(set = 0, binding = 0) uniform sampler2D font;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 result;

void main() { result = vec4(color.rgb, color.a * texture(font, uv).r); }
