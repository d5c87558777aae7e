// @ts-check
/* Shows the place of the selected call path in the source; for an MPI function, the place of its caller. */
pomp.showSource = (section, cube, path, excerpts) => {
  const part = (name) => section.querySelector(`[data-part=${name}]`);
  const line = cube.pathTree.line(path);
  const names = line.map((each) => cube.paths[each].name);
  const around = [...line].reverse().find((each) => cube.paths[each].source >= 0) ?? path;
  const { place, source } = cube.paths[around];
  const excerpt = excerpts[source];
  part("path").textContent = names.slice(0, -1).map((each) => `${each} \u203a `).join("");
  part("name").textContent = names.at(-1);
  part("place").textContent = place;
  part("function").textContent = excerpt?.function ? `in ${excerpt.function}` : "";
  part("clauses").textContent = excerpt?.clauses ?? "";
  const link = part("profile");
  link.hidden = !excerpt?.id;
  link.href = `#${excerpt?.id ?? ""}`;
  const why = excerpt ? excerpt.why || excerpt.note : pomp.unknownPlace(path);
  part("why").textContent = why;
  part("why").hidden = !why;
  const text = part("text");
  text.hidden = !excerpt?.lines.length;
  const body = text.querySelector("tbody");
  body.replaceChildren(...(excerpt?.lines ?? []).map(pomp.sourceLine));
  const marked = body.querySelector(".begin");
  if (marked) text.scrollTop = Math.max(0, marked.offsetTop - 3 * marked.offsetHeight);
};

/* The first call path is the program's. */
pomp.unknownPlace = (path) =>
  path
    ? "No region is open where it is called. --pomp-functions measures functions, too, and shows its caller."
    : "Here no region is open: the program runs between constructs. --pomp-functions measures functions, too, and shows which ones run here.";

pomp.sourceLine = ([number, text, mark, leftOut]) => {
  const row = document.createElement("tr");
  row.className = leftOut ? "gap" : mark;
  const head = row.insertCell();
  head.className = "ln";
  head.textContent = leftOut ? "" : number;
  const code = document.createElement(leftOut ? "span" : "code");
  code.textContent = leftOut ? `${leftOut} lines` : text;
  row.insertCell().append(code);
  return row;
};
