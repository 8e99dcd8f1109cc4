#!/usr/bin/env bash
# Khronos' validator over GLB files. Usage: check_glb.sh FOLDER FILE…
# Fetches it with npm into FOLDER, unless it is there.
set -euo pipefail
folder=$1
shift
if [ ! -d "$folder/node_modules/gltf-validator" ]; then
  mkdir -p "$folder"
  npm install --silent --no-audit --no-fund --prefix "$folder" gltf-validator@2.0.0-dev.3.10
fi
NODE_PATH=$folder/node_modules node - "$@" <<'END'
const fs = require('fs'), validator = require('gltf-validator');
(async () => {
  let bad = false;
  for (const file of process.argv.slice(2)) {
    const {issues} = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
    for (const message of issues.messages) console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
    bad ||= issues.numErrors + issues.numWarnings > 0;
  }
  process.exit(bad ? 1 : 0);
})();
END
