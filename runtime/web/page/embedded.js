// Starts the page of a file, which has the session and three.js in it.
"use strict";
(function () {
  /** What the page contains, expanded, or a clear error. */
  async function read(name) {
    try {
      return await Tenon.expand(document.getElementById(name).textContent);
    } catch (error) {
      if (typeof DecompressionStream === "undefined") throw error;
      throw new Error("This page is damaged: load it again, or have it exported again.");
    }
  }

  Tenon.publish(async () => {
    Tenon.showMessage("Reading the session …");
    const [library, session] = await Promise.all(["library", "session"].map(read));
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(library);
    document.head.append(script);
    return Tenon.openRecord(session);
  });
})();
