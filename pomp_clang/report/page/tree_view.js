// @ts-check
/* A tree of which only the rows in sight are there, used as WAI-ARIA says trees are. */
pomp.TreeView = class {
  static ROW = 26;
  static BEYOND = 4;
  static PRINTED = 5000;
  static PATIENCE = 900;

  /* `names` are of nodes, `details` beside them; `changed` is called when another node is selected
     or the selected one opened or closed.  Nodes that are `absent` have no row. */
  constructor(element, forest, { names, details, changed, absent = [] }) {
    this.element = element;
    this.forest = forest;
    this.names = names;
    this.details = details;
    this.changed = changed;
    this.absent = absent;
    this.open = new Uint8Array(forest.size);
    this.node = 0;
    this.own = this.whole = new Float64Array(forest.size);
    this.kinds = [];
    /** @type {(node: number) => number} */
    this.full = () => 0;
    /** @type {(value: number, node: number) => {text: string, share: number, spoken?: string}} */
    this.said = () => ({ text: "", share: 0 });
    this.isQuietHidden = this.isLargestFirst = false;
    this.typed = "";
    this.sizer = element.appendChild(document.createElement("div"));
    this.sizer.className = "sizer";
    this.list = this.sizer.appendChild(document.createElement("div"));
    this.list.className = "list";
    element.style.setProperty("--row", `${pomp.TreeView.ROW}px`);
    element.addEventListener("scroll", () => this.draw());
    element.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("dblclick", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(element);
    this.lay();
  }

  get selection() {
    return { node: this.node, isOpen: this.isOpen(this.node) };
  }

  isOpen(node) {
    return Boolean(this.open[node]) && !this.forest.isLeaf(node);
  }

  shown(node) {
    return this.isOpen(node) ? this.own[node] : this.whole[node];
  }

  /* `kinds` are what nodes have, without and with those below, of each kind of time; `said` makes
     a value of a node a text and a share, and a bar of full length is `full`. */
  show(kinds, said, full) {
    const sum = (of) => kinds.reduce((sums, each) => sums.map((value, node) => value + each[of][node]),
      new Float64Array(this.forest.size));
    this.kinds = kinds.slice().sort((a, b) => pomp.KINDS.indexOf(a.kind) - pomp.KINDS.indexOf(b.kind));
    [this.own, this.whole] = [sum("own"), sum("whole")];
    this.said = said;
    this.full = full;
    if (this.isQuietHidden || this.isLargestFirst) this.lay();
    else this.draw();
  }

  hideQuiet(isHidden) {
    this.isQuietHidden = isHidden;
    this.lay();
    this.bring();
  }

  putLargestFirst(isLargestFirst) {
    this.isLargestFirst = isLargestFirst;
    this.lay();
    this.bring();
  }

  /* Which rows there are. */
  lay() {
    const kept = new Set(this.forest.line(this.node));
    const isShown = (node) => !this.absent[node] && (!this.isQuietHidden || kept.has(node) ||
      Math.abs(this.said(this.whole[node], node).share) >= pomp.GREY);
    const arranged = (nodes) => !this.isLargestFirst ? nodes
      : nodes.slice().sort((a, b) => Math.abs(this.whole[b]) - Math.abs(this.whole[a]) || a - b);
    this.rows = this.forest.visit(isShown, (node) => this.open[node], arranged);
    this.at = new Int32Array(this.forest.size).fill(-1);
    this.place = new Int32Array(this.forest.size);
    this.siblings = new Int32Array(this.forest.size + 1);
    this.rows.forEach((node, row) => {
      this.at[node] = row;
      this.place[node] = this.siblings[this.forest.above[node] + 1] += 1;
    });
    this.sizer.style.height = `${this.rows.length * pomp.TreeView.ROW}px`;
    this.draw();
  }

  draw() {
    const { ROW, BEYOND, PRINTED } = pomp.TreeView;
    const { scrollTop, clientHeight } = this.element;
    const from = this.isPrinted ? 0 : Math.max(0, Math.floor(scrollTop / ROW) - BEYOND);
    const count = this.isPrinted ? PRINTED : Math.ceil(clientHeight / ROW) + 2 * BEYOND;
    this.list.style.transform = `translateY(${from * ROW}px)`;
    this.list.replaceChildren(...this.rows.slice(from, from + count).map((node) => this.row(node)));
    this.element.setAttribute("aria-activedescendant", this.id(this.node));
  }

  print(isPrinted) {
    this.isPrinted = isPrinted;
    this.draw();
  }

  id(node) {
    return `${this.element.id}-${node}`;
  }

  row(node) {
    const value = this.shown(node);
    const { text, share, spoken } = this.said(value, node);
    const row = document.createElement("div");
    row.id = this.id(node);
    row.dataset.node = node;
    row.className = "row";
    row.classList.toggle("quiet", !(Math.abs(share) >= pomp.GREY));
    row.style.setProperty("--level", this.forest.level[node]);
    const name = this.names[node];
    const detail = this.details[node] ?? "";
    const told = {
      role: "treeitem",
      "aria-level": this.forest.level[node] + 1,
      "aria-posinset": this.place[node],
      "aria-setsize": this.siblings[this.forest.above[node] + 1],
      "aria-selected": node === this.node,
      "aria-label": [name, detail, spoken].filter(Boolean).join(", "),
    };
    if (!this.forest.isLeaf(node)) told["aria-expanded"] = this.isOpen(node);
    for (const [key, each] of Object.entries(told)) row.setAttribute(key, each);
    row.title = this.hint(node, detail);
    row.append(this.meter(node), this.span("number", text), this.span("twist"),
      this.span("name", name), this.span("detail", detail));
    return row;
  }

  hint(node, detail) {
    const place = [this.names[node], detail].filter(Boolean).join("  ");
    if (this.forest.isLeaf(node)) return place;
    const [own, whole] = [this.own[node], this.whole[node]].map((each) => this.said(each, node).text);
    return `${place}\n${whole} with what is below, ${own} without`;
  }

  meter(node) {
    const meter = this.span("meter");
    const full = this.full(node);
    for (const { kind, own, whole } of this.kinds) {
      const value = Math.abs((this.isOpen(node) ? own : whole)[node]);
      if (!full || !(value / full >= pomp.GREY)) continue;
      const part = meter.appendChild(document.createElement("span"));
      part.style.width = `${Math.min(100, (100 * value) / full)}%`;
      part.style.background = pomp.colour(kind);
    }
    return meter;
  }

  span(kind, text = "") {
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    return span;
  }

  /* Opens the nodes above a node, and selects it. */
  select(node, isSilent = false) {
    const closed = this.forest.line(node).slice(0, -1).filter((each) => !this.open[each]);
    closed.forEach((each) => { this.open[each] = 1; });
    const isOther = node !== this.node;
    this.node = node;
    if (closed.length || (isOther && this.isQuietHidden)) this.lay();
    this.bring();
    if (isOther && !isSilent) this.changed();
  }

  /* The selection is never hidden below a closed node. */
  toggle(node, isOpen = !this.open[node]) {
    if (this.forest.isLeaf(node)) return;
    const wasAt = this.node;
    this.open[node] = isOpen ? 1 : 0;
    if (!isOpen && this.forest.line(this.node).includes(node)) this.node = node;
    this.lay();
    if (node === this.node || wasAt !== this.node) this.changed();
  }

  bring() {
    const { ROW } = pomp.TreeView;
    const top = this.at[this.node] * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.element.scrollTop = top + ROW - clientHeight;
    this.draw();
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const node = Number(row.dataset.node);
    const isTwist = event.target.className === "twist";
    if (isTwist !== (event.type === "dblclick")) this.toggle(node);
    else if (!isTwist) this.select(node);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const go = event.key === " " && this.typed ? null : this.keys[event.key];
    if (go) go.call(this);
    else if (event.key.length === 1) this.type(event.key);
    else return;
    event.preventDefault();
  }

  get keys() {
    const page = Math.max(1, Math.floor(this.element.clientHeight / pomp.TreeView.ROW) - 1);
    return {
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
      PageDown: () => this.move(page),
      PageUp: () => this.move(-page),
      Home: () => this.move(-this.rows.length),
      End: () => this.move(this.rows.length),
      ArrowRight: this.inward,
      ArrowLeft: this.outward,
      Enter: () => this.toggle(this.node),
      " ": () => this.toggle(this.node),
      "*": this.openSiblings,
    };
  }

  move(by) {
    const row = Math.min(this.rows.length - 1, Math.max(0, this.at[this.node] + by));
    this.select(this.rows[row]);
  }

  inward() {
    if (this.forest.isLeaf(this.node)) return;
    if (!this.isOpen(this.node)) this.toggle(this.node, true);
    else if (this.forest.above[this.rows[this.at[this.node] + 1]] === this.node) this.move(1);
  }

  outward() {
    if (this.isOpen(this.node)) this.toggle(this.node, false);
    else if (this.forest.above[this.node] >= 0) this.select(this.forest.above[this.node]);
  }

  openSiblings() {
    const all = this.forest.below(this.forest.above[this.node]);
    all.forEach((each) => { this.open[each] = 1; });
    this.lay();
    this.bring();
    this.changed();
  }

  type(character) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.typed = ""; }, pomp.TreeView.PATIENCE);
    this.typed += character.toLowerCase();
    const found = this.next(this.typed, 1, this.typed.length > 1);
    if (found >= 0) this.select(found);
  }

  /* The next node with a text in its name, also below closed ones; -1 if there is none. */
  next(text, direction, isHere) {
    const { order } = this.forest;
    const since = order.indexOf(this.node);
    for (let step = isHere ? 0 : 1; step <= order.length; step += 1) {
      const node = order[(since + direction * step + 2 * order.length) % order.length];
      if (!this.isAbsent(node) && this.fits(node, text)) return node;
    }
    return -1;
  }

  isAbsent(node) {
    return this.forest.line(node).some((each) => this.absent[each]);
  }

  fits(node, text) {
    return `${this.names[node]} ${this.details[node] ?? ""}`.toLowerCase().includes(text);
  }
};
