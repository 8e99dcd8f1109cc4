// Parts as one light of the sky sees them, for its tile of the shadow atlas.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;

void main() {
  Light light = frame.lights[int(push.eye.w)];
  vec3 p = (instances[gl_InstanceIndex].model * vec4(position, 1)).xyz;
  vec3 local = (p - frame.bounds.xyz) / frame.bounds.w;
  gl_Position = vec4(dot(local, light.right.xyz), dot(local, light.up.xyz),
                     0.5 - 0.5 * dot(local, light.toward.xyz), 1);
  gl_ClipDistance[0] = uncut(p);
}
