/* The fact browser: any fact by a search, and its derivation as a tree. Of many facts one page of a list is
 * shown at a time, so that the document stays small however large the data is. */
"use strict";

const Browser = (() => {
  const PAGE = 50;
  const DELAY = 120;
  const STATES = ["reconstructed", "missing", "false", "unknown", "background", "latent", "kept"];
  const WORDS = {
    "reconstructed": "a fact, and reconstructed",
    "missing": "a fact, but missing",
    "false": "not a fact, but reconstructed",
    "correctly absent": "not a fact, and not reconstructed",
    "kept as it is": "a fact, kept as it is",
  };
  const { make, say } = Page;
  const number = (count) => count.toLocaleString("en");

  /* All facts of all levels; explanations are found when they are asked for. */
  class AllFacts {
    constructor(content) {
      this.explainer = new Explaining.Explainer(content);
      this.content = content;
      this.worlds = content.worlds;
      this.parts = [];
      const { last } = this.explainer;
      content.levels.forEach((level, depth) => {
        for (const [name, stored] of Object.entries(level.predicates)) {
          if (depth === last && Object.hasOwn(content.levels[0].predicates, name)) {
            this.add(depth, name, stored, stored.added || [], (row) => this.stateOfAdded(name, stored, row));
          } else if (depth < last) {
            const missing = new Set(stored.missing || []);
            const known = depth > 0
              ? (content.background.includes(name) ? "background" : "latent")
              : content.kept.includes(name) ? "kept" : stored.background ? "background" : null;
            // Latents that a decoder rebuilds on the way down are those of the encoder again.
            if (depth > 0 && this.parts.some((part) => part.name === name)) continue;
            this.add(depth, name, stored, null, (row) => known || (missing.has(row) ? "missing" : "reconstructed"));
          }
        }
      });
      this.count = this.parts.reduce((sum, part) => sum + part.size, 0);
      this.lower = content.symbols.map((symbol) => symbol.toLowerCase());
      this.where = new Uint16Array(this.count);
      this.row = new Uint32Array(this.count);
      this.states = new Uint8Array(this.count);
      let place = 0;
      this.parts.forEach((part, index) => {
        for (let i = 0; i < part.size; i++, place++) {
          this.where[place] = index;
          this.row[place] = part.rows ? part.rows[i] : i;
          this.states[place] = STATES.indexOf(part.state(this.row[place]));
        }
      });
    }

    add(level, name, stored, rows, state) {
      const size = rows ? rows.length : stored.rows;
      if (size) this.parts.push({ level, name, stored, rows, state, size });
    }

    stateOfAdded(name, stored, row) {
      const atom = [name, ...stored.columns.map((column) => column[row])];
      const truth = this.explainer.truth(0, atom, stored.worlds ? stored.worlds[row] : 0);
      return truth === "unknown" ? "unknown" : "false";
    }

    get predicates() {
      return [...new Set(this.parts.map((part) => part.name))].sort();
    }

    predicate(place) { return this.parts[this.where[place]].name; }
    predicateText(name) { return this.explainer.nameText(name); }
    state(place) { return STATES[this.states[place]]; }
    world(place) {
      const { stored } = this.parts[this.where[place]];
      return stored.worlds ? stored.worlds[this.row[place]] : 0;
    }
    atom(place) {
      const part = this.parts[this.where[place]];
      return [part.name, ...part.stored.columns.map((column) => column[this.row[place]])];
    }
    text(place) { return this.explainer.atomText(this.atom(place)); }
    answer(place) { return this.explainer.explain(this.atom(place), this.world(place)); }

    /* A test of places for words of a search: each must be part of the predicate or of an argument. */
    matcher(words) {
      const tests = words.map((word) => {
        const symbols = new Uint8Array(this.lower.length);
        this.lower.forEach((symbol, index) => { symbols[index] = symbol.includes(word); });
        const names = this.parts.map((part) => this.predicateText(part.name).toLowerCase().includes(word));
        return { symbols, names };
      });
      return (place) => {
        const index = this.where[place];
        const { columns } = this.parts[index].stored;
        const row = this.row[place];
        return tests.every(({ symbols, names }) => names[index] || columns.some((column) => symbols[column[row]]));
      };
    }

    /* Questions about an atom that need not be a fact. */
    asked(text) {
      const atom = this.explainer.read(text);
      if (!atom) return [];
      return this.worlds.map((_, world) => ({
        text: this.explainer.atomText(atom), world, answer: () => this.explainer.explain(atom, world),
      }));
    }
  }

  /* Some facts of large data, with explanations that were made beforehand. */
  class SomeFacts {
    constructor(content) {
      this.content = content;
      this.worlds = content.worlds;
      this.answers = content.answers;
      this.count = content.answers.length;
      this.lower = content.answers.map((answer) => answer.atom.toLowerCase());
    }
    get predicates() { return [...new Set(this.answers.map((_, place) => this.predicate(place)))].sort(); }
    predicate(place) { return this.answers[place].atom.replace(/\([\s\S]*$/, ""); }
    predicateText(name) { return name; }
    state(place) { return this.answers[place].state; }
    world(place) { return this.worlds.indexOf(this.answers[place].interpretation); }
    text(place) { return this.answers[place].atom; }
    answer(place) { return this.answers[place]; }
    matcher(words) { return (place) => words.every((word) => this.lower[place].includes(word)); }
    asked() { return []; }
  }

  /* -- trees ------------------------------------------------------------------------------------------ */

  const code = (text) => make("code", {}, make("bdi", { text }));

  function tag(holds, reason) {
    const [kind, sign] = holds === null ? ["maybe", "?"] : holds ? ["yes", "✓"] : ["no", "✗"];
    return make("span", { class: `tag ${kind}`, text: `${sign} ${reason}` });
  }

  function remark(node) {
    const cuts = { above: "see above", again: "and so on", deep: "deeper than shown" };
    if (node.cut) return cuts[node.cut];
    return (node.derivations || node.attempts).length ? "" : "no clause for it";
  }

  function ways(node) {
    const shown = node.derivations || node.attempts;
    const list = make("ul", {});
    for (const way of shown) {
      const steps = make("ul", {});
      for (const step of way.literals) {
        const item = make("li", {}, code(step.literal), " ", tag(step.holds, step.reason));
        if (step.because) {
          const more = remark(step.because);
          if (more) item.append(make("span", { class: "by", text: ` (${more})` }));
          if (!step.because.cut && (step.because.derivations || step.because.attempts).length) item.append(ways(step.because));
        }
        steps.append(item);
      }
      list.append(make("li", {}, make("span", { class: "by", text: node.derived ? "by " : "it would need " }), code(way.clause), steps));
    }
    if (node.total > shown.length) {
      const more = node.total - shown.length;
      const what = node.derived ? "way" : "clause";
      list.append(make("li", { class: "by", text: `and ${number(more)} more ${what}${more > 1 ? "s" : ""}` }));
    }
    return list;
  }

  function usedNames(node, found = new Set()) {
    for (const way of node.derivations || node.attempts) {
      for (const step of way.literals) {
        found.add(step.literal.replace(/^\\\+ /, "").replace(/\([\s\S]*$/, ""));
        if (step.because) usedNames(step.because, found);
      }
    }
    return found;
  }

  function panelOf(answer, several, glosses) {
    const where = several ? make("span", {}, " in ", make("bdi", { text: answer.interpretation })) : null;
    const heading = make("h3", { id: "derivation", tabindex: "-1" }, code(answer.atom));
    const state = { fact: "", "correctly absent": "background" }[answer.verdict] ?? answer.verdict.split(" ")[0];
    const kind = STATES.includes(state) ? state : answer.verdict.startsWith("a latent") ? "latent" : "background";
    const verdict = make("p", {}, make("span", { class: `tag ${kind}`, text: WORDS[answer.verdict] || answer.verdict }));
    if (where) verdict.append(where);
    const more = remark(answer.tree);
    const tree = make("div", { class: "tree" }, ways(answer.tree));
    const broken = answer.complete === false
      ? make("p", { class: "note", text: "There are too many combinations to look at them all: this is a part of the answer." })
      : null;
    const parts = [heading, verdict, more ? make("p", { class: "note", text: more }) : null, broken, tree];
    const known = [...usedNames(answer.tree)].filter((name) => Object.hasOwn(glosses, name));
    if (known.length) {
      const list = make("dl", { class: "glosses" });
      for (const name of known) list.append(make("dt", { text: name }), make("dd", {}, make("bdi", { text: glosses[name] })));
      parts.push(list);
    }
    return parts.filter(Boolean);
  }

  /* -- the list ---------------------------------------------------------------------------------------- */

  function start(content) {
    const root = document.getElementById("browser");
    if (!root || !content) return null;
    const facts = content.answers ? new SomeFacts(content) : new AllFacts(content);
    const find = (name) => root.querySelector(`[data-part="${name}"]`);
    const [search, predicate, state, world] = ["search", "predicate", "state", "world"].map(find);
    const [list, told, panel, back, forth, where] = ["results", "count", "panel", "back", "forth", "page"].map(find);
    let found = [];
    let asked = [];
    let page = 0;
    let chosen = null;

    for (const name of facts.predicates) predicate.append(make("option", { value: name, text: facts.predicateText(name) }));
    const present = new Set(Array.from({ length: facts.count }, (_, place) => facts.state(place)));
    for (const name of STATES) if (present.has(name)) state.append(make("option", { value: name, text: name }));
    facts.worlds.forEach((name, index) => world.append(make("option", { value: index, text: name })));
    world.closest("label").hidden = facts.worlds.length < 2;

    function select() {
      const text = search.value.trim();
      const words = text.toLowerCase().split(/[\s,()]+/).filter(Boolean);
      const matches = facts.matcher(words);
      found = [];
      for (let place = 0; place < facts.count; place++) {
        if (predicate.value && facts.predicate(place) !== predicate.value) continue;
        if (state.value && facts.state(place) !== state.value) continue;
        if (world.value !== "" && facts.world(place) !== Number(world.value)) continue;
        if (matches(place)) found.push(place);
      }
      // What is spelled out comes first.
      const exact = text.replace(/[\s.]+/g, "").toLowerCase();
      if (exact.includes("(") && found.length <= 5000) {
        const starts = (place) => (facts.text(place).replace(/\s+/g, "").toLowerCase().startsWith(exact) ? 0 : 1);
        found.sort((one, other) => starts(one) - starts(other) || one - other);
      }
      const shown = new Set(found.slice(0, 200).map((place) => `${facts.world(place)} ${facts.text(place)}`));
      asked = facts.asked(text).filter((item) =>
        !shown.has(`${item.world} ${item.text}`) && (world.value === "" || item.world === Number(world.value))).slice(0, 5);
      page = 0;
      show();
      told.textContent = `${number(found.length)} of ${number(facts.count)} facts, latent ones included`;
    }

    function button(text, kind, interpretation, open) {
      const made = make("button", { type: "button", "aria-pressed": "false" }, code(text),
        make("span", {}, facts.worlds.length > 1 ? make("bdi", { class: "quiet", text: `${interpretation} ` }) : null,
          make("span", { class: `tag ${kind}`, text: kind === "asked" ? "ask" : kind })));
      made.addEventListener("click", () => {
        if (chosen) chosen.setAttribute("aria-pressed", "false");
        chosen = made;
        made.setAttribute("aria-pressed", "true");
        const answer = open();
        window.history.replaceState(null, "", `#fact=${encodeURIComponent(text)}`);
        panel.replaceChildren(...panelOf(answer, facts.worlds.length > 1, content.glosses || {}));
        // On a phone the panel lies below the list: without this nothing would seem to happen.
        if (panel.getBoundingClientRect().top > window.innerHeight - 120) panel.scrollIntoView({ block: "start" });
        say(`${answer.atom}: ${WORDS[answer.verdict] || answer.verdict}. Its derivation follows the list.`);
      });
      return make("li", {}, made);
    }

    function show() {
      const first = page * PAGE;
      const items = found.slice(first, first + PAGE).map((place) =>
        button(facts.text(place), facts.state(place), facts.worlds[facts.world(place)], () => facts.answer(place)));
      if (page === 0) {
        items.unshift(...asked.map((item) => button(item.text, "asked", facts.worlds[item.world], item.answer)));
      }
      list.replaceChildren(...items);
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      where.textContent = `Page ${number(page + 1)} of ${number(pages)}`;
      back.disabled = page === 0;
      forth.disabled = page >= pages - 1;
    }

    /* All facts that were found, on whatever page. */
    function save() {
      const several = facts.worlds.length > 1;
      const rows = found.map((place) =>
        [facts.text(place), facts.state(place), ...(several ? [facts.worlds[facts.world(place)]] : [])]);
      Page.saveCsv("facts", Page.csv([["fact", "state", ...(several ? ["interpretation"] : [])], ...rows]));
    }

    function turn(step) {
      page += step;
      show();
      say(where.textContent);
    }

    let timer = 0;
    search.addEventListener("input", () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(select, DELAY);
    });
    search.form.addEventListener("submit", (event) => {
      event.preventDefault();
      window.clearTimeout(timer);
      select();
    });
    for (const choice of [predicate, state, world]) choice.addEventListener("change", select);
    back.addEventListener("click", () => turn(-1));
    forth.addEventListener("click", () => turn(1));
    find("export").addEventListener("click", save);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const buttons = [...list.querySelectorAll("button")];
      const next = buttons[buttons.indexOf(document.activeElement) + step];
      if (next) {
        event.preventDefault();
        next.focus();
      }
    });
    /* A link such as #fact=mother(padme,leia) leads to the fact and its derivation, #facts=mother to all of them. */
    function follow() {
      const linked = /^#(facts?)=(.+)$/.exec(window.location.hash);
      if (!linked) return;
      let wanted = "";
      try {
        wanted = decodeURIComponent(linked[2]);
      } catch {
        return;
      }
      const every = linked[1] === "facts";
      search.value = every ? "" : wanted;
      for (const choice of [predicate, state, world]) choice.value = "";
      if (every) predicate.value = wanted;
      select();
      root.scrollIntoView({ block: "start" });
      if (every) return;
      const first = [...list.querySelectorAll("button")].find((made) => made.querySelector("code").textContent === search.value);
      if (first) first.click();
    }
    window.addEventListener("hashchange", follow);
    select();
    follow();
    return facts;
  }

  return { start };
})();

Page.start();
window.logicoder = Browser.start(JSON.parse(document.getElementById("facts-data").textContent));
