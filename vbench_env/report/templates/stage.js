"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  document.documentElement.classList.add("js");

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
    const task = item?.closest(".scope");
    if (!task) return;
    for (const other of all(`[data-r="${CSS.escape(item.dataset.r)}"]`, task)) other.classList.toggle("hot", on);
    task.classList.toggle("pointing", on);
  };
  addEventListener("mouseover", (event) => light(event, true));
  addEventListener("mouseout", (event) => light(event, false));
})();
