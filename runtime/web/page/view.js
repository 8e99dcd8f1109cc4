// view.js
