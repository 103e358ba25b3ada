/* What makes the page handy: lit paths, tables that sort, filters, buttons that copy. Without it the page still
 * says everything but the fact browser. Texts go into the page as text, never as markup. */
"use strict";

const Page = (() => {
  const status = document.getElementById("status");

  function say(text) {
    status.textContent = "";
    window.setTimeout(() => { status.textContent = text; }, 30);
  }

  function make(name, options = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(options)) {
      if (key === "class") made.className = value;
      else if (key === "text") made.textContent = value;
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  /* -- the architecture ------------------------------------------------------------------------------ */

  function lightPaths(picture) {
    const nodes = [...picture.querySelectorAll("[data-node]")];
    const byPlace = new Map(nodes.map((node) => [node.dataset.node, node]));
    const edges = [...picture.querySelectorAll("[data-from]")];
    const after = new Map();
    const before = new Map();
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      if (!after.has(from)) after.set(from, []);
      if (!before.has(to)) before.set(to, []);
      after.get(from).push([edge, to]);
      before.get(to).push([edge, from]);
    }

    function reach(start, ways, found) {
      const todo = [start];
      const seen = new Set(todo);
      while (todo.length) {
        for (const [edge, place] of ways.get(todo.pop()) || []) {
          found.add(edge);
          found.add(byPlace.get(place));
          if (!seen.has(place)) {
            seen.add(place);
            todo.push(place);
          }
        }
      }
    }

    function light(node) {
      const found = new Set([node]);
      reach(node.dataset.node, after, found);
      reach(node.dataset.node, before, found);
      for (const item of [...nodes, ...edges]) item.classList.toggle("lit", found.has(item));
      picture.classList.add("lighting");
    }

    function dark() {
      picture.classList.remove("lighting");
      for (const item of [...nodes, ...edges]) item.classList.remove("lit");
    }

    // One stop for the tab key; arrows lead from node to node.
    const columns = [];
    for (const node of nodes) (columns[node.dataset.column] ||= []).push(node);
    const filled = columns.filter(Boolean);
    function stop(node) {
      for (const other of nodes) other.setAttribute("tabindex", other === node ? "0" : "-1");
    }
    function neighbour(node, key) {
      const column = filled.find((items) => items.includes(node));
      const place = column.indexOf(node);
      if (key === "ArrowDown") return column[place + 1];
      if (key === "ArrowUp") return column[place - 1];
      const ways = key === "ArrowRight" ? after : before;
      const linked = (ways.get(node.dataset.node) || []).map(([, other]) => byPlace.get(other));
      return linked[0] || (filled[filled.indexOf(column) + (key === "ArrowRight" ? 1 : -1)] || [])[0];
    }
    if (nodes.length) stop(nodes[0]);
    for (const node of nodes) {
      node.addEventListener("mouseenter", () => light(node));
      node.addEventListener("mouseleave", dark);
      node.addEventListener("focus", () => { stop(node); light(node); });
      node.addEventListener("blur", dark);
      node.addEventListener("keydown", (event) => {
        if (event.key === "Escape") dark();
        if (!event.key.startsWith("Arrow")) return;
        event.preventDefault();
        const next = neighbour(node, event.key);
        if (next) next.focus();
      });
    }
  }

  function choosePictures(group) {
    const choice = group.querySelector("select");
    const pictures = [...group.querySelectorAll("[data-picture]")];
    choice.addEventListener("change", () => {
      for (const picture of pictures) picture.hidden = picture.dataset.picture !== choice.value;
      say(`Shown: ${choice.selectedOptions[0].textContent}`);
    });
  }

  /* -- tables ---------------------------------------------------------------------------------------- */

  const value = (row, place) => {
    const cell = row.cells[place];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, place) => {
      if (head.dataset.sort === "no") return;
      const button = make("button", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const numeric = head.classList.contains("n");
        const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : numeric;
        const rows = [...body.rows];
        rows.sort((one, other) => {
          const [a, b] = [value(one, place), value(other, place)];
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return down ? -order : order;
        });
        body.append(...rows);
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        say(`Sorted by ${button.textContent}, ${down ? "descending" : "ascending"}`);
      });
    });
  }

  /* Any table as comma-separated values: what is in its cells, numbers without commas. */
  function csv(rows) {
    const field = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    return rows.map((row) => row.map(field).join(",")).join("\n") + "\n";
  }

  function csvOf(table) {
    return csv([...table.rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent.trim())));
  }

  function saveCsv(name, text) {
    const file = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    const link = make("a", { href: file, download: `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.csv` });
    document.body.append(link);
    link.click();
    link.remove();
    window.setTimeout(() => URL.revokeObjectURL(file), 1000);
    say(`Saved as ${link.download}`);
  }

  function exportable(table) {
    const name = table.caption.textContent;
    const button = make("button", { type: "button", class: "button export", "aria-label": `Save as CSV: ${name}`, text: "CSV" });
    button.addEventListener("click", () => saveCsv(name, csvOf(table)));
    table.closest(".scroll").before(button);
  }

  /* One point of the curve at a time. */
  function slide(group) {
    const slider = group.querySelector("input");
    const points = [...group.querySelectorAll("[data-point]")];
    function show() {
      for (const point of points) point.hidden = point.dataset.point !== slider.value;
      slider.setAttribute("aria-valuetext", points[slider.value].querySelector("p").textContent);
    }
    slider.addEventListener("input", show);
    show();
  }

  /* -- programs -------------------------------------------------------------------------------------- */

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page opened from disk may not have the clipboard: the older way works there.
      const area = make("textarea", { class: "hidden-text", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      const active = document.activeElement;
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (active) active.focus();
      if (!done) throw new Error("no clipboard");
    }
  }

  function copyButton(place) {
    const text = place.dataset.copy ?? place.querySelector("code").textContent;
    const name = place.dataset.copyName || text;
    const button = make("button", { type: "button", class: "button copy", "aria-label": `Copy ${name}`, text: "Copy" });
    button.addEventListener("click", async () => {
      try {
        await copy(text);
        button.textContent = "Copied";
        say("Copied");
      } catch {
        button.textContent = "Not copied";
        say("The browser does not allow copying");
      }
      window.setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    place.append(button);
  }

  function filterClauses(group) {
    const search = group.querySelector("input");
    const clauses = [...group.querySelectorAll(".clause")].map((item) => [item, item.querySelector("code").textContent.toLowerCase()]);
    const told = group.querySelector("[data-count]");
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [item, text] of clauses) {
        item.hidden = !words.every((word) => text.includes(word));
        shown += !item.hidden;
      }
      told.textContent = words.length ? `${shown} of ${clauses.length} clauses` : "";
    });
  }

  /* On paper nothing can be opened: what stands folded in the page is printed, and folded again. */
  function unfoldInPrint() {
    let opened = [];
    window.addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      for (const item of opened) item.open = true;
    });
    window.addEventListener("afterprint", () => {
      for (const item of opened) item.open = false;
      opened = [];
    });
  }

  function start() {
    document.documentElement.className = "js";
    document.querySelectorAll("svg.architecture").forEach(lightPaths);
    document.querySelectorAll("[data-pictures]").forEach(choosePictures);
    document.querySelectorAll("table.sortable").forEach(sortable);
    document.querySelectorAll(".scroll > table").forEach(exportable);
    document.querySelectorAll("[data-slider]").forEach(slide);
    document.querySelectorAll("[data-copy-place]").forEach(copyButton);
    document.querySelectorAll("[data-programs]").forEach(filterClauses);
    unfoldInPrint();
  }

  return { start, say, make, csv, csvOf, saveCsv };
})();
