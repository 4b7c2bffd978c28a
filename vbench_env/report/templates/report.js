"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  all(".tools").forEach((tools) => { tools.hidden = false; });

  // One episode of a task at a time, by tabs (arrow keys move between them) or by a list.
  const choose = (panel, focus) => {
    const task = panel.closest("details.task");
    for (const other of all(".panel", task)) other.hidden = other !== panel;
    for (const tab of all('[role="tab"]', task)) {
      const chosen = tab.getAttribute("aria-controls") === panel.id;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) tab.focus();
    }
    for (const select of all(".pick select", task)) select.value = panel.id;
  };
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  for (const task of all("details.task")) {
    const first = task.querySelector(".panel");
    if (first) choose(first);
  }
  for (const list of all('[role="tablist"]')) {
    const tabs = all('[role="tab"]', list);
    list.addEventListener("click", (event) => {
      const tab = event.target.closest('[role="tab"]');
      if (tab) choose(panelOf(tab));
    });
    list.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined || at < 0) return;
      event.preventDefault();
      choose(panelOf(tabs.at(to % tabs.length)), true);
    });
  }
  for (const select of all(".pick select")) {
    select.addEventListener("change", () => choose(document.getElementById(select.value)));
  }

  // A link to a task or an episode opens what it is folded into.
  const reveal = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    if (place.matches(".panel")) choose(place);
    const task = place.closest("details.task");
    if (!task) return;
    task.open = true;
    task.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", reveal);
  reveal();

  // A picture that the task has already is in the page once.
  for (const image of all("img[data-like]")) {
    image.src = image.closest(".stage").querySelector(`:scope > figure.${image.dataset.like} img`).src;
  }

  // Tools over the list of tasks.
  const tasks = all("details.task");
  const find = document.getElementById("find");
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const task of tasks) task.hidden = !words.every((word) => task.dataset.find.includes(word));
    document.getElementById("none").hidden = tasks.some((task) => !task.hidden);
  });
  const unfold = document.getElementById("unfold");
  unfold.addEventListener("click", () => {
    const open = tasks.some((task) => !task.open);
    for (const task of tasks) task.open = open;
    unfold.textContent = open ? "Fold all" : "Open all";
  });
  const rings = document.getElementById("rings");
  rings.addEventListener("change", () => document.body.classList.toggle("bare", !rings.checked));

  // On paper every task is open.
  let before = [];
  addEventListener("beforeprint", () => {
    before = tasks.map((task) => [task, task.open]);
    for (const task of tasks) task.open = true;
  });
  addEventListener("afterprint", () => { for (const [fold, open] of before) fold.open = open; });
})();
