// section.js
