// How long a model that was busy is waited for, counted down on the card. The
// words stand there without it; this is only for those who watch.
(() => {
  "use strict";

  const since = new WeakMap();

  function left(place) {
    if (!since.has(place)) since.set(place, performance.now());
    return Math.ceil((Number(place.dataset.wait) - (performance.now() - since.get(place))) / 1000);
  }

  const waiting = (place) =>
    place.closest(".entry") === place.closest(".entries").lastElementChild &&
    place.closest(".card").querySelector('.card-foot[data-state="running"]');

  setInterval(() => {
    for (const place of document.querySelectorAll("[data-wait]:not([data-over])")) {
      const seconds = left(place);
      const on = seconds > 0 && waiting(place);
      place.textContent = on ? ` ${seconds} s to go` : "";
      if (!on) place.dataset.over = "";
    }
  }, 250);
})();
