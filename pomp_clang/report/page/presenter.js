// @ts-check
/* The three trees; each shows the selection of the one before it. */
pomp.Presenter = class {
  constructor(cube, excerpts) {
    this.cube = cube;
    this.excerpts = excerpts;
    this.mode = "whole";
    const view = (name, forest, names, details, absent = []) => new pomp.TreeView(
      document.getElementById(`tree-${name}`), forest,
      { names, details, changed: () => this.changed(name), absent });
    this.properties = view("property", cube.propertyTree, cube.properties.map((e) => e.name), [],
      cube.properties.map((e) => e.isAbsent));
    this.paths = view("path", cube.pathTree, cube.paths.map((e) => e.name),
      cube.paths.map((e) => e.place));
    this.locations = view("location", cube.locationTree, cube.locations.map(pomp.locationName), []);
    this.views = [this.properties, this.paths, this.locations];
    this.details = new pomp.Details(
      document.getElementById("about"), document.getElementById("worst"), cube,
      (property, path) => this.select(property, path));
    pomp.showKinds(document.getElementById("kinds"), cube);
    this.listen();
    this.begin();
  }

  listen() {
    /** @type {NodeListOf<HTMLInputElement>} */
    const modes = document.querySelectorAll("[name=mode]");
    for (const field of modes) {
      field.addEventListener("change", () => {
        this.mode = field.value;
        document.querySelector(".panes").classList.toggle("amounts", this.mode === "amount");
        this.changed("property");
      });
    }
    const quiet = /** @type {HTMLInputElement} */ (document.getElementById("quiet"));
    quiet.addEventListener("change", () => {
      this.views.forEach((each) => each.hideQuiet(quiet.checked));
    });
    const largest = /** @type {HTMLInputElement} */ (document.getElementById("largest"));
    largest.addEventListener("change", () => {
      [this.paths, this.locations].forEach((each) => each.putLargestFirst(largest.checked));
    });
    document.querySelectorAll("[data-find]").forEach(
      (field, place) => pomp.find(field, this.views[place]));
    pomp.splitters(document.querySelector(".panes"));
    addEventListener("beforeprint", () => this.views.forEach((each) => each.print(true)));
    addEventListener("afterprint", () => this.views.forEach((each) => each.print(false)));
  }

  /* The worst cause is selected first. */
  begin() {
    const MANY = 64;
    const { cube } = this;
    cube.locations.forEach((each, node) => {
      this.locations.open[node] = each.level !== "process" || cube.threads.length <= MANY;
    });
    this.locations.lay();
    this.properties.open[0] = this.paths.open[0] = 1;
    this.properties.lay();
    this.paths.lay();
    const worst = cube.worst[0] ?? { property: 0, path: 0 };
    this.select(worst.property, worst.path);
  }

  select(property, path, location = null) {
    this.properties.select(property, true);
    this.paths.select(path, true);
    if (location !== null) this.locations.select(this.cube.leaves[location], true);
    this.changed("property");
  }

  changed(tree) {
    const { cube } = this;
    const property = this.properties.selection;
    const summed = (kinds, forest) => kinds.map((each) => ({ ...each, whole: forest.whole(each.own) }));
    if (tree === "property") {
      this.properties.show(cube.byKind, (value, node) => this.said(value, node, 0), (node) => cube.all(node));
      const of = cube.amount(property);
      this.paths.show(summed(cube.byPath(property), cube.pathTree),
        (value) => this.said(value, property.node, of), () => Math.abs(of));
    }
    const path = this.paths.selection;
    const of = this.paths.shown(path.node);
    if (tree !== "location") {
      this.locations.show(summed(cube.byLocation(property, path), cube.locationTree),
        (value) => this.said(value, property.node, of), () => Math.abs(of));
    }
    this.tell(property, path, of);
  }

  /* `of` is the selection that a share is of in relative mode. */
  said(value, property, of) {
    const all = this.cube.all(property);
    const whole = this.mode === "selection" && of !== 0 ? of : all;
    const share = whole ? value / whole : 0;
    const { unit } = this.cube.properties[property];
    const text = this.mode === "amount" ? pomp.amount(value, unit) : pomp.percent(share);
    return { text, share, spoken: this.mode === "amount" ? text : `${text} %` };
  }

  tell(property, path, amount) {
    const { cube } = this;
    const { unit, name } = cube.properties[property.node];
    const place = cube.paths[path.node];
    const location = cube.locations[this.locations.node];
    const whole = { whole: "of all", selection: "of the whole", amount: "" }[this.mode];
    const head = (tree, text) => {
      document.getElementById(`of-${tree}`).textContent = text;
    };
    const said = (value) => pomp.amount(value, unit) + (unit === "s" ? "" : ` ${unit}`);
    head("property", this.mode === "amount" ? "summed up over all threads" : `% ${whole}`);
    head("path", `of ${name}, ${said(cube.amount(property))}`);
    head("location", `of ${place.name}, ${said(amount)}`);
    this.details.show(property, path, amount);
    this.details.locate(property, pomp.locationName(location), this.locations.shown(this.locations.node),
      this.locations.node > 0);
    pomp.showSource(document.getElementById("source"), cube, path.node, this.excerpts);
    this.spread(cube.properties[property.node]);
    const where = [place.name, place.place].filter(Boolean).join(" ");
    document.getElementById("chosen").textContent = `${name} at ${where}: ${said(amount)}`;
    const detail = { property: property.node, path: path.node, location: null };
    if (location.thread >= 0) detail.location = location.thread;
    pomp.selected = detail;
    document.dispatchEvent(new CustomEvent("pomp:select", { detail }));
  }

  /* How evenly the threads share it: in words, and of many as a picture, the first on the left. */
  spread({ unit, kind }) {
    const MANY = 16;
    const values = this.cube.leaves.map((leaf) => this.locations.own[leaf]);
    const [least, most] = [Math.min, Math.max].map(
      (of) => values.reduce((a, b) => of(a, b), values[0]));
    const sorted = [...values].sort((a, b) => a - b);
    const [lower, upper] = [Math.floor, Math.ceil].map((of) => sorted[of((sorted.length - 1) / 2)]);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const [low, middle, average, high] =
      [least, (lower + upper) / 2, mean, most].map((each) => pomp.amount(each, unit));
    document.getElementById("spread").textContent =
      values.length > 1 ? `${values.length} threads: ${low} to ${high}, median ${middle}, mean ${average}` : "";
    const chart = document.getElementById("chart");
    chart.toggleAttribute("hidden", values.length < MANY);
    chart.setAttribute("viewBox", `0 0 ${Math.max(1, values.length)} 1`);
    const tops = values.map((each) => (most > 0 ? 1 - Math.max(0, each) / most : 1).toFixed(4));
    const path = tops.map((top, thread) => `M${thread} 1V${top}h1V1z`).join("");
    chart.firstElementChild.setAttribute("d", path);
    chart.style.setProperty("--kind", pomp.colour(kind));
  }
};

pomp.locationName = ({ level, name }) => {
  if (level === "all") return "all threads";
  if (level === "machine") return name || "machine";
  return level === "node" ? name || "node" : `${level} ${name}`;
};

/* How much of all threads' time is of which kind: the first property is the time. */
pomp.showKinds = (section, cube) => {
  const add = (above, tag, kind, text = "") => {
    const element = above.appendChild(document.createElement(tag));
    element.className = kind;
    element.textContent = text;
    return element;
  };
  const bar = add(section, "div", "kindbar");
  bar.setAttribute("aria-hidden", "true");
  const list = add(section, "ul", "kindlist");
  const times = pomp.KINDS.map((kind) => [kind, cube.byKind.find((each) => each.kind === kind)?.whole[0] ?? 0]);
  const rest = cube.reserved - times.reduce((sum, [, time]) => sum + time, 0);
  if (rest / cube.reserved >= pomp.GREY) times.push(["not recorded", rest]);
  for (const [kind, time] of times) {
    const share = time / (cube.reserved || 1);
    add(bar, "span", kind).style.width = `${Math.min(100, Math.max(0, 100 * share))}%`;
    const item = add(list, "li", "");
    add(item, "i", kind);
    item.append(`${kind} ${pomp.percent(share)} %`);
  }
};

/* The rest of the page is still on its way. */
document.documentElement.dataset.loading = "";

(async () => {
  try {
    const [cube, excerpts] = await Promise.all([pomp.Cube.read(), pomp.json("cube-sources")]);
    pomp.presenter = new pomp.Presenter(cube, excerpts);
    document.getElementById("view-causes").dataset.ready = "";
  } catch (error) {
    document.getElementById("unread").hidden = false;
    throw error;
  }
})();
