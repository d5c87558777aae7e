/* The time line: a view of the run that a person moves, and the instances that are selected. */
const NARROWEST = 8;
/* Ticks that the view has at least. */
const MOVING = 220;
/* Milliseconds that a jump takes to see where it leads. */

class Timeline {
  constructor(section, data) {
    const part = (name) => section.querySelector(`.tl-${name}`);
    this.section = section;
    this.data = data;
    this.canvas = part("canvas");
    Object.assign(this, {
      tip: part("tip"), under: part("under"), told: part("told"), note: part("note"), picked: part("picked"),
    });
    this.marks = new TimelineMarks(data);
    this.words = new TimelineWords(data);
    this.colours = new TimelineColours(data, section);
    this.picture = new TimelinePicture(this.canvas, data, this.marks, this.words, this.colours);
    this.view = { from: 0, to: data.duration };
    this.cursor = { when: null, thread: 0 };
    this.selected = null;
    new TimelineHand(this.canvas, this);
    section.querySelectorAll("[data-act]").forEach((button) => {
      button.addEventListener("click", () => { this.spoken(true); this.#button(button.dataset.act); });
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    document.addEventListener("pomp:select", (event) => this.select(event.detail));
    if (data.window) {
      const [from, to] = data.window;
      this.view = this.#within(from * data.second, to * data.second);
    }
    this.resize();
    this.#tell();
  }

  #button(act) {
    const acts = {
      in: () => this.zoom(1 / 1.6), out: () => this.zoom(1.6), home: () => this.home(),
      next: () => this.instance(1), before: () => this.instance(-1),
    };
    acts[act]();
  }

  resize() {
    this.picture.measure();
    this.redraw();
  }

  recolour() {
    this.colours.read();
    this.picture.map = null;
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
      gutter: this.picture.gutter, row: this.picture.row,
    });
  }

  /* Of some times those that a view can have. */
  #within(from, to) {
    const { duration } = this.data;
    const wide = Math.min(duration, Math.max(NARROWEST, to - from));
    const middle = (from + to) / 2;
    const begin = Math.max(0, Math.min(duration - wide, middle - wide / 2));
    return { from: begin, to: begin + wide };
  }

  #show(view, isJump = false) {
    cancelAnimationFrame(this.moving);
    this.moving = 0;
    if (!isJump || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.view = view;
      this.#moved();
      return;
    }
    const before = this.view;
    const since = performance.now();
    const step = () => {
      const part = Math.min(1, (performance.now() - since) / MOVING);
      this.view = part < 1 ? between(before, view, 1 - (1 - part) ** 3) : view;
      this.moving = part < 1 ? requestAnimationFrame(step) : 0;
      this.#moved();
    };
    this.canvas.dataset.moving = "yes";
    step();
  }

  #moved() {
    if (!this.moving) delete this.canvas.dataset.moving;
    this.redraw();
    this.#tellBound();
  }

  zoom(by, x) {
    const { from, to } = this.view;
    const at = x === undefined ? this.#middle() : this.picture.timeAt(this.view, Math.max(this.picture.gutter, x));
    const wide = Math.min(this.data.duration, Math.max(NARROWEST, (to - from) * by));
    if (wide === to - from) return false;
    const begin = at - ((at - from) / (to - from)) * wide;
    this.#show(this.#within(begin, begin + wide));
    if (x === undefined) this.#say();
    return true;
  }

  #middle() {
    const { when } = this.cursor;
    const { from, to } = this.view;
    return when !== null && when >= from && when <= to ? when : (from + to) / 2;
  }

  pan(by) {
    const { from, to } = this.view;
    const ticks = (to - from) * by;
    this.#show(this.#within(from + ticks, to + ticks));
    const { when } = this.cursor;
    if (when === null || when < this.view.from || when > this.view.to) this.cursor.when = (this.view.from + this.view.to) / 2;
    this.#say();
  }

  shift(pixels) {
    const { from, to } = this.view;
    if (from <= 0 && to >= this.data.duration) return false;
    const ticks = (pixels / this.picture.span) * (to - from);
    this.#show(this.#within(from + ticks, to + ticks));
    return true;
  }

  home() {
    this.#show({ from: 0, to: this.data.duration }, true);
    this.#say();
  }

  thread(by) {
    const last = this.data.threads.length - 1;
    this.cursor.thread = Math.max(0, Math.min(last, this.cursor.thread + by));
    this.cursor.when ??= this.#middle();
    this.#bring(this.cursor.thread);
    this.redraw();
    this.#say();
  }

  #bring(thread) {
    const { seen } = this.picture;
    this.picture.top = Math.min(thread, Math.max(thread - seen + 1, this.picture.top));
  }

  /* The next event of the thread, or the one before, and to its middle. */
  beside(step) {
    const { thread } = this.cursor;
    const row = this.data.stretchAt(thread, this.#middle());
    if (row < 0) {
      this.pan(step * 0.15);
      return;
    }
    const line = this.data.lines[thread];
    const next = this.data.beside(thread, row, step);
    this.cursor.when = line.begin[next] + line.length[next] / 2;
    const { from, to } = this.view;
    if (this.cursor.when < from || this.cursor.when > to) {
      this.#show(this.#within(this.cursor.when - (to - from) / 2, this.cursor.when + (to - from) / 2));
    }
    this.redraw();
    this.#say();
  }

  /* What is under the cursor, or at some place, as wide as is good to see. */
  enter(x, y) {
    if (x !== undefined) this.#point(x, y);
    const { thread } = this.cursor;
    const row = thread < 0 ? -1 : this.data.stretchAt(thread, this.#middle());
    if (row < 0) {
      this.zoom(1 / 4, x);
      return;
    }
    const { begin, length } = this.data.lines[thread];
    this.cursor.when = begin[row] + length[row] / 2;
    this.#show(this.#within(begin[row] - length[row] / 3, begin[row] + (length[row] * 4) / 3), true);
    this.#say();
  }

  instance(by) {
    const found = this.marks.step(by);
    if (!found) {
      this.#tellPicked();
      return;
    }
    const long = Math.max(NARROWEST, found.end - found.begin);
    this.cursor = { when: found.begin + (found.end - found.begin) / 2, thread: found.thread };
    this.#bring(found.thread);
    this.#show(this.#within(found.begin - long, found.end + long), true);
    this.#tellPicked();
    this.#say();
  }

  select(detail) {
    this.selected = detail;
    this.marks.select(detail);
    this.picture.map = null;
    this.#tellPicked();
    this.redraw();
  }

  #point(x, y) {
    const thread = this.picture.threadAt(y);
    this.cursor = { when: this.picture.timeAt(this.view, x), thread: thread < 0 ? this.cursor.thread : thread };
    return x >= this.picture.gutter && thread >= 0;
  }

  hover(x, y) {
    this.spoken(false);
    const isOver = this.#point(x, y);
    if (!isOver) this.cursor.when = null;
    this.#say();
    this.tip.hidden = !isOver;
    if (isOver) this.#placeTip(x, y);
    this.redraw();
  }

  #placeTip(x, y) {
    const room = this.picture.width;
    const wide = this.tip.offsetWidth;
    const left = x + 16 + wide > room ? Math.max(0, x - wide - 12) : x + 16;
    this.tip.style.transform = `translate(${left}px, ${y + 18}px)`;
  }

  leave() {
    this.tip.hidden = true;
    this.cursor.when = null;
    this.redraw();
  }

  /* Where a drag began decides on what it does: the whole run moves the view there, the axis (or
   * the shift key) selects the time to see, the rows are moved. */
  grip(x, y, shift) {
    this.tip.hidden = true;
    this.section.classList.add("tl-held");
    if (y > this.picture.height - MAP) {
      this.#leap(x);
      return "map";
    }
    return y < AXIS || shift ? this.picture.timeAt(this.view, x) : "rows";
  }

  #leap(x) {
    const all = { from: 0, to: this.data.duration };
    const when = this.picture.timeAt(all, x);
    const half = (this.view.to - this.view.from) / 2;
    this.#show(this.#within(when - half, when + half));
  }

  drag(grip, [x, y], [beforeX, beforeY]) {
    if (grip === "map") this.#leap(x);
    else if (grip === "rows") {
      this.shift(beforeX - x);
      this.pulled = (this.pulled ?? 0) + beforeY - y;
      const rows = Math.trunc(this.pulled / this.picture.row);
      this.pulled -= rows * this.picture.row;
      this.picture.top = Math.max(0, Math.min(this.data.threads.length - this.picture.seen, this.picture.top + rows));
    } else this.cursor.when = this.picture.timeAt(this.view, x);
    this.redraw();
  }

  drop(grip, [x, y], moved) {
    this.section.classList.remove("tl-held");
    this.pulled = 0;
    if (typeof grip === "number" && moved) {
      const until = this.picture.timeAt(this.view, x);
      this.#show(this.#within(Math.min(grip, until), Math.max(grip, until)), true);
    } else if (!moved && grip !== "map") {
      this.#point(x, y);
      this.#say();
      this.redraw();
    }
  }

  /* Whether what is under the cursor is read out: not while a pointer passes over it. */
  spoken(isKeyboard) {
    this.under.setAttribute("aria-live", isKeyboard ? "polite" : "off");
    if (isKeyboard) this.tip.hidden = true;
  }

  #say() {
    const { thread, when } = this.cursor;
    if (when === null || when < 0 || when > this.data.duration) {
      this.under.textContent = "";
      return;
    }
    const row = this.data.stretchAt(thread, when);
    const level = this.data.level((this.view.to - this.view.from) / this.picture.span);
    const bin = Math.min(level.bins - 1, Math.floor(when / level.width));
    const said = row >= 0 ? this.words.stretch(thread, row) : this.words.bin(thread, level, bin);
    const mark = this.marks.under(thread, when);
    const lines = [said.title, said.chain, said.when, mark ? `instance${this.#size(mark, " of ")}` : ""];
    this.under.textContent = [lines[0], lines[2], lines[3]].filter(Boolean).join(" · ");
    this.tip.replaceChildren(...lines.filter(Boolean).map((text, at) => {
      const line = document.createElement(at ? "span" : "strong");
      line.textContent = text;
      if (at === 3) line.className = "tl-marked";
      return line;
    }));
  }

  #tellPicked() {
    const { marks } = this;
    const buttons = this.section.querySelectorAll('[data-act="next"], [data-act="before"]');
    buttons.forEach((button) => { button.disabled = !marks.rows.length; });
    this.picked.textContent = this.#picked();
  }

  #picked() {
    const { marks } = this;
    if (!this.selected) return "Nothing is selected.";
    if (!marks.known) return "What is selected is not told instance by instance.";
    if (!marks.rows.length) return "What is selected has no instance here.";
    const many = marks.rows.length;
    const isAll = marks.known.rows === marks.known.count;
    const { current } = marks;
    if (current) return `Instance ${number(marks.at + 1)} of ${number(many)}${this.#size(current, ": ")} on ${this.words.threads[current.thread]}`;
    const which = isAll || marks.isPart ? "" : ` of ${number(marks.known.count)}`;
    return `${isAll ? "" : "The worst "}${number(many)}${which} instance${many > 1 ? "s" : ""} marked`;
  }

  /* Of what is counted each is one. */
  #size(mark, before) {
    return this.marks.known.unit === "s" ? before + lasting(mark.severity) : "";
  }

  #tell() {
    const { data } = this;
    const { seen } = this.picture;
    const many = data.threads.length;
    this.told.textContent = [
      data.whole ? `All ${number(data.events)} intervals of the trace are here: zoom in until you see one.` : "",
      seen < many ? `${seen} of ${many} threads are seen: the arrow keys or dragging lead to the others.` : "",
    ].join(" ").trim();
    this.#tellPicked();
    this.#tellBound();
  }

  /* What of a trace that is larger than a page is not here, and how to get it. */
  #tellBound() {
    const { data } = this;
    if (data.whole) return;
    const { from, to } = this.view;
    const isHere = data.windowAt(from) >= 0 && data.windowAt(from) === data.windowAt(to);
    const finest = data.levels[data.levels.length - 1].width / data.second;
    const second = (ticks) => +(ticks / data.second).toPrecision(9);
    this.note.textContent = isHere
      ? "Every interval of this time is here."
      : `Of ${number(data.events)} intervals a page takes ${number(data.bound)} one by one; here are sums of ${lasting(finest)}` +
        `${data.begin.length ? ` and what is around ${data.window ? "the time asked for" : "the worst instances"}` : ""}. ` +
        `For each interval seen now: pomp-clang report --format html --from ${second(from)} --to ${second(to)}`;
  }
}

/* From one view to another: as if one came nearer while moving. */
function between(one, other, part) {
  const wide = (one.to - one.from) ** (1 - part) * (other.to - other.from) ** part;
  const middle = (view) => (view.from + view.to) / 2;
  const [from, to] = [one.to - one.from, other.to - other.from];
  const done = Math.abs(to - from) < 1e-9 * from ? part : (wide - from) / (to - from);
  const at = middle(one) + (middle(other) - middle(one)) * done;
  return { from: at - wide / 2, to: at + wide / 2 };
}

(async () => {
  const section = document.querySelector(".tl");
  let early = null;
  const remember = (event) => { early = event.detail; };
  document.addEventListener("pomp:select", remember);
  const [about, columns] = await Promise.all(["timeline-about", "timeline-columns"].map((name) => pomp.load(name)));
  const data = new TimelineData(JSON.parse(new TextDecoder().decode(about)), new Uint8Array(columns));
  document.removeEventListener("pomp:select", remember);
  const timeline = new Timeline(section, data);
  if (early) timeline.select(early);
  section.classList.add("tl-ready");
})();
