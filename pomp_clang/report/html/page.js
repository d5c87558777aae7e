// @ts-check
"use strict";
/* The page's actions: sort, filter, open the target of a link. */
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const folds = all("details.region");

  const UNITS = { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 };
  const MARKS = { "": 1, "<": 0.5, ">": 2, x: 100 };
  const NUMBER = /^([<>x]?)([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?: ([mµn]?s)\b)?/;

  /* The value of "12.5 ms", "<0.1" or "x12"; NaN for "-" and empty text. */
  const worth = (text) => {
    const found = NUMBER.exec(text);
    return found ? Number(found[2]) * MARKS[found[1]] * (UNITS[found[3]] ?? 1) : NaN;
  };
  const said = (row, index) => {
    const cell = row.cells[index];
    return cell.dataset.v ?? cell.textContent.trim();
  };
  const collator = new Intl.Collator("en", { numeric: true });
  const byWords = (a, b) => collator.compare(a, b);
  const byWorth = (a, b) => a - b;

  /* Returns what puts its rows in the order that was chosen.  Sums stay where they are; cells
     without a number come last. */
  function sortable(table) {
    const heads = all("thead th", table);
    const body = table.tBodies[0];
    const isLast = (row) => "last" in row.dataset;
    const arrange = () => {
      const index = heads.findIndex((head) => head.hasAttribute("aria-sort"));
      if (index < 0) return;
      const isNumber = heads[index].classList.contains("n");
      const key = isNumber ? (row) => worth(said(row, index)) : (row) => said(row, index);
      const sign = heads[index].getAttribute("aria-sort") === "ascending" ? 1 : -1;
      const compare = isNumber ? byWorth : byWords;
      const rows = [...body.rows].filter((row) => !isLast(row)).map((row) => [key(row), row]);
      const none = rows.filter(([value]) => Number.isNaN(value));
      const some = rows.filter(([value]) => !Number.isNaN(value));
      some.sort(([a], [b]) => sign * compare(a, b));
      const last = [...body.rows].filter(isLast);
      body.append(...[...some, ...none].map(([, row]) => row), ...last);
    };
    if ([...body.rows].filter((row) => !isLast(row)).length < 2) return arrange;
    for (const head of heads) {
      if (head.querySelector(".hidden")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const up = before ? before === "descending" : !head.classList.contains("n");
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        arrange();
      });
    }
    return arrange;
  }

  /* Sorts the rest of a table, once it is shown, together with the rows that were there. */
  function joining(more, arranges) {
    const rest = more.querySelector("table");
    const table = rest && more.previousElementSibling.querySelector("table");
    if (!table) return;
    more.addEventListener("toggle", () => {
      const rows = [...rest.tBodies[0].rows];
      table.tBodies[0].append(...rows);
      all("tr[data-last]", table).forEach((row) => table.tBodies[0].append(row));
      arranges.get(table)();
      more.remove();
      rows[0].querySelector("a")?.focus();
    }, { once: true });
  }

  function filter() {
    const words = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
    const kind = /** @type {HTMLSelectElement} */ (document.getElementById("kind"));
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
        shown += Number(fits);
      });
      count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
    };
    words.form.addEventListener("submit", (event) => event.preventDefault());
    words.addEventListener("input", apply);
    if (kind) kind.addEventListener("input", apply);
    words.form.hidden = rows.length < 2;
    document.addEventListener("keydown", (event) => {
      const typing = /** @type {Element} */ (event.target).matches("input, select, textarea");
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

  const tables = all("main table").filter((table) => table.tHead);
  const arranges = new Map(tables.map((table) => [table, sortable(table)]));
  all("details.more").forEach((more) => joining(more, arranges));
  filter();
  all(".buttons").forEach(buttons);
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement} */
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
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
