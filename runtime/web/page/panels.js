// panels.js
