// A study of a server: its progress while it runs, and its report in place.
"use strict";
(function () {
  const find = (id) => document.getElementById(id), make = Tenon.make;
  const percent = (share) => `${(100 * share).toFixed(1)} %`;

  function timeText(seconds) {
    if (seconds < 90) return `${Math.ceil(seconds)} s`;
    return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
  }

  /** A study in a line of the list. */
  Tenon.studyNotes = function (study) {
    const notes = [study.cases ? `${study.done} of ${study.cases} cases` : ""];
    if (study.done) notes.push(`yield ${percent(study.yield)} (${percent(study.yield_low)} to ${percent(study.yield_high)})`);
    notes.push(study.running ? "runs" : study.ended, study.owner && `by ${study.owner}`);
    return notes;
  };

  /** Shows a report's page in `host`. Its styles hold there alone, and none of its scripts runs. */
  function showReport(host, html) {
    const sheet = new CSSStyleSheet(), [before, styles, after] = html.split(/<\/?style>/);
    const page = new DOMParser().parseFromString(before + after, "text/html");  // without styles, which the server's policy forbids
    sheet.replaceSync(styles.replace(/:root\b/g, ":host").replace(/\bbody\b/g, ".page"));
    const root = host.shadowRoot || host.attachShadow({mode: "open"}), body = make("div.page");
    root.adoptedStyleSheets = [sheet];
    body.append(...page.body.childNodes);
    root.replaceChildren(body);
    host.hidden = false;
  }

  /** `load(path)`: the answer of the server to a request with the token of this tab. */
  class StudyView {
    constructor(id, load) {
      Object.assign(this, {id, load, shown: null});
      find("study").hidden = false;
      for (const format of ["csv", "json", "html"])
        find(`study-${format}`).addEventListener("click", () => this.attempt("study-problem", () => this.save(format)));
      find("study-report-button").addEventListener("click", () => this.attempt("study-problem", () => this.report()));
    }

    /** Shows the study now; true while it runs. */
    async refresh() {
      const answer = await this.load(`/data/studies/${this.id}`);
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const study = (this.shown = await answer.json());
      find("title").textContent = document.title = `Study of ${study.title}`;
      find("study-progress").max = Math.max(study.cases, 1);
      find("study-progress").value = study.running ? study.done : study.cases;
      find("study-state").textContent = study.running ? "Runs" : study.ended === "done" ? "Finished" : `Stopped: ${study.ended}`;
      find("study-cases").textContent = study.cases ? `${study.done} of ${study.cases} cases` : "";
      find("study-yield").textContent = study.done ? `${percent(study.yield)}, 95 % interval ${percent(study.yield_low)} to ${percent(study.yield_high)}` : "";
      find("study-pace").textContent = study.running && study.rate ? `${study.rate.toPrecision(2)} cases/s, ${timeText(study.time_left)} left` : "";
      find("study-report-button").hidden = !study.running;  // shown at the end by itself
      for (const name of ["cases", "yield", "pace"]) find(`study-${name}`).parentElement.hidden = !find(`study-${name}`).textContent;
      return study.running;
    }

    async text(format) {
      const answer = await this.load(`/data/studies/${this.id}/${format}`);
      if (!answer.ok) throw new Error((await answer.text()).trim());
      return answer.text();
    }

    async report() {
      showReport(find("study-report"), await this.text("html"));
    }

    async save(format) {
      const link = make("a");
      link.href = URL.createObjectURL(new Blob([await this.text(format)]));
      link.download = `study-${this.id}.${format}`;
      link.click();
      URL.revokeObjectURL(link.href);
    }

    /** Does `action`; its failure is shown in the element `place` until it succeeds. */
    async attempt(place, action) {
      try {
        await action();
        find(place).hidden = true;
      } catch (error) {
        find(place).textContent = error.message;
        find(place).hidden = false;
      }
    }

    /** Follows the study to its end, then shows its report. `period` [s]: between two looks. */
    async follow(period) {
      while (this.shown.running) {
        await new Promise((done) => setTimeout(done, 1e3 * period));
        await this.attempt("study-lost", () => this.refresh());
      }
      if (this.shown.done || !this.shown.cases) await this.attempt("study-problem", () => this.report());
    }
  }
  Tenon.StudyView = StudyView;
})();
