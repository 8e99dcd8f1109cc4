// meshes.js
