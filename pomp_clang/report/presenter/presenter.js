/* The three trees, each of what is selected in the one before it. */
pomp.Presenter = class {
  constructor(cube, excerpts) {
    this.cube = cube;
    this.excerpts = excerpts;
    this.mode = "whole";
    const view = (name, forest, names, details) => new pomp.TreeView(
      document.getElementById(`tree-${name}`), forest,
      { names, details, changed: () => this.changed(name) });
    this.properties = view("property", cube.propertyTree, cube.properties.map((e) => e.name), []);
    this.paths = view("path", cube.pathTree, cube.paths.map((e) => e.name),
      cube.paths.map((e) => e.place));
    this.locations = view("location", cube.locationTree, cube.locations.map(pomp.locationName), []);
    this.views = [this.properties, this.paths, this.locations];
    this.about = new pomp.About(
      document.getElementById("about"), document.getElementById("worst"), cube,
      (property, path) => this.select(property, path));
    this.listen();
    this.begin();
  }

  listen() {
    for (const field of document.querySelectorAll("[name=mode]")) {
      field.addEventListener("change", () => {
        this.mode = field.value;
        document.querySelector(".panes").classList.toggle("amounts", this.mode === "amount");
        this.changed("property");
      });
    }
    const quiet = document.getElementById("quiet");
    quiet.addEventListener("change", () => {
      this.views.forEach((each) => each.hideQuiet(quiet.checked));
    });
    const largest = document.getElementById("largest");
    largest.addEventListener("change", () => {
      [this.paths, this.locations].forEach((each) => each.putLargestFirst(largest.checked));
    });
    document.querySelectorAll("[data-find]").forEach(
      (field, place) => pomp.find(field, this.views[place]));
    pomp.splitters(document.querySelector(".panes"));
    addEventListener("beforeprint", () => this.views.forEach((each) => each.print(true)));
    addEventListener("afterprint", () => this.views.forEach((each) => each.print(false)));
  }

  /* What is worst is what is seen first. */
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
    const worst = cube.found[0] ?? { property: 0, path: 0 };
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
    if (tree === "property") {
      this.properties.show(cube.own, cube.whole, (value, node) => this.said(value, node, 0));
      const own = cube.byPath(property);
      const of = cube.amount(property);
      this.paths.show(own, cube.pathTree.whole(own), (value) => this.said(value, property.node, of));
    }
    const path = this.paths.selection;
    const of = this.paths.shown(path.node);
    if (tree !== "location") {
      const own = cube.byLocation(property, path);
      this.locations.show(own, cube.locationTree.whole(own),
        (value) => this.said(value, property.node, of));
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
    return { text, share, isTime: unit === "s", spoken: this.mode === "amount" ? text : `${text} %` };
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
    this.about.show(property, path, amount);
    this.about.locate(property, pomp.locationName(location), this.locations.shown(this.locations.node),
      this.locations.node > 0);
    pomp.showSource(document.getElementById("source"), cube, path.node, this.excerpts);
    this.spread(unit);
    const where = [place.name, place.place].filter(Boolean).join(" ");
    document.getElementById("chosen").textContent = `${name} at ${where}: ${said(amount)}`;
    const detail = { property: property.node, path: path.node, location: null };
    if (location.thread >= 0) detail.location = location.thread;
    pomp.selected = detail;
    document.dispatchEvent(new CustomEvent("pomp:select", { detail }));
  }

  /* How evenly the threads share it: in words, and of many as a picture, the first on the left. */
  spread(unit) {
    const MANY = 16;
    const values = this.cube.leaves.map((leaf) => this.locations.own[leaf]);
    const [least, most] = [Math.min, Math.max].map(
      (of) => values.reduce((a, b) => of(a, b), values[0]));
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const [low, middle, high] = [least, mean, most].map((each) => pomp.amount(each, unit));
    document.getElementById("spread").textContent =
      values.length > 1 ? `${values.length} threads: ${low} to ${high}, mean ${middle}` : "";
    const chart = document.getElementById("chart");
    chart.toggleAttribute("hidden", values.length < MANY);
    chart.setAttribute("viewBox", `0 0 ${Math.max(1, values.length)} 1`);
    const tops = values.map((each) => (most > 0 ? 1 - Math.max(0, each) / most : 1).toFixed(4));
    const path = tops.map((top, thread) => `M${thread} 1V${top}h1V1z`).join("");
    chart.firstElementChild.setAttribute("d", path);
  }
};

pomp.locationName = ({ level, name }) => {
  if (level === "machine") return name || "machine";
  return level === "node" ? name || "node" : `${level} ${name}`;
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
