// Shared by the passes that filter shadow maps.
layout(set = 0, binding = 0) uniform sampler2D source;

layout(push_constant) uniform Map {
  vec4 ground;  // depth of the ground in the map: at its corner, then its change per pixel of the source right and
                // down
  ivec4 rect;   // of the map in the source: left, top, right, bottom [pixels]
} map;

float groundDepth(vec2 at) { return map.ground.x + dot(map.ground.yz, at - vec2(map.rect.xy)); }
