// Starts the page of a server: sign-in, list of sessions, records and studies, and the one that the address names.
"use strict";
(function () {
  const find = (id) => document.getElementById(id), make = Tenon.make;
  const TOKEN = "tenon-token", REFRESH = 3;  // [s]
  const needsToken = document.querySelector("meta[name=tenon-tokens]").content === "required";

  /** The token of this tab, "" without one; a link brings it as #token=…, which leaves the address at once. */
  function takeToken() {
    const given = /[#&]token=([^&]+)/.exec(location.hash);
    if (given) {
      sessionStorage.setItem(TOKEN, decodeURIComponent(given[1]));
      const rest = location.hash.replace(given[0], "").replace(/^#?&?/, "");
      history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
    }
    return sessionStorage.getItem(TOKEN) || "";
  }
  let token = takeToken();

  class Refused extends Error {}  // the token is missing or wrong

  async function load(path) {
    const headers = token ? {Authorization: `Bearer ${token}`} : {};
    const answer = await fetch(path, {headers, cache: "no-store"});
    if (answer.status === 401 || answer.status === 403) throw new Refused((await answer.text()).trim());
    return answer;
  }
  async function loadBytes(path) {
    const answer = await load(path);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    if (answer.headers.get("Content-Type") === "application/json") return {ended: await answer.json()};
    return {bytes: new Uint8Array(await answer.arrayBuffer())};
  }

  /** Waits for a token that the server accepts. `problem`: why the last one was not. */
  async function signIn(problem) {
    document.body.classList.remove("loading");
    document.body.classList.add("start");
    find("start").hidden = find("sign-in").hidden = false;
    find("lists").hidden = true;
    find("sign-in-problem").hidden = !problem;
    find("sign-in-problem").textContent = problem || "";
    find("token").focus();
    await new Promise((done) => find("sign-in").addEventListener("submit", (event) => {
      event.preventDefault();
      done();
    }, {once: true}));
    token = find("token").value.trim();
    find("token").value = "";
    sessionStorage.setItem(TOKEN, token);
    find("sign-in").hidden = true;
  }
  /** `body()`, again after a sign-in while the token is refused. */
  async function signedIn(body) {
    if (needsToken && !token) await signIn("");
    for (;;) {
      try {
        return await body();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await signIn(error.message);
      }
    }
  }

  // --- list
  const sizeText = (bytes) => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  function item(path, session, notes) {
    const link = make("a", make("b", session.title || `Session ${session.id}`), make("span", notes.filter(Boolean).join(" · ")));
    link.href = path + session.id;
    return make("li", link);
  }
  function showList({client, role, sessions, records, studies}) {
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    find("running").replaceChildren(...sessions.map((one) => item("/sessions/", one,
      [one.scene, count(one.parts, "part"), count(one.goals, "goal"), one.owner && `by ${one.owner}`])));
    find("records").replaceChildren(...records.map((one) => item("/records/", one,
      [new Date(one.written).toLocaleString(), sizeText(one.bytes), one.owner && `by ${one.owner}`, one.ended])));
    find("studies").replaceChildren(...studies.map((one) => item("/studies/", one, Tenon.studyNotes(one))));
    if (!studies.length) find("studies").append(make("li.note", "There is no study."));
    if (!sessions.length) find("running").append(make("li.note", "No session runs."));
    if (!records.length) find("records").append(make("li.note", "There is no record yet."));
    find("client").textContent = client ? `Signed in as ${client} (${role}).` : "";
  }
  async function refreshList() {
    try {
      const answer = await load("/data/list");
      if (!answer.ok) throw new Error((await answer.text()).trim());
      showList(await answer.json());
      find("server-problem").hidden = true;
    } catch (error) {
      if (error instanceof Refused) throw error;
      find("server-problem").textContent = "The server does not answer; trying again.";
      find("server-problem").hidden = false;
    }
  }
  async function openList() {
    document.body.classList.remove("loading");
    document.body.classList.add("start");
    find("start").hidden = false;
    find("title").textContent = "Tenon";
    await signedIn(refreshList);
    find("lists").hidden = false;
    setInterval(() => document.hidden || refreshList().catch(() => location.reload()), 1e3 * REFRESH);
  }

  // --- a record or a running session
  function addBackLink() {
    const link = make("a.back", "All sessions");
    link.href = "/";
    find("title").before(link);
  }
  function recordLink(record) {
    const link = make("a", "Open its record");
    link.href = `/records/${record}`;
    return record ? [make("br"), link] : [];
  }
  async function openDocument(path) {
    addBackLink();
    Tenon.showMessage("Reading the session …");
    const answer = await signedIn(() => loadBytes(path));
    document.body.classList.remove("start");
    find("start").hidden = true;
    return answer;
  }

  async function openLive(id) {
    const {bytes, ended} = await openDocument(`/data/sessions/${id}`);
    if (ended) {
      document.body.classList.remove("loading");
      find("title").textContent = ended.title;
      Tenon.showMessage(`This session has ended: ${ended.ended}.`, ...recordLink(ended.record));
      return null;
    }
    const session = new Tenon.LiveSession(bytes), pill = find("outcome");
    let viewer = null, pointing = null, connection = null, failure = "", fresh = [], pending = 0;
    const show = (text, kind) => {
      pill.textContent = text;
      pill.className = `pill ${kind}`;
    };
    const showPace = () => {
      if (failure) show(`Stopped: ${failure}`, "bad");
      else if (session.paused) show("Live: paused", "none");
      else show(session.speed === 1 || !session.playing ? "Live" : `Live at ${+session.speed.toFixed(2)}×`, "good");
    };
    const addLiveButton = () => {
      const button = make("button", "Live");
      button.id = "live-button";
      button.title = "Follow the running session (End)";
      button.addEventListener("click", () => viewer.follow());
      find("caption").before(button);
      viewer.onFollow = (on) => button.setAttribute("aria-pressed", on);
      viewer.onFollow(true);
      viewer.showPlaying();
    };
    const open = () => {
      document.body.classList.add("live");
      viewer = new Tenon.Viewer(session);
      addLiveButton();
      if (viewer.view) pointing = new Tenon.Pointing(viewer.view, (part, at) => connection.point(part, at));
    };
    // Several frames that came together are drawn once.
    const grow = () => {
      if (pending) return;
      pending = requestAnimationFrame(() => {
        pending = 0;
        const events = fresh;
        fresh = [];
        viewer.grow(events);
        showPace();
      });
    };
    return new Promise((done, failed) => {
      connection = new Tenon.LiveConnection(id, token, {
        connected: () => session.reconnected(),
        frame: (data) => {
          session.add(data);
          if (!viewer) {
            open();
            done(viewer);
          }
          Tenon.showMessage("");
          grow();
        },
        events: (events) => {
          session.events.push(...events);
          fresh.push(...events);
        },
        point: (point) => pointing && pointing.add(point),
        failure: (text) => (failure = text),
        ended: (reason, record) => {
          show(`Ended: ${reason}`, "wait");
          session.live = false;
          if (viewer) viewer.setFollows(false);
          if (viewer) viewer.showPlaying();
          for (const id of ["live-button", "point-button"]) if (find(id)) find(id).hidden = true;
          Tenon.showMessage(`The session has ended: ${reason}.`, ...recordLink(record));
        },
        refused: (text) => {
          show("Disconnected", "bad");
          Tenon.showMessage(text);
          if (!viewer) failed(new Error(text));
        },
        lost: (wait) => {
          show("Connection lost", "bad");
          Tenon.showMessage(`The server does not answer; trying again in ${wait} s.`);
        },
      });
      Object.assign(Tenon, {connection, session, pointers: () => pointing.points.map(({part, at, name}) => ({part, at, name}))});
    });
  }
  async function openStudy(id) {
    const PERIOD = 1;  // [s]
    addBackLink();
    find("start").hidden = false;
    document.body.classList.add("start");
    const view = new Tenon.StudyView(id, load);
    await signedIn(() => view.refresh());
    document.body.classList.remove("loading");
    find("start").hidden = false;
    Object.assign(window.tenon, {study: view, ended: view.follow(PERIOD)});
  }
  async function openRecord(id) {
    return Tenon.openRecord((await openDocument(`/data/records/${id}`)).bytes);
  }

  Tenon.publish(async () => {
    const [, kind, id] = location.pathname.split("/");
    const open = {sessions: openLive, records: openRecord, studies: openStudy}[kind] || openList;
    return open(id);
  });
})();
