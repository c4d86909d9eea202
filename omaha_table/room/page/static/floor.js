// Keeps the tiles up to date, counts waiting times, and says when the page is not up to date.
"use strict";
const root = document.documentElement;
const kept = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key) || "";
  } catch { return ""; }
};

// Light or dark: as the device says, until somebody chooses.
if (kept("theme")) root.dataset.theme = kept("theme");
document.getElementById("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = kept("theme", dark ? "light" : "dark");
});

// A form is sent once, however often the button is pressed.
for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", () => print());
}

const state = document.getElementById("state");
const list = document.getElementById("tiles");
const felt = document.getElementById("felt");
let ahead = state ? Number(state.dataset.now) - Date.now() / 1000 : 0;
const now = () => Date.now() / 1000 + ahead;

function waited(seconds) {
  const s = Math.max(0, Math.floor(seconds)), m = Math.floor(s / 60), h = Math.floor(m / 60);
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m % 60)} h` : `${m}:${two(s % 60)}`;
}
function tick() {
  for (const time of document.querySelectorAll("time[data-since]")) {
    const text = waited(now() - Number(time.dataset.since));
    if (time.textContent !== text) time.textContent = text;
  }
}
tick();
setInterval(tick, 1000);

// Somebody is here: the session goes on.
let told = Date.now();
if (state) {
  const here = () => {
    if (Date.now() - told < 60000) return;
    told = Date.now();
    fetch("/here", { method: "POST", body: new URLSearchParams({ csrf: state.dataset.csrf }) });
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, here, { passive: true });
}

let heard = Date.now(), roomSaid = "", ended = "";
function showState() {
  if (!state) return;
  const silent = (Date.now() - heard) / 1000;
  let said = ended || roomSaid;
  if (!said && silent > 12) said = `Not up to date: no connection for ${waited(silent)}.`;
  if (state.textContent !== said) state.textContent = said;
  document.body.classList.toggle("stale", Boolean(said));
}

// Sound and vibration when a table calls the floor, once somebody has asked for them: a browser
// makes no sound before that.
const sound = document.getElementById("sound");
let audio = null;
sound?.addEventListener("click", () => {
  audio = audio ? (audio.close(), null) : new AudioContext();
  sound.textContent = audio ? "Sound on" : "Sound off";
  sound.setAttribute("aria-pressed", String(Boolean(audio)));
  if (audio) ring(1);
});
function ring(times) {
  if (!audio) return;
  for (let at = 0; at < times; at++) {
    const tone = audio.createOscillator(), level = audio.createGain();
    const begin = audio.currentTime + at * 0.35;
    tone.frequency.value = 880;
    level.gain.setValueAtTime(0.2, begin);
    level.gain.exponentialRampToValueAtTime(0.001, begin + 0.3);
    tone.connect(level).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.3);
  }
  navigator.vibrate?.([300, 100, 300]);
}

const section = document.getElementById("section"), needy = document.getElementById("needy");
function filter() {
  let shown = 0;
  for (const tile of list.children) {
    const fits = (!section.value || tile.dataset.section === section.value)
      && (!needy.checked || tile.dataset.level);
    tile.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  document.getElementById("no-tiles").hidden = shown > 0;
}
if (list) {
  // A wall screen has nothing to open: it shows tiles alone.
  if (state.dataset.wall) list.addEventListener("click", (event) => event.preventDefault());
  section.value = kept("section");
  if (section.selectedIndex < 0) section.value = "";
  needy.checked = kept("needy") === "yes";
  section.addEventListener("change", () => { kept("section", section.value); filter(); });
  needy.addEventListener("change", () => { kept("needy", needy.checked ? "yes" : ""); filter(); });
  filter();
}

function takeTiles(given) {
  const calls = () => list.querySelectorAll("[data-level=call]:not([hidden])").length;
  const before = calls(), holder = document.createElement("ol");
  if (given.now) ahead = given.now - Date.now() / 1000;
  for (const one of given.tiles) {
    holder.innerHTML = one.html;
    const fresh = holder.firstElementChild, old = document.getElementById(`tile-${one.id}`);
    if (!old) { list.append(fresh); continue; }
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (focused) fresh.querySelector("a").focus({ preventScroll: true });
  }
  if (given.all) {
    const known = new Set(given.order.map((name) => `tile-${name}`));
    for (const tile of [...list.children]) if (!known.has(tile.id)) tile.remove();
  }
  // Moved and not only shown elsewhere, so that the keyboard goes through them in this order. Only
  // what is out of place moves: what somebody is about to touch stays where it is.
  given.order.forEach((name, at) => {
    const tile = document.getElementById(`tile-${name}`);
    if (tile && list.children[at] !== tile) {
      const focused = tile.contains(document.activeElement);
      list.insertBefore(tile, list.children[at] || null);
      if (focused) tile.querySelector("a").focus({ preventScroll: true });
    }
  });
  if (given.seats !== undefined) document.getElementById("open-seats").innerHTML = given.seats;
  filter();
  tick();
  if (calls() > before) ring(3);
}

function listen(address, kinds) {
  let source = null;
  const open = () => {
    source = new EventSource(address);
    for (const [kind, take] of Object.entries(kinds)) {
      source.addEventListener(kind, (event) => {
        heard = Date.now();
        take(JSON.parse(event.data));
        showState();
      });
    }
    source.addEventListener("error", () => {
      // Refused, not lost: the browser does not ask again by itself.
      if (source.readyState === EventSource.CLOSED && !ended) setTimeout(open, 3000);
    });
  };
  open();
  setInterval(showState, 1000);
  addEventListener("pagehide", () => source.close());
}
const common = {
  beat: (given) => { ahead = given.now - Date.now() / 1000; },
  room: (given) => { roomSaid = given.away ? `Not up to date. ${given.said}` : ""; },
  signed_out: () => { ended = "You were signed out. Load the page to sign in again."; },
  full: () => { ended = "Too many pages are open. Close some, and load this one again."; },
};
if (list) listen("/events", { ...common, tiles: takeTiles });
if (felt) {
  listen(felt.dataset.events, {
    ...common,
    felt: (given) => { felt.innerHTML = given.html; tick(); },
  });
}
