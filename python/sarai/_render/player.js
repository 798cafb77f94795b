// The board is an animated SVG that stands still here: to show a position is to set its clock to the middle of the time
// at which that position is shown.
"use strict";
{
  const at = (id) => document.getElementById(id);
  const { seconds, labels } = JSON.parse(at("game").textContent);
  const board = document.querySelector("#board > svg");
  const last = labels.length - 1;
  let place = 0;
  let timer = null;

  const show = (to) => {
    place = Math.min(Math.max(to, 0), last);
    board.setCurrentTime((place + 0.5) * seconds);
    at("place").value = place;
    at("place").setAttribute("aria-valuetext", labels[place]);
    at("label").textContent = labels[place];
    at("count").textContent = `${place} of ${last}`;
    at("first").disabled = at("back").disabled = place === 0;
    at("next").disabled = at("last").disabled = place === last;
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    at("play").textContent = "Play";
    at("label").setAttribute("aria-live", "polite");
  };
  const wait = () => {
    timer = setTimeout(() => {
      show(place + 1);
      if (place < last) wait();
      else pause();
    }, (seconds * 1000) / Number(at("speed").value));
  };
  const play = () => {
    if (place === last) show(0);
    at("play").textContent = "Pause";
    // Nobody could listen as fast as it plays.
    at("label").setAttribute("aria-live", "off");
    wait();
  };
  const toggle = () => (timer === null ? play() : pause());
  const go = (to) => {
    pause();
    show(to);
  };
  const asked = {
    first: () => go(0),
    back: () => go(place - 1),
    next: () => go(place + 1),
    last: () => go(last),
    play: toggle,
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play" };

  for (const id of Object.keys(asked)) at(id).addEventListener("click", asked[id]);
  for (const jump of document.querySelectorAll("#jumps button")) {
    jump.addEventListener("click", () => {
      go(Number(jump.value));
      board.scrollIntoView({ block: "nearest" });
    });
  }
  at("place").addEventListener("input", (event) => go(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    const on = event.target.tagName;
    // A button knows the space bar, and a list of choices all of these keys.
    if (event.ctrlKey || event.altKey || event.metaKey || on === "SELECT") return;
    if (!Object.hasOwn(keys, event.key) || (event.key === " " && on === "BUTTON")) return;
    event.preventDefault();
    asked[keys[event.key]]();
  });

  at("place").max = last;
  board.pauseAnimations();
  for (const part of document.querySelectorAll("#controls, #jumps")) part.hidden = false;
  show(0);
}
