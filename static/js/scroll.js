// The page follows new text only while the reader is at its end. After scrolling up
// it stays where it is, and a button leads back to the end.
(() => {
  "use strict";

  const main = document.getElementById("main");
  const list = document.getElementById("exchanges");
  if (!main || !list) return;

  const latest = document.getElementById("latest");
  const key = "colloquy-scroll:" + location.pathname;
  const page = document.documentElement;
  const END_MARGIN = 64; // px from the end that count as the end

  const atEnd = () => page.scrollHeight - innerHeight - scrollY < END_MARGIN;
  let follows = !location.hash && sessionStorage.getItem(key) !== "no" && list.querySelector(".card") !== null;
  let lastY = scrollY;
  let pageHeight = page.scrollHeight;
  let windowHeight = innerHeight;
  if (follows) history.scrollRestoration = "manual"; // positions differ with the text size

  // wasResized reports whether the page shrank or the window changed since the last
  // call. The scroll event that follows is then not from the reader.
  function wasResized() {
    const resized = page.scrollHeight < pageHeight || innerHeight !== windowHeight;
    pageHeight = page.scrollHeight;
    windowHeight = innerHeight;
    return resized;
  }

  function toEnd() {
    scrollTo(0, page.scrollHeight);
    lastY = scrollY;
  }

  function updateButton() {
    if (latest) latest.hidden = follows || atEnd();
  }

  addEventListener("scroll", () => {
    const resized = wasResized();
    if (atEnd()) follows = true;
    else if (scrollY < lastY - 1 && !resized) follows = false;
    lastY = scrollY;
    updateButton();
  }, { passive: true });

  new ResizeObserver(() => {
    if (follows) toEnd();
    updateButton();
  }).observe(main);

  if (latest) {
    latest.addEventListener("click", () => {
      follows = true;
      toEnd();
      updateButton();
    });
  }
  document.addEventListener("colloquy:sent", () => {
    follows = true;
    toEnd();
    updateButton();
  });
  addEventListener("hashchange", () => {
    follows = false;
  });
  addEventListener("pagehide", () => sessionStorage.setItem(key, follows ? "yes" : "no"));
  addEventListener("load", () => follows && toEnd());
  if (document.fonts) document.fonts.ready.then(() => follows && toEnd());

  // Earlier exchanges are inserted above; the text being read keeps its place.
  let distanceToEnd = 0;
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.ctx.target && event.detail.ctx.target.id === "older") distanceToEnd = page.scrollHeight - scrollY;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!distanceToEnd) return;
    scrollTo(0, page.scrollHeight - distanceToEnd);
    lastY = scrollY;
    distanceToEnd = 0;
    const next = document.querySelector("#older a") || list.querySelector(".card");
    if (next) next.focus({ preventScroll: true });
  });
})();
