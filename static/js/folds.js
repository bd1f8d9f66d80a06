// When a patch replaces an element, details that a person opened stay open and the
// focus stays where it was.
(() => {
  "use strict";
  if (!window.htmx) return;

  let focused = "";

  htmx.registerExtension("colloquy-folds", {
    htmx_before_swap: (_, detail) => {
      focused = document.activeElement ? document.activeElement.id : "";
      for (const task of detail.tasks) {
        for (const fresh of task.fragment.querySelectorAll("details[id]")) {
          const old = document.getElementById(fresh.id);
          if (old && old.open) fresh.open = true;
        }
      }
    },
    htmx_after_swap: () => {
      if (!focused || document.activeElement !== document.body) return;
      const again = document.getElementById(focused);
      if (again) again.focus({ preventScroll: true });
    },
    htmx_before_morph_attr: (element, detail) => !(element.tagName === "DETAILS" && detail.attrName === "open"),
  });
})();
