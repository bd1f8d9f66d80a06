// Counts down the seconds until a busy model is tried again. The sentence beside it
// names the whole time, so nothing is missing without scripts.
(() => {
  "use strict";

  const startedAt = new WeakMap();

  function secondsLeft(place) {
    if (!startedAt.has(place)) startedAt.set(place, performance.now());
    const elapsed = performance.now() - startedAt.get(place);
    return Math.ceil((Number(place.dataset.wait) - elapsed) / 1000);
  }

  // waiting reports whether the retry is the last entry of a running exchange.
  const waiting = (place) =>
    place.closest(".entry") === place.closest(".entries").lastElementChild &&
    place.closest(".card").querySelector('.card-foot[data-state="running"]');

  setInterval(() => {
    for (const place of document.querySelectorAll("[data-wait]:not([data-over])")) {
      const seconds = secondsLeft(place);
      const counting = seconds > 0 && waiting(place);
      place.textContent = counting ? " " + colloquy.text("seconds_left", { Seconds: seconds }) : "";
      if (!counting) place.dataset.over = "";
    }
  }, 250);
})();
