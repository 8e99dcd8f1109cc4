// A panel: its front shows the image, its back one color.
#version 450

layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  // Four samples per pixel keep minified text readable.
  vec2 x = 0.25 * dFdx(uv), y = 0.25 * dFdy(uv);
  vec3 sum = texture(image, uv + x + y).rgb + texture(image, uv + x - y).rgb + texture(image, uv - x + y).rgb +
             texture(image, uv - x - y).rgb;
  color = vec4(gl_FrontFacing ? 0.25 * sum : vec3(0.02), 1);
}
