// The page follows the newest words only while the reader is at its end.
// Scrolling up is never fought; a button leads back.
(() => {
  "use strict";

  const main = document.getElementById("main");
  const list = document.getElementById("exchanges");
  if (!main || !list) return;

  const latest = document.getElementById("latest");
  const key = "colloquy-scroll:" + location.pathname;
  const page = document.documentElement;
  const NEAR = 64; // px from the end that count as the end

  const atEnd = () => page.scrollHeight - innerHeight - scrollY < NEAR;
  let follows = !location.hash && sessionStorage.getItem(key) !== "no" && list.querySelector(".card") !== null;
  let last = scrollY;
  let high = page.scrollHeight;
  let tall = innerHeight;
  if (follows) history.scrollRestoration = "manual"; // the place of another text size is none

  // moved reports that the page or its window became smaller: then the place
  // changed, and nobody has scrolled.
  function moved() {
    const smaller = page.scrollHeight < high || innerHeight !== tall;
    high = page.scrollHeight;
    tall = innerHeight;
    return smaller;
  }

  function toEnd() {
    scrollTo(0, page.scrollHeight);
    last = scrollY;
  }

  function mark() {
    if (latest) latest.hidden = follows || atEnd();
  }

  addEventListener("scroll", () => {
    const resized = moved();
    if (atEnd()) follows = true;
    else if (scrollY < last - 1 && !resized) follows = false;
    last = scrollY;
    mark();
  }, { passive: true });

  new ResizeObserver(() => {
    if (follows) toEnd();
    mark();
  }).observe(main);

  if (latest) {
    latest.addEventListener("click", () => {
      follows = true;
      toEnd();
      mark();
    });
  }
  document.addEventListener("colloquy:sent", () => {
    follows = true;
    toEnd();
    mark();
  });
  addEventListener("hashchange", () => {
    follows = false;
  });
  addEventListener("pagehide", () => sessionStorage.setItem(key, follows ? "yes" : "no"));
  addEventListener("load", () => follows && toEnd());
  if (document.fonts) document.fonts.ready.then(() => follows && toEnd());

  // Older exchanges come in above; what is being read stays where it is.
  let below = 0;
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.ctx.target && event.detail.ctx.target.id === "older") below = page.scrollHeight - scrollY;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!below) return;
    scrollTo(0, page.scrollHeight - below);
    last = scrollY;
    below = 0;
    const next = document.querySelector("#older a") || list.querySelector(".card");
    if (next) next.focus({ preventScroll: true });
  });
})();
