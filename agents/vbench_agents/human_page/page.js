"use strict";
// The page of the web desk. State comes from the server; everything of the document is shown as text or as a PNG.

const $ = id => document.getElementById(id);
const WHOLE = [0, 0, 1, 1];
const SURE = "Really hand in?";
let state = {version: 0, objects: [], log: [], tools: []};
let tools = {};
let chosen = null, pointed = null;       // labels of objects
let show = "now", held = false, part = WHOLE, busy = false;
let told = 0;                            // turns whose outcome has been shown

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
const find = label => state.objects.find(object => object.label === label);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Turns

async function act(action) {
  if (busy || state.over) return;
  setBusy(true);
  const body = typeof action === "string" ? action : JSON.stringify(action);
  try {
    const answer = await fetch("act", {method: "POST", body});
    if (!answer.ok) { setBusy(false); say("error", "The last move is still under way."); }
  } catch { setBusy(false); lost(); }
}
const call = (tool, args = {}) => act({tool, args});

function setBusy(on) {
  busy = on;
  for (const id of ["run", "undo", "submit", "rewrite"]) $(id).disabled = on;
  if (on) $("turn").textContent = "working ...";
}
function say(kind, text) { $("outcome").replaceChildren(make("pre", {className: kind === "error" ? "bad" : "", textContent: text})); }
function lost() { say("error", "The program that served this page has ended."); }

async function follow() {
  for (;;) {
    try {
      const next = await (await fetch("state?after=" + state.version)).json();
      if (next.version > state.version) { state = next; setBusy(false); update(); }
    } catch { lost(); await new Promise(done => setTimeout(done, 3000)); }
  }
}

function update() {
  state.objects ||= []; state.log ||= []; state.tools ||= [];
  if (chosen && !find(chosen)) chosen = null;
  $("task").textContent = state.task ? `${state.task}, protocol ${state.protocol}` : "Waiting for the episode";
  $("instruction").textContent = state.instruction || "";
  $("source").value = state.svg || "";
  turnbox(); outcome(); toolList(); objectList(); details(); pictures();
  if (state.over) verdict();
}

function turnbox() {
  const left = state.turns_left ?? 0;
  $("left").textContent = state.turn === undefined ? "" : left + (left === 1 ? " turn left" : " turns left");
  $("turn").textContent = state.turn === undefined ? "" : `now turn ${state.turn}`;
  $("turnbox").classList.toggle("low", left <= 3);
}

function outcome() {
  const entry = state.log[state.log.length - 1];
  if (entry) $("outcome").replaceChildren(...turn(entry));
  if (state.log.length > told && matchMedia("(max-width: 1000px)").matches) $("lastbox").scrollIntoView({block: "nearest"});
  told = state.log.length;
  $("logbox").hidden = state.log.length < 2;
  $("log").replaceChildren(...state.log.slice(0, -1).reverse().map(item => make("li", {value: item.turn}, ...turn(item))));
}
function turn(entry) {
  const bad = Boolean(entry.error);
  return [make("div", {className: "did soft", textContent: brief(entry.action)}),
    make("pre", {className: bad ? "bad" : "", textContent: bad ? entry.error : entry.result})];
}
function brief(action) {
  try {
    const {tool, args} = JSON.parse(action);
    const parts = Object.entries(args || {}).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    return `${tool} ${parts.join("  ")}`.slice(0, 300);
  } catch { return action.slice(0, 300); }
}

// Pictures

function pictures() {
  const mode = held ? "start" : show;
  for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === mode));
  if (!state.size) return;
  const shown = mode === "both" ? ["start", "now"] : [mode];
  $("pictures").replaceChildren(...shown.map(which => figure(which, shown.length)));
  rings();
}

function figure(which, count) {
  const [width, height] = which === "start" ? state.start_size : state.size;
  const frame = make("div", {className: "frame" + (which === "changes" ? " changes" : "")});
  frame.style.aspectRatio = `${width} / ${height}`;
  frame.style.maxWidth = `calc(max(100vh - 16rem, 20rem) * ${(width / height).toFixed(4)})`;
  frame.append(image(which === "start" ? "start" : "now", frame));
  if (which === "changes") { const over = image("start", frame); over.className = "over"; frame.append(over); }
  frame.dataset.which = which;
  pointer(frame);
  const names = {now: "Now", start: "At the start", changes: "Black where nothing has changed"};
  const made = make("figure", {}, frame);
  if (count > 1 || which === "changes" || held) made.append(make("figcaption", {textContent: names[which]}));
  return made;
}

function image(which, frame) {
  const query = new URLSearchParams({v: which === "now" ? state.version : 0});
  if (part !== WHOLE) query.set("part", part.map(number => number.toFixed(5)).join(","));
  const address = `${which}.png?${query}`;
  const picture = make("img", {src: address, alt: which === "now" ? "The drawing as it is now" : "The drawing at the start", draggable: false});
  picture.addEventListener("error", async () => {
    const reason = await (await fetch(address)).text();
    frame.replaceChildren(make("p", {textContent: reason}));
  }, {once: true});
  return picture;
}

function rings() {
  for (const frame of document.querySelectorAll(".frame")) {
    frame.querySelectorAll(".ring").forEach(ring => ring.remove());
    if (frame.dataset.which === "start" && !held && show === "start") continue;
    if (frame.dataset.which !== "now") continue;
    for (const [label, kind] of [[pointed, "ring pointed"], [chosen, "ring"]]) {
      const object = label && find(label);
      if (object && object.box) frame.append(ring(object.box, kind));
    }
  }
}
function ring(box, kind) {
  const made = make("div", {className: kind});
  const places = [(box[0] - part[0]) / part[2], (box[1] - part[1]) / part[3], box[2] / part[2], box[3] / part[3]];
  const [left, top, width, height] = places.map(share => (100 * share).toFixed(3) + "%");
  Object.assign(made.style, {left: `calc(${left} - 4px)`, top: `calc(${top} - 4px)`, width: `calc(${width} + 8px)`, height: `calc(${height} + 8px)`});
  return made;
}

function pointer(frame) {
  let from = null, moved = false;
  const place = event => { const box = frame.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]; };
  frame.addEventListener("pointerdown", event => { from = {at: place(event), part}; moved = false; });
  frame.addEventListener("pointermove", event => {
    if (!from || part === WHOLE) return;
    const at = place(event), dx = at[0] - from.at[0], dy = at[1] - from.at[1];
    if (Math.abs(dx) + Math.abs(dy) < .01) return;
    moved = true; frame.classList.add("moving");
    frame.querySelectorAll("img").forEach(picture => { picture.style.transform = `translate(${100 * dx}%, ${100 * dy}%)`; });
    frame.querySelectorAll(".ring").forEach(made => made.remove());
  });
  frame.addEventListener("pointerup", event => {
    if (from && moved) { const at = place(event);
      zoomTo([from.part[0] - (at[0] - from.at[0]) * part[2], from.part[1] - (at[1] - from.at[1]) * part[3], part[2], part[3]]);
    } else if (from && frame.dataset.which !== "start") { const [x, y] = place(event); pick(part[0] + x * part[2], part[1] + y * part[3]); }
    from = null;
  });
  frame.addEventListener("pointerleave", () => { if (moved) pictures(); from = null; });
}
// The smallest thing under the pointer; on a second click the next larger one.
function pick(x, y) {
  const under = state.objects.filter(({box}) => box && x >= box[0] && y >= box[1] && x <= box[0] + box[2] && y <= box[1] + box[3]);
  const area = ({box, leaf}) => box[2] * box[3] * (leaf ? 1 : 1.0001);
  under.sort((one, two) => area(one) - area(two));
  const at = under.findIndex(({label}) => label === chosen);
  if (under.length) choose(under[(at + 1) % under.length].label, true);
}

function zoomTo(wanted) {
  const size = clamp(Math.max(wanted[2], wanted[3]), .02, 1);
  const middle = [wanted[0] + wanted[2] / 2, wanted[1] + wanted[3] / 2];
  part = size >= 1 ? WHOLE : [...middle.map(value => clamp(value - size / 2, 0, 1 - size)), size, size];
  pictures();
}
function zoomBy(factor) { const size = part[2] / factor;
  const object = part === WHOLE && chosen && find(chosen), box = object && object.box;
  const middle = box ? [box[0] + box[2] / 2, box[1] + box[3] / 2] : [part[0] + part[2] / 2, part[1] + part[3] / 2];
  zoomTo([middle[0] - size / 2, middle[1] - size / 2, size, size]);
}

// Objects

function objectList() {
  const wanted = $("filter").value.trim().toLowerCase();
  const found = state.objects.filter(object => !wanted || `${object.name} ${object.label} ${object.text || ""} ${object.paint}`.toLowerCase().includes(wanted));
  $("count").textContent = wanted ? `${found.length} of ${state.objects.length}` : `${state.objects.length}, topmost last`;
  $("objects").replaceChildren(...found.map(object => row(object, !wanted)));
  mark();
}
function row(object, indented) {
  const swatch = make("span", {className: "swatch"});
  const paint = object.fill !== "none" ? object.fill : object.stroke;
  const painted = object.leaf && !["use", "image"].includes(object.name);
  if (painted && CSS.supports("color", paint)) swatch.style.background = paint;
  const path = object.label.includes("/");
  const text = object.text ? `“${object.text}”` : path ? object.label.split("/").slice(-2).join("/") : object.name;
  const button = make("button", {type: "button", title: object.paint}, swatch,
    make("span", {textContent: path ? object.name : object.label}), make("span", {className: "soft", textContent: text}));
  button.dataset.label = object.label;
  if (indented) button.style.paddingLeft = `${.5 + Math.min(object.depth, 8) * .8}rem`;
  button.addEventListener("click", () => choose(object.label));
  button.addEventListener("pointerenter", () => { pointed = object.label; rings(); });
  button.addEventListener("pointerleave", () => { pointed = null; rings(); });
  return make("li", {}, button);
}
function mark() {
  for (const button of $("objects").querySelectorAll("button")) button.setAttribute("aria-current", String(button.dataset.label === chosen));
}
function choose(label, scroll = false) {
  const before = chosen;
  chosen = label;
  mark(); details(); rings();
  for (const field of $("fields").querySelectorAll("[name=object]")) if (!field.value || field.value === before) field.value = label;
  const button = scroll && [...$("objects").querySelectorAll("button")].find(item => item.dataset.label === label);
  if (button) $("objects").scrollTop = button.offsetTop - $("objects").clientHeight / 2;
}

function details() {
  const object = chosen && find(chosen);
  $("chosenbox").hidden = !object || state.over;
  if (!object) return;
  $("chosen").textContent = object.label.includes("/") ? `${object.name} at ${object.label}` : `${object.name} ${object.label}`;
  $("look").disabled = !object.box;
  $("facts").textContent = (object.where ? `box ${object.where} · ` : "") + object.paint;
  const rows = [];
  for (const [name, value] of object.attributes) {
    if (name === "style" && tools.set_style) rows.push(...declarations(object));
    else if (tools.set_attribute) rows.push(...editable(name, value, text => call("set_attribute", {object: object.label, name, value: text})));
  }
  if (object.text !== null && object.leaf && tools.set_text) rows.push(...editable("text", object.text, text => call("set_text", {object: object.label, text})));
  $("attributes").replaceChildren(...rows);
}
function declarations(object) {
  return object.style.flatMap(([name, value]) => editable("style " + name, value,
    text => call("set_style", {object: object.label, property: name, value: text})));
}
// A name, a field and a button that appears once the value differs.
function editable(name, value, send) {
  const field = make("input", {value, spellcheck: false, autocomplete: "off"});
  field.setAttribute("aria-label", name);
  const button = make("button", {type: "button", textContent: "Set", title: "One turn"});
  const changed = () => button.classList.toggle("ready", field.value !== value);
  field.addEventListener("input", changed);
  field.addEventListener("keydown", event => { if (event.key === "Enter" && field.value !== value) send(field.value);
    if (event.key === "Escape") { field.value = value; changed(); } });
  button.addEventListener("click", () => send(field.value));
  return [make("span", {textContent: name}), field, button];
}

// The form of a tool

function toolList() {
  const names = state.tools.map(tool => tool.name).join();
  if (names === Object.keys(tools).join()) return;
  tools = Object.fromEntries(state.tools.map(tool => [tool.name, tool]));
  const hidden = new Set(["submit", "rewrite", "undo"]);
  const groups = [["edit", "Change the drawing"], ["look", "Look"], ["control", "Control"]];
  $("tool").replaceChildren(...groups.map(([group, label]) => make("optgroup", {label},
    ...state.tools.filter(tool => tool.group === group && !hidden.has(tool.name)).map(tool => new Option(tool.name.replaceAll("_", " "), tool.name)))));
  $("tool").value = tools.move ? "move" : $("tool").options[0].value;
  $("undo").hidden = !tools.undo; $("rewrite").hidden = !tools.rewrite;
  fields();
}
const LONG = new Set(["svg", "patch", "markup", "d", "points", "find", "replace"]);
function fields() {
  const tool = tools[$("tool").value];
  if (!tool) return;
  $("about").textContent = tool.about;
  const {properties = {}, required = []} = tool.schema;
  $("fields").replaceChildren(...Object.entries(properties).map(([name, about]) => input(name, about, required.includes(name))));
  const object = $("fields").querySelector("[name=object]");
  if (object && chosen) object.value = chosen;
}
function input(name, about, needed) {
  const kinds = [about, ...(about.anyOf || [])], choices = kinds.flatMap(kind => kind.enum || []);
  const type = kinds.map(kind => kind.type).find(kind => kind && kind !== "null");
  let field;
  if (type === "boolean") field = make("input", {type: "checkbox", checked: about.default === true});
  else if (choices.length && !kinds.some(kind => kind.type === "array")) field = make("select", {}, ...(needed ? [] : [new Option(`(${about.default ?? "none"})`, "")]), ...choices.map(choice => new Option(choice, choice)));
  else if (LONG.has(name) || name === "calls") field = make("textarea", {rows: name === "d" || name === "points" ? 3 : 5, spellcheck: false});
  else field = make("input", {autocomplete: "off", spellcheck: false});
  field.name = name; field.title = about.description || "";
  if ("placeholder" in field) field.placeholder = needed ? "" : about.default === null || about.default === undefined ? "optional" : `${JSON.stringify(about.default)} if left empty`;
  field.dataset.type = choices.length ? "string" : type || "json";
  const label = make("label", {title: about.description || ""}), title = name.replaceAll("_", " ");
  if (type === "boolean") { label.className = "tick"; label.append(field, title); }
  else label.append(title, field);
  return label;
}
function values() {
  const args = {};
  for (const field of $("fields").querySelectorAll("input, select, textarea")) {
    if (field.type === "checkbox") args[field.name] = field.checked;
    else if (field.value === "" && field.placeholder !== "") continue;
    else if (field.dataset.type === "string") { if (field.value !== "" || field.tagName !== "SELECT") args[field.name] = field.value; }
    else { try { args[field.name] = JSON.parse(field.value); } catch { args[field.name] = field.value; } }
  }
  return args;
}

// The verdict

function verdict() {
  const score = state.score;
  for (const id of ["turnbox", "toolbox", "chosenbox", "rewrite"]) $(id).hidden = true;
  $("scorebox").hidden = false;
  if (!score) { $("verdict").textContent = "No verdict: " + (state.failure || "the scorer failed"); return; }
  $("verdict").textContent = score.reward ? "Solved: all three gates pass" : "Not solved: " + score.status.toLowerCase().replaceAll("_", " ");
  $("verdict").className = score.reward ? "good" : "bad";
  const gates = [["valid", "Valid file"], ["repaired", "Every repair made"], ["preserved", "Nothing else changed"]];
  $("gates").replaceChildren(...gates.map(([key, text]) => make("div", {}, text,
    make("strong", {textContent: score[key] ? "✓ pass" : "✗ fail", className: score[key] ? "good" : "bad"}))));
  const repairs = score.repairs.map(item => [`${item.passed ? "✓" : "✗"} ${item.object}: ${item.operation}${item.passed ? "" : ", " + (item.failure || "missed").replaceAll("_", " ")}`, item.passed]);
  const changes = score.changes.slice(0, 30).map(item => [`✗ ${item.object}: ${item.subtype.replaceAll("_", " ")} ${item.detail}`, false]);
  const ends = {submit: "You handed in.", turns: "The turns are used up.", format_errors: "Too many messages could not be read."};
  const end = make("p", {className: "soft small", textContent: `${ends[state.stop_reason] || "The episode is over."} You can close this page.`});
  $("reasons").replaceChildren(end, ...list("What was asked for", repairs), ...list("What else changed", changes));
}
function list(title, items) {
  if (!items.length) return [];
  return [make("h3", {textContent: title}), make("ul", {}, ...items.map(([text, good]) => make("li", {textContent: text, className: good ? "good" : "bad"})))];
}

// Wiring

for (const button of document.querySelectorAll("[data-show]")) button.addEventListener("click", () => { show = button.dataset.show; pictures(); });
$("in").addEventListener("click", () => zoomBy(2));
$("out").addEventListener("click", () => zoomBy(.5));
$("fit").addEventListener("click", () => zoomTo(WHOLE));
$("look").addEventListener("click", () => { const box = find(chosen).box, size = Math.max(box[2], box[3]) * 1.6;
  zoomTo([box[0] + box[2] / 2 - size / 2, box[1] + box[3] / 2 - size / 2, size, size]); });
$("filter").addEventListener("input", objectList);
$("tool").addEventListener("change", fields);
$("form").addEventListener("submit", event => { event.preventDefault(); call($("tool").value, values()); });
$("undo").addEventListener("click", () => call("undo"));
$("submit").addEventListener("click", () => {
  if ($("submit").textContent === SURE) { call("submit"); return; }
  $("submit").textContent = SURE;
  setTimeout(() => { $("submit").textContent = "Hand in"; }, 4000);
});
$("rewrite").addEventListener("click", () => act($("source").value));
const typing = event => /INPUT|TEXTAREA|SELECT/.test(event.target.tagName);
const hold = on => { if (held !== on) { held = on; pictures(); } };
document.addEventListener("keydown", event => { if (event.key === "s" && !typing(event) && !event.ctrlKey && !event.metaKey) hold(true); });
document.addEventListener("keyup", event => { if (event.key === "s") hold(false); });
window.addEventListener("blur", () => hold(false));
follow();
