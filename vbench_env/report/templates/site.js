"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Rows of a table, filtered by outcome and by words.
  const prepare = (from) => {
    for (const tools of all(".tools", from)) {
      tools.hidden = false;
      const card = tools.closest(".card");
      const fields = all("[data-filter]", tools);
      if (!card || !fields.length) continue;
      const rows = all("tbody tr[data-find]", card);
      const filter = () => {
        const wanted = Object.fromEntries(fields.map((field) => [field.dataset.filter, field.value]));
        const words = (wanted.find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of rows) {
          const fits = (!wanted.status || row.dataset.status === wanted.status) && words.every((word) => row.dataset.find.includes(word));
          row.hidden = !fits;
          shown += fits;
        }
        tools.querySelector("[data-count]").textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
        const none = card.querySelector("[data-none]");
        if (none) none.hidden = shown > 0;
      };
      for (const field of fields) field.addEventListener("input", filter);
      filter();
    }
  };
  prepare(document);

  // Turns: one is current; keys go from one to the next.
  const turns = all("details.turn");
  let current = -1;
  const go = (to, quiet) => {
    if (to < 0 || to >= turns.length) return;
    turns[current]?.classList.remove("current");
    current = to;
    const turn = turns[to];
    turn.classList.add("current");
    turn.open = true;
    turn.querySelector("summary").focus({ preventScroll: true });
    turn.scrollIntoView({ block: "start" });
    if (!quiet && turn.id) history.replaceState(null, "", `#${turn.id}`);
  };
  const reveal = () => {
    const at = turns.findIndex((turn) => turn.id && `#${turn.id}` === location.hash);
    if (at >= 0) go(at, true);
  };
  addEventListener("hashchange", reveal);
  reveal();

  const fold = document.getElementById("fold");
  const foldAll = () => {
    const open = turns.some((turn) => !turn.open);
    for (const turn of turns) turn.open = open;
    fold.textContent = open ? "Fold all" : "Open all";
  };
  fold?.addEventListener("click", foldAll);

  const follow = (rel) => document.querySelector(`a[rel="${rel}"]`)?.click();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const inText = event.target.closest("pre");
    if (turns.length && (event.key === "j" || (event.key === "ArrowRight" && !inText))) go(current < 0 ? turns.findIndex((turn) => turn.id) : current + 1);
    else if (turns.length && (event.key === "k" || (event.key === "ArrowLeft" && !inText))) go(current - 1);
    else if (event.key === "n") follow("next");
    else if (event.key === "p") follow("prev");
    else if (event.key === "f" && fold) foldAll();
    else return;
    event.preventDefault();
  });

  // A page that is served while a run goes on looks every few seconds whether there is more.
  let version = document.body.dataset.live;
  const refresh = async () => {
    try {
      const state = await (await fetch("state")).json();
      if (String(state.version) === version || document.activeElement?.closest("main input")) return;
      const fresh = new DOMParser().parseFromString(await (await fetch("index.html")).text(), "text/html");
      const top = scrollY;
      for (const part of ["header.top", "main"]) document.querySelector(part).replaceWith(document.importNode(fresh.querySelector(part), true));
      prepare(document);
      version = fresh.body.dataset.live;
      document.body.dataset.live = version;
      scrollTo({ top, behavior: "instant" });
    } catch {
      const live = document.querySelector(".live");
      if (live) live.textContent = "the server has gone";
    }
  };
  if (version !== undefined) setInterval(refresh, 2000);

  let before = [];
  addEventListener("beforeprint", () => {
    before = turns.map((turn) => [turn, turn.open]);
    for (const turn of turns) turn.open = true;
  });
  addEventListener("afterprint", () => { for (const [turn, open] of before) turn.open = open; });
})();
