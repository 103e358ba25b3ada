// A table that is wider than the page scrolls; whoever has no mouse can only scroll what can have the focus.
addEventListener("load", () => {
  // Browsers break options behind their hyphens; short ones stay on one line.
  for (const code of document.querySelectorAll("td:first-child code")) {
    if (code.textContent.length < 25) {
      code.style.whiteSpace = "nowrap";
    }
  }
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (wrap.scrollWidth > wrap.clientWidth) {
      wrap.tabIndex = 0;
      wrap.setAttribute("role", "group");
      wrap.setAttribute("aria-label", "Table");
    }
  }
});
