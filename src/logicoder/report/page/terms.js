/* Terms, literals and tables of facts: what explanations are made of.
 *
 * A term is a number (a constant, its place among the symbols) or a text (a variable, `?X`); an atom is
 * [predicate, ...terms]. Nothing here touches the page. */
"use strict";

const Terms = (() => {
  const DATE = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;
  const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
  const MOST_SUBSETS = 8;
  const isVariable = (term) => typeof term === "string";
  const isAnonymous = (term) => /^\?_Anonymous\d+$/.test(term);

  /* The atoms of one predicate on one level, with an index for each column that is asked for. */
  class Table {
    constructor(stored, symbols) {
      this.rows = stored ? stored.rows : 0;
      this.worlds = stored ? stored.worlds : null;
      this.columns = stored ? stored.columns : [];
      this.stages = stored && stored.stages ? stored.stages : null;
      this.symbols = symbols + 1;
      this.indexes = new Map();
    }

    world(row) {
      return this.worlds ? this.worlds[row] : 0;
    }

    index(place) {
      let found = this.indexes.get(place);
      if (!found) {
        found = new Map();
        const column = place < 0 ? null : this.columns[place];
        for (let row = 0; row < this.rows; row++) {
          const key = this.world(row) * this.symbols + (column ? column[row] : 0);
          const rows = found.get(key);
          if (rows) rows.push(row);
          else found.set(key, [row]);
        }
        this.indexes.set(place, found);
      }
      return found;
    }

    /* The shortest list of rows that can match, given which terms are constants. */
    candidates(terms, world) {
      let best = null;
      for (let place = 0; place < terms.length; place++) {
        if (isVariable(terms[place])) continue;
        const rows = this.index(place).get(world * this.symbols + terms[place]) || [];
        if (best === null || rows.length < best.length) best = rows;
      }
      return best === null ? this.index(-1).get(world * this.symbols) || [] : best;
    }

    /* Whether a row matches terms; values of variables are added to `bound`. */
    matches(row, terms, bound) {
      for (let place = 0; place < terms.length; place++) {
        const value = this.columns[place][row];
        const term = terms[place];
        if (!isVariable(term)) {
          if (term !== value) return false;
        } else if (term in bound) {
          if (bound[term] !== value) return false;
        } else {
          bound[term] = value;
        }
      }
      return true;
    }

    has(terms, world) {
      return this.first(terms, world) !== null;
    }

    first(terms, world) {
      for (const row of this.candidates(terms, world)) {
        if (this.matches(row, terms, {})) return row;
      }
      return null;
    }
  }

  /* Split the arguments of an atom at commas outside quotation marks. */
  function split(text) {
    return text.match(/(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,'"])+/g) || [];
  }

  function substituted(atom, binding) {
    return atom.map((term, place) => (place > 0 && isVariable(term) && term in binding ? binding[term] : term));
  }

  function grounded(body, binding) {
    return body.map((literal) => ({ ...literal, atom: substituted(literal.atom, binding) }));
  }

  /* What a clause's variables become when its head is an atom; the atom's variables are others. */
  function unified(head, atom) {
    if (head[0] !== atom[0] || head.length !== atom.length) return null;
    const values = new Map();
    const apart = (term) => (isVariable(term) ? `$ ${term}` : term);
    const root = (term) => {
      while (values.has(term)) term = values.get(term);
      return term;
    };
    for (let place = 1; place < head.length; place++) {
      const left = root(head[place]);
      const right = root(apart(atom[place]));
      if (left === right) continue;
      // A variable of the atom becomes one of the clause, so that only those are ever told.
      if (isVariable(right)) values.set(right, left);
      else if (isVariable(left)) values.set(left, right);
      else return null;
    }
    const found = {};
    for (const term of head.slice(1)) if (isVariable(term) && values.has(term)) found[term] = root(term);
    return found;
  }

  /* Variables that something else must bind; under negation, _ stands for whatever there is. */
  function free(literal) {
    return literal.atom.slice(1).filter((term) => isVariable(term) && (literal.kind === "differ" || !isAnonymous(term)));
  }

  function isSafe(body) {
    const known = new Set(body.filter((item) => item.kind === "holds").flatMap((item) => item.atom.slice(1)));
    return body.every((item) => item.kind === "holds" || free(item).every((term) => known.has(term)));
  }

  /* The parts of a body, the larger and earlier ones first, down to single literals. */
  function* subsets(size) {
    for (let length = size - 1; length > 0; length--) {
      if (size > MOST_SUBSETS) yield [...Array(length).keys()];
      else yield* combinations(size, length);
    }
  }

  function* combinations(size, length, start = 0) {
    if (!length) {
      yield [];
      return;
    }
    for (let first = start; first <= size - length; first++) {
      for (const rest of combinations(size, length - 1, first + 1)) yield [first, ...rest];
    }
  }

  /* What a constant is among ordered values: a number, a date, or a bin of either; see `ordered_values.py`. */
  function ordered(symbol) {
    const text = symbol.startsWith("'") ? symbol.slice(1, -1) : symbol;
    const bin = symbol.startsWith("'") && /^\[(.*)\.\.(.*)\)$/.exec(text);
    const ends = bin ? [bin[1], bin[2]] : [text, text];
    if (!bin && !(symbol.startsWith("'") ? DATE : NUMBER).test(text)) return null;
    if (!ends.every((end) => DATE.test(end) || NUMBER.test(end) || (bin && !end)) || !(ends[0] || ends[1])) return null;
    const dates = ends.filter((end) => DATE.test(end)).length;
    if (dates && dates !== ends.filter(Boolean).length) return null;
    const [low, high] = ends.map((end) => (!end ? null : dates ? moment(end) : Number(end)));
    return { kind: dates > 0, low, high, bin: Boolean(bin) };
  }

  function moment(text) {
    const found = text.replace("T", " ").replace(/\.0+$/, "");
    return found.length > 16 ? found : found.length === 10 ? `${found} 00:00:00` : `${found}:00`;
  }

  /* Whether two constants compare as an operator says; a bin does where all of its values do. */
  function compares(operator, left, right) {
    let [first, second] = [ordered(left), ordered(right)];
    if (!first || !second || first.kind !== second.kind) return false;
    if (operator.startsWith(">")) [first, second] = [second, first];
    const orEqual = operator.includes("=");
    const same = first.bin === second.bin && first.low === second.low && first.high === second.high;
    if (orEqual && same) return true;
    if (first.high === null || second.low === null) return false;
    return first.bin || orEqual ? first.high <= second.low : first.high < second.low;
  }

  return { Table, compares, free, grounded, isAnonymous, isSafe, isVariable, split, subsets, substituted, unified };
})();
