// A screen reader hears which agent has finished and how a run ended, not every word.
// stream.js calls patched after each patch.
colloquy.patched = (() => {
  "use strict";

  const floors = new Map(); // state of the windows last seen, by id
  const states = new Map(); // state of the cards last seen, by id
  let scheduled = 0;
  function schedule() {
    if (!scheduled) scheduled = requestAnimationFrame(announceChanges);
  }
  function announceChanges() {
    scheduled = 0;
    for (const card of [...document.querySelectorAll("#exchanges > .card")].slice(-2)) {
      for (const head of card.querySelectorAll(".window-head")) {
        const floor = head.dataset.floor;
        const was = floors.get(head.id);
        floors.set(head.id, floor);
        if (was && was !== "closed" && floor === "closed") {
          colloquy.announce(colloquy.text("finished", { Agent: head.querySelector(".name").textContent }));
        }
      }
      const foot = card.querySelector(".card-foot");
      const state = foot && foot.dataset.state;
      const was = states.get(card.id);
      states.set(card.id, state);
      if (was && was !== state && state !== "running") {
        colloquy.announce(foot.querySelector(".verdict-words b").textContent + ".");
      }
    }
  }
  announceChanges();

  return schedule;
})();
