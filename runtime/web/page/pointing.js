// Where observers point: a ring on the part, with the name of who points, for some seconds.
"use strict";
(function () {
  const SECONDS = 5;

  class Pointing {
    /** `send(part, at)`: called when a person points at a place of a part, in its frame [m]. */
    constructor(view, send) {
      this.view = view;
      this.points = [];  // {part, at, name, element}
      this.layer = Tenon.make("div");
      this.layer.id = "pointers";
      this.button = Tenon.make("button", "Point");
      this.button.id = "point-button";
      this.button.title = "Show all observers a place: then click it (or Shift and click)";
      this.button.setAttribute("aria-pressed", false);
      this.button.addEventListener("click", () => this.setOn(!this.on));
      document.getElementById("labels").after(this.layer);
      document.querySelector(".tools.right").prepend(this.button);
      view.onPoint = ({part, at}, event) => {
        if (!this.on && !event.shiftKey) return false;
        this.setOn(false);
        if (part >= 0) send(part, at);
        return true;
      };
      view.onDraw = (project) => this.place(project);
    }

    setOn(on) {
      this.on = on;
      this.button.setAttribute("aria-pressed", on);
      this.view.canvas.classList.toggle("pointing", on);
    }

    add({part, at, name}) {
      if (!this.view.parts[part]) return;
      const element = Tenon.make("div.pointer", Tenon.make("i"), Tenon.make("span", name)), point = {part, at, name, element};
      this.layer.append(element);
      this.points.push(point);
      setTimeout(() => {
        element.remove();
        this.points.splice(this.points.indexOf(point), 1);
      }, 1e3 * SECONDS);
      this.view.changed();
    }

    place(project) {
      const at = new THREE.Vector3();
      for (const point of this.points) {
        const where = project(at.set(...point.at).applyMatrix4(this.view.parts[point.part].matrix).toArray());
        point.element.hidden = !where;
        if (where) point.element.style.transform = `translate(${where[0].toFixed(1)}px, ${where[1].toFixed(1)}px)`;
      }
    }
  }
  Tenon.Pointing = Pointing;
})();
