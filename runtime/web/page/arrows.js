// arrows.js
