"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  document.documentElement.classList.add("js");
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

  // The produced picture can be held against the other two, in its own place.
  for (const figure of all("figure.produced")) {
    const frame = figure.querySelector(".frame:not(.empty)");
    const stage = figure.closest(".stage");
    if (!frame || stage.classList.contains("alone")) continue;
    const over = document.createElement("img");
    over.className = "over";
    over.alt = "";
    over.hidden = true;
    frame.querySelector("img").after(over);
    const row = document.createElement("div");
    row.className = "flip";
    const views = [["Produced", null], ["Corrupted", "corrupted"], ["Target", "target"], ["Difference", "target"]];
    const buttons = views.map(([name, kind], place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      if (place === 3) button.title = "Produced and target laid over each other: what is black is the same";
      button.setAttribute("aria-pressed", String(place === 0));
      button.addEventListener("click", () => {
        const shown = kind && stage.querySelector(`:scope > figure.${kind} img`);
        over.hidden = !shown;
        if (shown) over.src = shown.src;
        frame.classList.toggle("differs", place === 3);
        buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      });
      row.append(button);
      return button;
    });
    frame.after(row);
  }

  // Pointing at a repair or a change lights up its ring everywhere in the task.
  const light = (event, on) => {
    const item = event.target.closest?.("[data-r]");
    const task = item?.closest("details.task");
    if (!task) return;
    for (const other of all(`[data-r="${CSS.escape(item.dataset.r)}"]`, task)) other.classList.toggle("hot", on);
    task.classList.toggle("pointing", on);
  };
  addEventListener("mouseover", (event) => light(event, true));
  addEventListener("mouseout", (event) => light(event, false));

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
