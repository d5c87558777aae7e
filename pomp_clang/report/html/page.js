"use strict";
/* What a page can do beyond showing itself: sort, filter, open what a link leads to. */
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const folds = all("details.region");

  const value = (row, index) => {
    const cell = row.cells[index];
    return cell.dataset.v ?? cell.textContent.trim();
  };

  function sortable(table) {
    const heads = all("thead th", table);
    const body = table.tBodies[0];
    heads.forEach((head, index) => {
      if (head.querySelector(".hidden")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      const number = head.classList.contains("n");
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const up = before ? before === "descending" : !number;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const compare = number
          ? (a, b) => value(a, index) - value(b, index)
          : (a, b) => value(a, index).localeCompare(value(b, index));
        const rows = [...body.rows].sort((a, b) => (up ? compare(a, b) : compare(b, a)));
        body.append(...rows);
      });
    });
  }

  function filter() {
    const words = document.getElementById("filter");
    const kind = document.getElementById("kind");
    const count = document.getElementById("count");
    if (!words) return;
    const byId = new Map(folds.map((fold) => [fold.dataset.region, fold]));
    const rows = all("#table tbody tr");
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const apply = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, i) => {
        const fits = wanted.every((word) => texts[i].includes(word)) &&
          (!kind || !kind.value || row.dataset.kind === kind.value);
        row.hidden = !fits;
        const fold = byId.get(row.cells[0].textContent.trim());
        if (fold) fold.hidden = !fits;
        shown += fits;
      });
      count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
    };
    words.form.addEventListener("submit", (event) => event.preventDefault());
    words.addEventListener("input", apply);
    if (kind) kind.addEventListener("input", apply);
    words.form.hidden = rows.length < 2;
    document.addEventListener("keydown", (event) => {
      const typing = event.target.matches("input, select, textarea");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        words.focus();
      }
    });
  }

  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.closest("details");
    if (!fold) return;
    fold.hidden = false;
    for (let each = fold; each; each = each.parentElement.closest("details")) each.open = true;
    fold.scrollIntoView();
    target.focus({ preventScroll: true });
  }

  const openAll = (list, open) => list.forEach((fold) => { fold.open = open; });

  function buttons(group) {
    const list = all(group.dataset.of);
    group.hidden = list.length < 2;
    all("button", group).forEach((button) => {
      button.addEventListener("click", () => openAll(list, Boolean(button.dataset.open)));
    });
  }

  all("#table").forEach(sortable);
  filter();
  all(".buttons").forEach(buttons);
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) reveal();
  });
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folds.filter((fold) => !fold.open);
    openAll(folds, true);
  });
  addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));
  reveal();
})();
