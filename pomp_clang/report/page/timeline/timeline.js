// @ts-check
/* The time line: a view of the run that a person moves, and the instances that are selected. */
class Timeline {
  constructor(section, data) {
    this.section = section;
    this.data = data;
    this.canvas = section.querySelector(".tl-canvas");
    this.rows = new TimelineRows(data);
    this.marks = new TimelineMarks(data);
    this.words = new TimelineWords(data);
    this.status = new TimelineStatus(section, data, this.marks, this.words);
    this.colours = new TimelineColours(data, section);
    this.picture = new TimelinePicture(this.canvas, data, this.rows, this.marks, this.words, this.colours);
    this.view = new TimelineView(data.duration, () => this.#moved());
    this.cursor = { when: null, row: 0, thread: 0, stretch: null };
    this.selected = null;
    this.turn = Promise.resolve();
    data.blocks.arrived = () => this.redraw();
    new TimelineInput(this.canvas, this);
    section.querySelectorAll(".tl-job").forEach((each) => { each.hidden = !this.rows.isJob; });
    section.querySelector(".tl-order").addEventListener("change", (event) => this.#laid(() => this.rows.sort(event.target.value)));
    section.querySelectorAll("[data-act]").forEach((button) => {
      button.addEventListener("click", () => { this.status.aloud(true); this.#button(button.dataset.act); });
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    addEventListener("resize", () => this.resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    document.addEventListener("pomp:select", (/** @type {CustomEvent} */ event) => this.select(event.detail));
    if (data.window) {
      const [from, to] = data.window;
      this.view.show(from * data.second, to * data.second);
    }
    this.resize();
    this.status.instances(null);
    this.status.bound(this.view);
  }

  #button(act) {
    const acts = {
      in: () => this.zoom(1 / 1.6), out: () => this.zoom(1.6), home: () => this.home(),
      next: () => this.instance(1), before: () => this.instance(-1),
      fold: () => this.#laid(() => this.rows.foldAll()),
    };
    acts[act]();
  }

  resize() {
    this.picture.measure();
    this.status.page(this.picture.seen, this.rows);
    this.paint();
  }

  recolour() {
    this.colours.read();
    this.picture.map.forget();
    this.redraw();
  }

  redraw() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => { this.asked = 0; this.paint(); });
  }

  paint() {
    if (!this.canvas.parentElement.clientWidth) return;
    if (!this.picture.width) this.picture.measure();
    this.picture.draw(this.view, this.cursor);
    const { second } = this.data;
    Object.assign(this.canvas.dataset, {
      from: this.view.from / second, to: this.view.to / second, drawn: this.picture.drawn,
      instance: this.marks.at < 0 ? "" : this.marks.at + 1, instances: this.marks.rows.length,
      gutter: this.picture.gutter, row: this.picture.row, rows: this.rows.list.length,
      top: this.picture.top, arrows: this.picture.arrows.drawn,
    });
    this.status.messages(this.picture.arrows.said());
    if (this.picture.isWaiting) this.canvas.dataset.waiting = "yes";
    else delete this.canvas.dataset.waiting;
    this.status.view(this.view, ...this.picture.counted(this.view));
    if (this.cursor.when !== null) this.#say();
  }

  #moved() {
    if (this.view.moving) this.canvas.dataset.moving = "yes";
    else delete this.canvas.dataset.moving;
    this.redraw();
    this.status.bound(this.view);
  }

  zoom(by, x) {
    const { from, wide } = this.view;
    const at = x === undefined ? this.#middle() : this.picture.timeAt(this.view, Math.max(this.picture.gutter, x));
    const other = this.view.possible(wide * by);
    if (other === wide) return false;
    const begin = at - ((at - from) / wide) * other;
    this.view.show(begin, begin + other);
    return true;
  }

  #middle() {
    const { when } = this.cursor;
    return this.view.has(when) ? when : this.view.middle;
  }

  pan(by) {
    const { from, to, wide } = this.view;
    this.view.show(from + wide * by, to + wide * by);
    if (!this.view.has(this.cursor.when)) this.cursor.when = this.view.middle;
  }

  shift(pixels) {
    const { from, to, wide } = this.view;
    if (from <= 0 && to >= this.data.duration) return false;
    const ticks = (pixels / this.picture.span) * wide;
    this.view.show(from + ticks, to + ticks);
    return true;
  }

  home() {
    this.view.show(0, this.data.duration, true);
  }

  thread(by) {
    const last = this.rows.list.length - 1;
    this.#at(Math.max(0, Math.min(last, this.cursor.row + by)));
    this.cursor.when ??= this.#middle();
    this.#bring(this.cursor.row);
    this.redraw();
  }

  #at(row) {
    Object.assign(this.cursor, { row, thread: this.rows.list[row].thread });
  }

  #bring(row) {
    const { seen } = this.picture;
    this.picture.top = Math.min(row, Math.max(row - seen + 1, this.picture.top));
  }

  /* The row that has a thread; a process that is not there, or folded, is made to be. */
  #rowOf(thread) {
    if (this.rows.rowOf[thread] < 0) {
      this.section.querySelector(".tl-order").value = "rank";
      this.#laid(() => this.rows.sort("rank"));
    }
    return this.rows.rowOf[thread];
  }

  /* Changes the rows; the cursor stays on its thread if that still has a row. */
  #laid(act) {
    const { thread, row } = this.cursor;
    const isHeading = this.rows.list[row]?.process;
    act();
    const process = this.rows.shown.find((each) => each.all.includes(thread));
    this.#at(process ? (isHeading ? process.row : this.rows.rowOf[thread]) : 0);
    this.picture.map.forget(true);
    this.picture.measure();
    this.#bring(this.cursor.row);
    this.status.page(this.picture.seen, this.rows);
    this.redraw();
  }

  /* The process of the row that the cursor is on is folded, or unfolded. */
  fold() {
    if (this.rows.isJob) this.#laid(() => this.rows.fold(this.rows.processOf(this.cursor.row)));
  }

  /* One after the other, however fast the keys come: what an act leads to may have to be unpacked. */
  #inTurn(act) {
    this.turn = this.turn.then(act);
    this.canvas.dataset.turn = "yes";
    this.turn = this.turn.then(() => { delete this.canvas.dataset.turn; });
  }

  #here() {
    const { thread, stretch } = this.cursor;
    const when = this.#middle();
    return stretch?.thread === thread && stretch.begin <= when && when < stretch.begin + stretch.length
      ? stretch : this.data.stretchSoon(thread, when);
  }

  /* The next event of the thread, or the one before, and to its middle. */
  beside(step) {
    this.#inTurn(async () => {
      const here = await this.#here();
      if (!here) {
        this.pan(step * 0.15);
        return;
      }
      this.#to(await this.data.beside(here, step) ?? here);
      const { when } = this.cursor;
      const half = this.view.wide / 2;
      if (!this.view.has(when)) this.view.show(when - half, when + half);
      this.redraw();
    });
  }

  #to(stretch) {
    const { thread } = stretch;
    const isSame = this.rows.list[this.cursor.row].thread === thread;
    const row = isSame ? this.cursor.row : this.#rowOf(thread);
    this.cursor = { when: stretch.begin + stretch.length / 2, row, thread, stretch };
  }

  /* Zooms to the interval under the cursor, or at a place, with some margin. */
  enter(x, y) {
    if (x !== undefined) this.#point(x, y);
    this.#inTurn(async () => {
      const here = this.cursor.thread < 0 ? null : await this.#here();
      if (!here) {
        this.zoom(1 / 4, x);
        return;
      }
      this.#to(here);
      this.view.show(here.begin - here.length / 3, here.begin + (here.length * 4) / 3, true);
    });
  }

  instance(by) {
    const found = this.marks.step(by);
    if (!found) {
      this.status.instances(this.selected);
      return;
    }
    const long = Math.max(NARROWEST, found.end - found.begin);
    const row = this.#rowOf(found.thread);
    this.cursor = { when: found.begin + (found.end - found.begin) / 2, row, thread: found.thread, stretch: null };
    const other = found.partner ? this.rows.rowOf[found.partner.thread] : row;
    if (other >= 0 && Math.abs(other - row) < this.picture.seen) this.#bring(other);
    this.#bring(row);
    this.view.show(found.begin - long, found.end + long, true);
    this.status.instances(this.selected);
  }

  select(detail) {
    this.selected = detail;
    this.marks.select(detail);
    const isLaid = this.rows.order !== "rank";
    if (this.rows.isJob) this.rows.weigh(this.marks);
    if (isLaid) this.#laid(() => {});
    this.picture.map.forget();
    this.status.instances(this.selected);
    this.redraw();
  }

  #point(x, y) {
    const at = this.picture.rowAt(y);
    const row = at < 0 ? this.cursor.row : at;
    this.cursor = { when: this.picture.timeAt(this.view, x), row, thread: this.rows.list[row].thread, stretch: null };
    return x >= this.picture.gutter && at >= 0;
  }

  hover(x, y) {
    this.status.aloud(false);
    const isOver = this.#point(x, y);
    if (!isOver) this.cursor.when = null;
    this.#say();
    this.status.tip.hidden = !isOver;
    if (isOver) this.status.placeTip(x, y, this.picture.width);
    this.redraw();
  }

  leave() {
    this.status.tip.hidden = true;
    this.cursor.when = null;
    this.redraw();
  }

  /* The begin of a drag decides its action: the overview moves the view, the axis (or the shift
     key) selects a time span, the rows pan. */
  grip(x, y, shift) {
    this.status.tip.hidden = true;
    this.section.classList.add("tl-held");
    if (y > this.picture.height - this.picture.map.room) {
      this.#leap(x, y);
      return "map";
    }
    return y < AXIS || shift ? this.picture.timeAt(this.view, x) : "rows";
  }

  #leap(x, y) {
    const { picture } = this;
    const row = picture.map.rowAt(y - picture.height + picture.map.tall + 2);
    if (row >= 0) picture.top = Math.max(0, Math.min(this.rows.list.length - picture.seen, row - (picture.seen >> 1)));
    const all = { from: 0, to: this.data.duration };
    const when = this.picture.timeAt(all, x);
    const half = this.view.wide / 2;
    this.view.show(when - half, when + half);
  }

  drag(grip, [x, y], [beforeX, beforeY]) {
    if (grip === "map") this.#leap(x, y);
    else if (grip === "rows") {
      this.shift(beforeX - x);
      this.pulled = (this.pulled ?? 0) + beforeY - y;
      const rows = Math.trunc(this.pulled / this.picture.row);
      this.pulled -= rows * this.picture.row;
      this.picture.top = Math.max(0, Math.min(this.rows.list.length - this.picture.seen, this.picture.top + rows));
    } else this.cursor.when = this.picture.timeAt(this.view, x);
    this.redraw();
  }

  drop(grip, [x, y], moved) {
    this.section.classList.remove("tl-held");
    this.pulled = 0;
    if (typeof grip === "number" && moved) {
      const until = this.picture.timeAt(this.view, x);
      this.view.show(Math.min(grip, until), Math.max(grip, until), true);
    } else if (!moved && grip !== "map") {
      this.#point(x, y);
      const { process } = this.rows.list[this.cursor.row];
      if (x < this.picture.gutter && process && this.picture.rowAt(y) >= 0) this.fold();
      this.redraw();
    }
  }

  #say() {
    const { thread, row, when, stretch } = this.cursor;
    const isLedTo = stretch?.thread === thread && stretch.begin <= when && when <= stretch.begin + stretch.length;
    const isSeen = when !== null && this.picture.exact?.[row];
    this.cursor.stretch = isLedTo ? stretch : isSeen ? this.data.stretchAt(thread, when) : null;
    this.status.cursor(this.cursor, this.rows.list[row], this.view.wide / this.picture.span);
  }
}

const SMALL = 1 << 16;
/* With at most this many intervals, all are loaded before the first picture. */

(async () => {
  const section = document.querySelector(".tl");
  let early = pomp.selected ?? null;
  const remember = (event) => { early = event.detail; };
  document.addEventListener("pomp:select", remember);
  const [about, columns] = await Promise.all(["timeline-about", "timeline-columns"].map((name) => pomp.load(name)));
  const data = new TimelineData(JSON.parse(new TextDecoder().decode(about)), new Uint8Array(columns));
  await data.blocks.loadSmall(SMALL);
  document.removeEventListener("pomp:select", remember);
  const timeline = new Timeline(section, data);
  if (early) timeline.select(early);
  section.classList.add("tl-ready");
})();
