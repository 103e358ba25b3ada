/* Why an atom is derived, or why it is not: the same questions and answers as `logicoder explain`.
 *
 * Level 0 holds the facts of the data, level i what the i-th program derives from the level below; `terms.js` says
 * what a term and an atom are. Nothing here touches the page. */
"use strict";

const Explaining = (() => {
  const DEPTH = 12;
  const MOST_COUNTED = 10000;
  const MOST_STEPS = 1000000;
  const WORDS = { true: "fact", false: "known false", unknown: "unknown" };
  const { Table, compares, free, grounded, isAnonymous, isSafe, isVariable, split, subsets, substituted, unified } = Terms;

  class Explainer {
    constructor(content) {
      this.content = content;
      this.symbols = content.symbols;
      this.numbers = new Map(content.symbols.map((symbol, number) => [symbol, number]));
      this.tables = new Map();
      this.steps = 0;
      this.recursive = content.levels.map((level) =>
        new Set(Object.keys(level.predicates).filter((name) => level.predicates[name].stages))
      );
    }

    /* -- levels ------------------------------------------------------------------------------------ */

    get last() {
      return this.content.levels.length - 1;
    }

    stored(level, predicate) {
      const known = this.content.levels[level].predicates;
      return Object.hasOwn(known, predicate) ? known[predicate] : null;
    }

    table(level, predicate, truth = "true") {
      const key = `${level} ${truth} ${predicate}`;
      let found = this.tables.get(key);
      if (!found) {
        const stored = this.stored(level, predicate);
        found = new Table(truth === "true" ? stored : stored && stored[truth], this.symbols.length);
        this.tables.set(key, found);
      }
      return found;
    }

    defines(level, predicate) {
      return level > 0 && this.content.levels[level].clauses.some((clause) => clause.head[0] === predicate);
    }

    homes(predicate) {
      const found = this.stored(0, predicate) ? [0] : [];
      for (let level = 1; level <= this.last; level++) if (this.defines(level, predicate)) found.push(level);
      return found;
    }

    source(level, predicate) {
      if (this.defines(level, predicate)) return level;
      return this.content.kept.includes(predicate) ? 0 : level - 1;
    }

    holds(level, atom, world) {
      return this.table(level, atom[0]).has(atom.slice(1), world);
    }

    /* -- joins ------------------------------------------------------------------------------------- */

    /* Whether a negated atom holds: known to be false, never merely unknown. */
    denied(level, atom, world, before) {
      const home = this.source(level, atom[0]);
      const terms = atom.slice(1);
      const stored = this.stored(home, atom[0]);
      if (before && this.recursive[level].has(atom[0])) {
        return !this.table(home, atom[0]).candidates(terms, world).some((row) =>
          this.table(home, atom[0]).stages[row] < before && this.table(home, atom[0]).matches(row, terms, {}));
      }
      if (stored && stored.open) return this.table(home, atom[0], "false").has(terms, world);
      return !this.table(home, atom[0]).has(terms, world) && !this.table(home, atom[0], "unknown").has(terms, world);
    }

    tested(level, literal, world, before) {
      const [name, ...terms] = literal.atom;
      if (literal.kind === "differ" && name === "\\=") return terms[0] !== terms[1];
      if (literal.kind === "differ") return compares(name, this.symbols[terms[0]], this.symbols[terms[1]]);
      return this.denied(level, [name, ...terms], world, before);
    }

    /* All bindings of a conjunction; the literal with the fewest candidates comes first, tests when they can. */
    *bindings(level, body, world, before, bound = {}) {
      const open = [];
      const waiting = [];
      for (const literal of body) {
        if (literal.kind === "holds") {
          open.push(literal);
          continue;
        }
        const test = { ...literal, atom: substituted(literal.atom, bound) };
        if (free(test).length) waiting.push(literal);
        else if (!this.tested(level, test, world, before)) return;
      }
      if (!open.length) {
        if (!waiting.length) yield bound;
        return;
      }
      let chosen = null;
      for (const literal of open) {
        const atom = substituted(literal.atom, bound);
        const table = this.table(this.source(level, atom[0]), atom[0]);
        const rows = table.candidates(atom.slice(1), world);
        if (!chosen || rows.length < chosen.rows.length) chosen = { literal, atom, table, rows };
      }
      const rest = [...open.filter((literal) => literal !== chosen.literal), ...waiting];
      const recursive = before && this.recursive[level].has(chosen.atom[0]);
      for (const row of chosen.rows) {
        if (++this.steps > MOST_STEPS) return;
        if (recursive && chosen.table.stages[row] >= before) continue;
        const more = { ...bound };
        if (chosen.table.matches(row, chosen.atom.slice(1), more)) {
          yield* this.bindings(level, rest, world, before, more);
        }
      }
    }

    /* The alternatives whose head is the atom, with their bodies under that binding. */
    *alternatives(level, atom) {
      for (const clause of this.content.levels[level].clauses) {
        const binding = unified(clause.head, atom);
        if (!binding) continue;
        for (const body of clause.bodies) {
          yield {
            clause: { head: clause.head, body },
            body: body.map((literal) => ({ ...literal, atom: substituted(literal.atom, binding) })),
          };
        }
      }
    }

    stage(level, atom, world) {
      if (!this.recursive[level].has(atom[0])) return 0;
      const table = this.table(level, atom[0]);
      return table.stages[table.first(atom.slice(1), world)];
    }

    *instances(level, atom, world) {
      const before = this.stage(level, atom, world);
      for (const { clause, body } of this.alternatives(level, atom)) {
        for (const binding of this.bindings(level, body, world, before)) {
          yield { clause, body: grounded(body, binding), holds: body.map(() => true) };
        }
      }
    }

    *nearMisses(level, atom, world) {
      for (const { clause, body } of this.alternatives(level, atom)) yield this.nearest(level, clause, body, world);
    }

    nearest(level, clause, body, world) {
      for (const chosen of subsets(body.length)) {
        const part = chosen.map((place) => body[place]);
        if (!isSafe(part)) continue;
        for (const binding of this.bindings(level, part, world, 0)) {
          const ground = grounded(body, binding);
          return { clause, body: ground, holds: ground.map((item) => this.verdict(level, item, world)) };
        }
      }
      return { clause, body, holds: body.map((item) => this.verdict(level, item, world)) };
    }

    verdict(level, literal, world) {
      if (literal.kind === "holds") return this.holds(this.source(level, literal.atom[0]), literal.atom, world);
      return free(literal).length ? null : this.tested(level, literal, world, 0);
    }

    /* -- answers ----------------------------------------------------------------------------------- */

    /* The answer about a ground atom. Joins that would take too long are broken off, and the answer says so. */
    explain(atom, world, limit = 3, depth = DEPTH) {
      this.steps = 0;
      const homes = this.homes(atom[0]);
      const first = homes[0];
      const last = homes[homes.length - 1];
      const withoutData = first === this.last && this.last > 1;
      const truth = withoutData ? "not a fact" : this.truth(first, atom, world);
      const rebuilt = last > 0 && this.holds(last, atom, world);
      const tree = last === 0
        ? { atom: this.atomText(atom), level: 0, derived: false, total: 0, cut: null, attempts: [] }
        : this.node(atom, world, last, depth, limit, { atoms: new Set(), failing: new Set() });
      return {
        atom: this.atomText(atom),
        interpretation: this.content.worlds[world],
        truth,
        rebuilt,
        verdict: this.verdictText(atom[0], homes, truth, rebuilt),
        tree,
        complete: this.steps <= MOST_STEPS,
      };
    }

    truth(level, atom, world) {
      for (const truth of ["true", "false", "unknown"]) {
        if (this.table(level, atom[0], truth).has(atom.slice(1), world)) return WORDS[truth];
      }
      const stored = this.stored(level, atom[0]);
      return stored && stored.open ? "unknown" : "not a fact";
    }

    verdictText(predicate, homes, truth, rebuilt) {
      const stored = this.stored(0, predicate);
      if (this.content.kept.includes(predicate)) return truth === "fact" ? "kept as it is" : "correctly absent";
      if (this.content.background.includes(predicate) || (stored && stored.background)) {
        return rebuilt || truth === "fact" ? "a background fact" : "not a background fact";
      }
      const withoutData = homes[0] === this.last && this.last > 1;
      if (homes[0] > 0 && homes.length === 1 && !withoutData) return rebuilt ? "a latent fact" : "not a latent fact";
      if (truth === "unknown") return `of unknown truth, ${rebuilt ? "reconstructed" : "not reconstructed"}`;
      if (truth === "fact") return rebuilt ? "reconstructed" : "missing";
      return rebuilt ? "false" : "correctly absent";
    }

    node(atom, world, level, depth, limit, seen) {
      const derived = this.holds(level, atom, world);
      if (derived && atom.some((term, place) => place > 0 && isVariable(term))) {
        const table = this.table(level, atom[0]);
        const row = table.first(atom.slice(1), world);
        atom = [atom[0], ...table.columns.map((column) => column[row])];
      }
      const text = this.atomText(atom);
      const made = { atom: text, level, derived, total: 0, cut: null };
      const ways = derived ? "derivations" : "attempts";
      made[ways] = [];
      const key = `${level} ${text}`;
      const failing = `${level} ${atom[0]}`;
      if (seen.atoms.has(key)) made.cut = "above";
      else if (!derived && seen.failing.has(failing)) made.cut = "again";
      else if (!depth) made.cut = "deep";
      if (made.cut) return made;
      const found = [];
      if (derived) {
        for (const instance of this.instances(level, atom, world)) {
          made.total += 1;
          if (found.length < limit) found.push(instance);
          if (made.total >= MOST_COUNTED) break;
        }
      } else {
        const attempts = [...this.nearMisses(level, atom, world)];
        made.total = attempts.length;
        const lacking = (way) => way.body.length - way.holds.filter(Boolean).length;
        attempts.sort((a, b) => lacking(a) - lacking(b) || a.body.length - b.body.length);
        found.push(...attempts.slice(0, limit));
      }
      seen.atoms.add(key);
      const below = derived ? seen : { atoms: seen.atoms, failing: new Set([...seen.failing, failing]) };
      made[ways] = found.map((way) => this.way(way, world, level, depth, limit, below));
      return made;
    }

    way(way, world, level, depth, limit, seen) {
      const literals = way.body.map((literal, place) => {
        const holds = way.holds[place];
        const text = this.literalText(literal);
        if (literal.kind === "differ" || holds === null) {
          const reason = holds === null ? "undecided" : holds ? "holds" : "does not hold";
          return { literal: text, holds, reason, because: null };
        }
        const source = this.source(level, literal.atom[0]);
        const positive = literal.kind === "holds";
        const present = holds === positive;
        // A negated literal that holds is told as absent; why it is absent would be another question.
        const because = source && (positive || !holds)
          ? this.node(literal.atom, world, source, depth - 1, present ? 1 : limit, seen)
          : null;
        const reason = this.reason(literal.atom, world, source, present);
        return { literal: text, holds, reason: positive ? reason : `it is ${reason}`, because };
      });
      return { clause: this.clauseText(way.clause), literals };
    }

    reason(atom, world, level, present) {
      if (level) return present ? "derived" : "not derived";
      if (present && this.holds(0, atom, world)) {
        const stored = this.stored(0, atom[0]);
        return this.content.kept.includes(atom[0]) && stored && stored.background ? "kept" : "fact";
      }
      return atom.slice(1).some(isVariable) ? "no such fact" : this.truth(0, atom, world);
    }

    /* -- texts ------------------------------------------------------------------------------------- */

    termText(term) {
      return isVariable(term) ? (isAnonymous(term) ? "_" : term.slice(1)) : this.symbols[term];
    }

    nameText(name) {
      return Object.hasOwn(this.content.names, name) ? this.content.names[name] : name;
    }

    atomText([name, ...terms]) {
      const inner = terms.map((term) => this.termText(term)).join(",");
      return terms.length ? `${this.nameText(name)}(${inner})` : this.nameText(name);
    }

    literalText({ kind, atom }) {
      if (kind === "differ") return `${this.termText(atom[1])} ${atom[0]} ${this.termText(atom[2])}`;
      return kind === "fails" ? `\\+ ${this.atomText(atom)}` : this.atomText(atom);
    }

    clauseText({ head, body }) {
      const inner = body.map((literal) => this.literalText(literal)).join(", ");
      return body.length ? `${this.atomText(head)} :- ${inner}.` : `${this.atomText(head)}.`;
    }

    /* Read a ground atom such as mother(padme,leia); null where it is none that the page knows. */
    read(text) {
      const trimmed = text.trim().replace(/\.$/, "");
      const names = new Map();
      for (const level of this.content.levels) {
        for (const name of [...Object.keys(level.predicates), ...level.clauses.map((clause) => clause.head[0])]) {
          names.set(this.nameText(name), name);
        }
      }
      const bare = names.get(trimmed);
      if (bare !== undefined) return this.arity(bare) === 0 ? [bare] : null;
      const parts = /^(.*?)\(([\s\S]*)\)$/.exec(trimmed);
      if (!parts || !names.has(parts[1].trim())) return null;
      const name = names.get(parts[1].trim());
      const terms = split(parts[2]).map((part) => this.numbers.get(part.trim()));
      return terms.includes(undefined) || terms.length !== this.arity(name) ? null : [name, ...terms];
    }

    arity(predicate) {
      for (const level of this.content.levels) {
        const clause = level.clauses.find((item) => item.head[0] === predicate);
        if (clause) return clause.head.length - 1;
        if (Object.hasOwn(level.predicates, predicate)) return level.predicates[predicate].arity;
      }
      return -1;
    }
  }

  return { Explainer };
})();
