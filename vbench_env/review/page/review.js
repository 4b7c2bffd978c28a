"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const GATES = ["repaired", "preserved", "valid"];
  const ANSWERS = ["yes", "no", "unsure"];
  const ZOOMS = [1, 2, 4];
  const SIDES = [1400, 2800];
  const NAMES = { output: "Output", start: "Start", difference: "Difference", target: "Target" };

  let session = null;
  let at = 0; // place in the order, from 0
  let shown = null; // what the server says of the item at hand
  let view = "output";
  let zoom = 1;
  let active = "repaired";
  let unsaved = false;
  let busy = false; // while the next item is on its way, keys would go to the last one
  let turn = 0;
  const drafts = new Map(); // answers not saved yet, by item
  const seconds = new Map(); // time before the reviewer, by item
  const known = new Map(); // promises of items, by item
  let since = performance.now();

  // Talking to the server. A drawing comes as a picture or as text, and never becomes markup.
  const trouble = (text) => {
    $("trouble").hidden = !text;
    $("trouble").textContent = text || "";
  };
  const ask = async (path, body) => {
    let answer;
    try {
      const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      answer = await fetch(path, how);
    } catch {
      trouble("The review has been stopped. Run the same command again and open the address that it prints: what was saved is kept.");
      throw new Error("stopped");
    }
    const value = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
    if (!answer.ok) {
      trouble(`That did not work: ${value.error}`);
      throw new Error(value.error);
    }
    trouble("");
    return value;
  };
  const itemOf = (place) => session.items[place].item;
  const load = (place) => {
    const item = itemOf(place);
    if (!known.has(item)) {
      const promise = ask(`item/${item}`);
      promise.catch(() => known.delete(item));
      known.set(item, promise);
    }
    return known.get(item);
  };
  const address = (which) => `picture/${shown.item}/${which}/${SIDES[zoom > 1 ? 1 : 0]}.png`;

  // Time: only while the page is to be seen.
  const tick = () => {
    const now = performance.now();
    if (shown && !document.hidden && !$("work").hidden) seconds.set(shown.item, (seconds.get(shown.item) || 0) + (now - since) / 1000);
    since = now;
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      const now = performance.now();
      if (shown) seconds.set(shown.item, (seconds.get(shown.item) || 0) + (now - since) / 1000);
    }
    since = performance.now();
  });

  // The questions.
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const choice = (group, value, text, key, type = "radio") => {
    const label = element("label", "", value);
    const input = element("input");
    Object.assign(input, { type, name: group, value });
    label.append(input, element("kbd", key), element("span", text));
    return label;
  };
  for (const gate of GATES) {
    const box = document.querySelector(`[data-gate="${gate}"]`);
    ANSWERS.forEach((answer, place) => box.append(choice(gate, answer, answer[0].toUpperCase() + answer.slice(1), String(place + 1))));
  }
  for (let score = 0; score <= 4; score += 1) {
    const label = choice("score", String(score), String(score), "");
    label.querySelector("kbd").remove();
    $("scores").append(label);
  }
  const form = $("questions");
  const radio = (name, value) => form.querySelector(`input[name="${name}"][value="${value}"]`);
  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value ?? null;
  const rows = () => all("fieldset", form).filter((row) => !row.hidden);
  const rowOf = (name) => form.querySelector(`[data-row="${name}"]`);

  const draft = () => {
    const item = shown.item;
    if (!drafts.has(item)) {
      drafts.set(item, { repaired: null, preserved: null, valid: null, missed: [], score: null, comment: "", ...shown.answer, looked: [] });
    }
    return drafts.get(item);
  };
  const looked = (what) => {
    if (!draft().looked.includes(what)) draft().looked.push(what);
  };
  const read = () => {
    const kept = draft();
    for (const gate of GATES) kept[gate] = chosen(gate);
    rowOf("missed").hidden = kept.repaired !== "no" && kept.repaired !== "unsure";
    kept.missed = rowOf("missed").hidden ? [] : all("#missed input:checked").map((box) => Number(box.value));
    kept.score = chosen("score") === null ? null : Number(chosen("score"));
    kept.comment = $("comment").value;
  };
  const fill = () => {
    const kept = draft();
    for (const input of all("input", form)) input.checked = false;
    $("missed").replaceChildren(...shown.repairs.map((text, place) => {
      const line = element("li");
      line.append(choice("missed", String(place + 1), text, place < 9 ? String(place + 1) : "", "checkbox"));
      if (place >= 9) line.querySelector("kbd").remove();
      return line;
    }));
    for (const gate of GATES) if (kept[gate]) radio(gate, kept[gate]).checked = true;
    for (const number of kept.missed) radio("missed", number).checked = true;
    if (kept.score !== null) radio("score", kept.score).checked = true;
    $("comment").value = kept.comment;
    read();
  };
  const say = (text, bad = false) => {
    $("said").textContent = text;
    $("said").classList.toggle("bad", bad);
  };
  const activate = (name, focus = true) => {
    active = name;
    for (const row of all("fieldset", form)) row.classList.toggle("active", row.dataset.row === name);
    if (!focus) return;
    const row = rowOf(name);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const names = rows().map((row) => row.dataset.row);
    const to = names.indexOf(active) + by;
    if (to >= 0 && to < names.length) activate(names[to]);
  };
  const firstOpen = () => GATES.find((gate) => chosen(gate) === null);
  const answer = (digit) => {
    if (active === "missed") {
      const box = all("#missed input")[digit - 1];
      if (box) { box.checked = !box.checked; box.focus({ preventScroll: true }); read(); }
      return;
    }
    const input = active === "score" ? radio("score", digit) : radio(active, ANSWERS[digit - 1]);
    if (!input) return;
    input.checked = true;
    settled(active);
  };
  // After an answer: the question that follows from it, or the next one.
  const settled = (name) => {
    unsaved = true;
    read();
    say("");
    if (name === "repaired" && !rowOf("missed").hidden) {
      const boxes = all("#missed input");
      if (boxes.length === 1 && chosen("repaired") === "no") { boxes[0].checked = true; read(); }
    }
    if (name !== "score") step(1);
  };

  // The picture.
  const placeTarget = (state) => {
    $("target").hidden = !state.drawn;
    shown.pictures.target = state;
    if (state.drawn) $("target").src = address("target");
  };
  const paint = () => {
    const canvas = $("canvas");
    const needed = view === "difference" ? ["start", "output"] : [view];
    const lacking = needed.find((which) => shown.pictures[which] && !shown.pictures[which].drawn);
    canvas.dataset.view = lacking ? "none" : view;
    $("nothing").hidden = !lacking;
    if (lacking) $("nothing").replaceChildren(element("b", `The ${lacking} cannot be drawn`), element("span", shown.pictures[lacking].reason));
    $("caption").textContent = NAMES[view];
    for (const button of all("[data-view]", document.querySelector(".bar"))) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    const notes = view === "output" ? shown.pictures.output.notes.filter((note) => !shown.pictures.start.notes.includes(note)) : [];
    $("notes").hidden = !notes.length;
    $("notes").textContent = notes.length ? `The picture differs from the document: ${notes.join("; ")}` : "";
    $("target-name").textContent = shown.revealed ? "Target" : "Reveal target";
  };
  const see = async (wanted) => {
    if (wanted === "target") {
      if (!session.target) return;
      const item = shown.item;
      if (!shown.pictures.target) {
        const state = await ask(`reveal/${item}`, {});
        if (shown.item !== item) return;
        shown.revealed = true;
        placeTarget(state);
      }
    }
    if (wanted === "difference") looked("difference");
    view = wanted === view ? "output" : wanted;
    paint();
  };
  const zoomTo = (wanted, x = 0.5, y = 0.5) => {
    const stage = $("stage");
    zoom = Math.min(ZOOMS.at(-1), Math.max(1, wanted));
    $("canvas").style.setProperty("--zoom", zoom);
    $("canvas").classList.toggle("near", zoom === ZOOMS.at(-1));
    $("zoom-name").textContent = `${zoom}×`;
    $("zoom-out").disabled = zoom === 1;
    $("zoom-in").disabled = zoom === ZOOMS.at(-1);
    stage.scrollLeft = x * stage.scrollWidth - stage.clientWidth / 2;
    stage.scrollTop = y * stage.scrollHeight - stage.clientHeight / 2;
    pictures();
  };
  const middle = () => {
    const stage = $("stage");
    return [(stage.scrollLeft + stage.clientWidth / 2) / stage.scrollWidth, (stage.scrollTop + stage.clientHeight / 2) / stage.scrollHeight];
  };
  const cycle = (x, y) => zoomTo(zoom === ZOOMS.at(-1) ? 1 : zoom * 2, x, y);
  const pictures = () => {
    for (const which of ["start", "output", "target"]) {
      const image = $(which);
      const state = shown.pictures[which];
      if (state?.drawn) { if (image.getAttribute("src") !== address(which)) image.src = address(which); }
      else image.removeAttribute("src");
    }
  };

  // Source, on demand, as text.
  const showSource = async () => {
    const item = shown.item;
    looked("source");
    const found = await ask(`difference/${item}`);
    if (shown.item !== item) return;
    const lines = found.lines.map((line) => {
      const made = element("div", "", line.kind);
      made.append(line.head);
      if (line.mark) made.append(element("mark", line.mark));
      made.append(line.tail);
      return made;
    });
    if (found.note) lines.unshift(element("div", found.note, "note"));
    if (!lines.length) lines.push(element("div", "The source is the same.", "note"));
    $("lines").replaceChildren(...lines);
  };
  $("source").addEventListener("toggle", () => { if ($("source").open) showSource(); });

  // From item to item.
  const progress = () => {
    const done = session.items.filter((item) => item.judged).length;
    $("progress").max = session.items.length;
    $("progress").value = done;
    $("progress-text").textContent = `${done} of ${session.items.length} judged`;
  };
  const over = (finished) => {
    tick();
    $("over").hidden = !finished;
    $("work").hidden = finished;
    if (finished) $("over-title").focus();
  };
  const go = async (place) => {
    tick();
    turn += 1;
    const mine = turn;
    busy = true;
    const patience = setTimeout(() => say("Drawing the output …"), 400);
    let found;
    try {
      found = await load(place);
    } finally {
      clearTimeout(patience);
      if (mine === turn) busy = false;
    }
    if (mine !== turn) return;
    say("");
    at = place;
    shown = found;
    over(false);
    $("title").textContent = shown.title ? `${shown.place}. ${shown.title}` : `Output ${shown.place}`;
    $("instruction").textContent = shown.instruction;
    $("instruction").scrollTop = 0;
    $("canvas").style.setProperty("--ratio", shown.size[0] / shown.size[1]);
    $("source").open = false;
    $("lines").replaceChildren();
    document.querySelector('[data-view="target"]').hidden = !session.target;
    $("target").hidden = !shown.pictures.target?.drawn;
    $("back").disabled = at === 0;
    $("next").disabled = at === session.items.length - 1;
    view = "output";
    fill();
    paint();
    zoomTo(1);
    scrollTo(0, 0);
    activate(firstOpen() || "repaired");
    if (matchMedia("(max-width: 900px)").matches) scrollTo(0, 0);
    document.documentElement.dataset.item = shown.item;
    if (at + 1 < session.items.length) ahead(at + 1);
  };
  // The next pictures are drawn while this one is judged.
  const ahead = async (place) => {
    const next = await load(place).catch(() => null);
    if (!next) return;
    for (const which of ["start", "output"]) if (next.pictures[which].drawn) new Image().src = `picture/${next.item}/${which}/${SIDES[0]}.png`;
  };
  const openAfter = (place) => {
    const count = session.items.length;
    for (let by = 1; by <= count; by += 1) if (!session.items[(place + by) % count].judged) return (place + by) % count;
    return null;
  };
  let saving = false;
  const save = async () => {
    if (saving || busy || !shown || $("work").hidden) return;
    read();
    const open = firstOpen();
    if (open) {
      activate(open);
      say("This question is still open.", true);
      return;
    }
    saving = true;
    tick();
    const item = shown.item;
    try {
      const kept = draft();
      await ask("judge", { item, ...kept, looked: kept.looked, duration_s: Math.min(86400, Math.round(1000 * (seconds.get(item) || 0)) / 1000) });
      shown.answer = { ...kept, looked: undefined };
      seconds.delete(item);
      drafts.delete(item);
      unsaved = false;
      const first = !session.items[at].judged;
      session.items[at].judged = true;
      progress();
      const next = first ? openAfter(at) : at + 1 < session.items.length ? at + 1 : null;
      if (next === null) over(true);
      else await go(next);
      say(`Output ${session.items.findIndex((other) => other.item === item) + 1} is saved.`);
    } catch {
      say("Not saved.", true);
    } finally {
      saving = false;
    }
  };
  const move = (by) => {
    if ($("work").hidden) return;
    read();
    const to = at + by;
    if (to >= 0 && to < session.items.length) go(to);
  };

  // Hands on.
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  form.addEventListener("focusin", (event) => {
    const row = event.target.closest("fieldset");
    if (row) activate(row.dataset.row, false);
  });
  form.addEventListener("change", (event) => {
    unsaved = true;
    read();
    const name = event.target.name;
    if (name === "repaired" && chosen("repaired") === "no" && all("#missed input").length === 1) { all("#missed input")[0].checked = true; read(); }
    if (name) activate(name, false);
  });
  $("comment").addEventListener("input", read);
  $("back").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("again").addEventListener("click", () => go(0));
  for (const button of all("button[data-view]")) button.addEventListener("click", () => see(button.dataset.view));
  $("zoom-in").addEventListener("click", () => zoomTo(zoom * 2, ...middle()));
  $("zoom-out").addEventListener("click", () => zoomTo(zoom / 2, ...middle()));
  $("zoom-step").addEventListener("click", () => cycle(...middle()));
  $("canvas").addEventListener("click", (event) => {
    const box = $("canvas").getBoundingClientRect();
    if ($("nothing").hidden) cycle((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  $("help-open").addEventListener("click", () => $("help").showModal());

  const keys = {
    j: () => step(1), k: () => step(-1), n: () => move(1), p: () => move(-1),
    o: () => { if (view !== "output") see("output"); }, s: () => see("start"), d: () => see("difference"), t: () => see("target"),
    z: () => cycle(...middle()), "+": () => zoomTo(zoom * 2, ...middle()), "=": () => zoomTo(zoom * 2, ...middle()), "-": () => zoomTo(zoom / 2, ...middle()),
    x: () => { $("source").open = !$("source").open; },
    c: () => $("comment").focus(), "?": () => $("help").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (!shown || busy || $("help").open || event.isComposing) return;
    if (event.target === $("comment")) {
      if (event.key === "Escape") { event.preventDefault(); activate(firstOpen() || "score"); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || $("work").hidden) return;
    if (event.key === "Enter") {
      if (event.target.closest("button, summary, a")) return;
      event.preventDefault();
      if (!event.repeat) save();
      return;
    }
    if (!$("shortcuts").checked || event.repeat) return;
    const key = event.key.toLowerCase();
    if (/^[0-9]$/.test(key)) { event.preventDefault(); answer(Number(key)); }
    else if (keys[key]) { event.preventDefault(); keys[key](); }
  });
  addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });

  (async () => {
    session = await ask("session");
    $("reviewer").textContent = `as ${session.reviewer}`;
    progress();
    const first = session.items.findIndex((item) => !item.judged);
    if (first < 0) { await go(0); over(true); }
    else await go(first);
  })();
})();
