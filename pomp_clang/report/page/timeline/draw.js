// @ts-check
/* The picture: rows are threads, and each pixel column shows their states in its time. */
const AXIS = 26;
const LEAST = 300;
/* Least height of all rows together. */
const THIN = 5;
const THICK = 180;
/* Height of a row, at least and at most. */
const BESIDE = 360;
/* Height of the page's other elements, which stay visible. */

class TimelinePicture {
  constructor(canvas, data, rows, marks, words, colours) {
    this.canvas = canvas;
    this.data = data;
    this.rows = rows;
    this.marks = marks;
    this.words = words;
    this.colours = colours;
    this.map = new TimelineMap(data, marks, rows, colours);
    this.arrows = new TimelineArrows(data.messages, rows);
    this.context = canvas.getContext("2d", { alpha: false });
    this.top = 0;
    this.sheet = document.createElement("canvas").getContext("2d", { alpha: false });
    this.widths = new Map();
  }

  /* In pixels of the page: its width decides on all else. */
  measure() {
    const width = Math.max(200, this.canvas.parentElement.clientWidth);
    const rows = this.rows.list.length;
    this.gutter = width < 560 ? 62 : 84;
    const room = Math.max(LEAST, innerHeight - BESIDE - this.map.room);
    this.row = Math.max(THIN, Math.min(THICK, Math.floor(room / Math.max(1, rows))));
    this.seen = Math.max(1, Math.min(rows, Math.floor(room / this.row)));
    this.top = Math.max(0, Math.min(this.top, rows - this.seen));
    this.width = width;
    this.height = AXIS + this.seen * this.row + 8 + this.map.room;
    this.scale = Math.min(3, window.devicePixelRatio || 1);
    const [across, down] = [Math.round(width * this.scale), Math.round(this.height * this.scale)];
    if (this.canvas.width !== across || this.canvas.height !== down) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.canvas.style.height = `${this.height}px`;
    }
    this.map.forget();
  }

  /* The part of the canvas that has the time. */
  get span() {
    return this.width - this.gutter;
  }

  timeAt(view, x) {
    return view.from + ((x - this.gutter) / this.span) * (view.to - view.from);
  }

  xOf(view, when) {
    return this.gutter + ((when - view.from) / (view.to - view.from)) * this.span;
  }

  rowAt(y) {
    const row = Math.floor((y - AXIS) / this.row);
    return row >= 0 && row < this.seen ? row + this.top : -1;
  }

  yOf(row) {
    return AXIS + (row - this.top) * this.row;
  }

  draw(view, cursor) {
    const { context, scale } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#isOther(view)) this.drawn = this.#rows(view);
    context.drawImage(this.sheet.canvas, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.#names(cursor);
    this.#axis(view);
    this.#labels(view);
    this.arrows.draw(this, view);
    this.#marks(view);
    this.arrows.link(this, view, this.marks.current);
    this.map.draw(this, view);
    this.#cursor(view, cursor);
    this.#scrolled();
  }

  /* True if the rows must be painted again; overlays do not need it. */
  #isOther(view) {
    const { width, height } = this.canvas;
    const now = [
      view.from, view.to, this.top, this.row, width, height,
      this.rows.list, this.marks.rows, this.colours.groups, this.data.blocks.unpacked,
    ];
    if (this.painted?.every((each, at) => each === now[at])) return false;
    this.painted = now;
    return true;
  }

  #clean() {
    const { width, height } = this.canvas;
    Object.assign(this.sheet.canvas, { width, height });
    this.sheet.fillStyle = this.colours.ground;
    this.sheet.fillRect(0, 0, width, height);
  }

  #rows(view) {
    const { scale, data } = this;
    this.#clean();
    const columns = Math.max(1, Math.round(this.span * scale));
    const height = Math.max(1, Math.round((this.row - this.gap - this.strip) * scale));
    const brief = Math.round(BRIEF * scale);
    const shares = new TimelineShares(data, view.from, view.to, columns, this.seen);
    const lit = this.marks.rows.length
      ? this.marks.lit(view.from, (view.to - view.from) / columns, columns)
      : null;
    const image = this.context.createImageData(columns, height);
    const pixels = new Uint32Array(image.data.buffer);
    const missing = [];
    let whole = true;
    this.exact = [];
    this.#each((row, { threads }) => {
      const isWhole = threads.length > 1 ? shares.mean(threads, missing) : shares.take(threads[0], missing);
      whole = isWhole && whole;
      this.exact[row] = shares.isExact;
      shares.soften(brief);
      const here = shares.lit(lit && united(threads.map((thread) => lit[thread])));
      paint(pixels, columns, height, shares, this.colours, here);
      this.sheet.putImageData(image, Math.round(this.gutter * scale), Math.round(this.yOf(row) * scale));
    });
    this.isWaiting = missing.length > 0;
    data.blocks.want(missing);
    return whole ? "events" : "bins";
  }

  /* How many stretches are seen, and whether each is drawn. */
  counted(view) {
    const { blocks } = this.data;
    const seen = [];
    this.#each((row, { threads, process }) => {
      if (!process?.isOpen || process.all.length < 2) seen.push([this.exact[row], threads]);
    });
    const isExact = seen.every(([is]) => is);
    const many = (thread) => (isExact
      ? [...blocks.rows(thread, view.from, view.to)].reduce((sum, [, first, stop]) => sum + stop - first, 0)
      : blocks.rowAt(thread, view.to) - blocks.rowAt(thread, view.from));
    const sum = (threads) => threads.reduce((all, thread) => all + many(thread), 0);
    return [seen.reduce((all, [, threads]) => all + sum(threads), 0), isExact];
  }

  /* The visible rows. */
  #each(act) {
    const last = Math.min(this.top + this.seen, this.rows.list.length);
    for (let row = this.top; row < last; row += 1) act(row, this.rows.list[row]);
  }

  /* The free height below each row; the space for marks is above it. */
  get gap() {
    return this.row > 20 ? 3 : this.row > 9 ? 1 : 0;
  }

  get strip() {
    return this.row > 20 ? 6 : this.row > 9 ? 4 : 1;
  }

  #names(cursor) {
    const { context, colours } = this;
    context.font = `${this.row < 18 ? 10 : 12}px ${colours.font}`;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const apart = Math.ceil(11 / this.row);
    this.#each((row, of) => {
      const isNear = cursor.row !== row && Math.abs(cursor.row - row) < apart;
      if (apart > 1 && (isNear || (row % apart && cursor.row !== row))) return;
      const middle = this.yOf(row) + (this.row - this.strip) / 2;
      context.fillStyle = cursor.row === row ? colours.accent : of.process ? colours.ink : colours.soft;
      const name = this.words.row(of);
      context.fillText(this.gutter < 80 ? name.replace("thread ", "") : name, this.gutter - 8, middle, this.gutter - 10);
      if (of.process?.isOpen && row > this.top) {
        context.fillStyle = colours.line;
        context.fillRect(0, this.yOf(row) - 2, this.width, 1);
      }
    });
  }

  /* Names of stretches that are wide enough, and lines where they begin. */
  #labels(view) {
    const { context, colours, data } = this;
    const least = (26 / this.span) * (view.to - view.from);
    context.font = `11px ${colours.font}`;
    context.textAlign = "left";
    const height = this.row - this.gap - this.strip;
    if (height < 11) return;
    this.#each((row, { thread }) => {
      if (!this.exact[row]) return;
      for (const [{ begin, state }, first, stop] of data.blocks.rows(thread, view.from, view.to)) {
        for (let at = first; at < stop; at += 1) {
          if (begin[at + 1] - begin[at] >= least) this.#label(view, row, begin[at], begin[at + 1], state[at], height);
        }
      }
    });
  }

  #label(view, row, begin, end, state, height) {
    const { context, colours } = this;
    const left = Math.max(this.gutter, this.xOf(view, begin));
    const right = Math.min(this.width, this.xOf(view, end));
    if (right - left < 6) return;
    const top = this.yOf(row);
    context.fillStyle = colours.ground;
    if (left > this.gutter) context.fillRect(left, top, 1, height);
    const text = this.#fitting(this.words.label(state), right - left - 8);
    if (!text) return;
    context.save();
    context.beginPath();
    context.rect(left, top, right - left - 2, height);
    context.clip();
    context.fillStyle = colours.label;
    context.fillText(text, left + 4, top + height / 2 + 0.5);
    context.restore();
  }

  /* Shortens a name to the room; "" if hardly any letter would fit. */
  #fitting(text, room) {
    if (!text || room < 18) return "";
    if (!this.widths.has(text)) this.widths.set(text, this.context.measureText(text).width);
    const whole = this.widths.get(text);
    const fits = whole <= room ? text.length : Math.floor((text.length * room) / whole) - 1;
    return fits === text.length ? text : fits < 3 ? "" : `${text.slice(0, fits).trimEnd()}\u2026`;
  }

  #marks(view) {
    const { context, colours, marks } = this;
    const bottom = this.row - this.gap;
    const [lift, tall] = this.strip > 2 ? [1, this.strip - 2] : [0, this.strip];
    const columns = Math.round(this.span);
    context.fillStyle = colours.mark;
    if (marks.rows.length) {
      const lit = marks.lit(view.from, (view.to - view.from) / columns, columns);
      this.#each((row, { threads, process }) => {
        if (process?.isOpen && threads.length > 1) return;
        const y = this.yOf(row) + bottom - this.strip + lift;
        const any = united(threads.map((thread) => lit[thread]));
        runs(any, (from, to) => context.fillRect(this.gutter + from, y, Math.max(1.5, to - from), tall));
      });
    }
    const current = marks.current;
    const row = current ? this.rows.rowOf[current.thread] : -1;
    if (row < this.top || row >= this.top + this.seen) return;
    const left = Math.max(this.gutter - 4, this.xOf(view, current.begin));
    const right = Math.min(this.width + 4, this.xOf(view, current.end));
    if (right < this.gutter || left > this.width) return;
    const top = this.yOf(row);
    context.strokeStyle = colours.mark;
    context.lineWidth = 2;
    context.save();
    context.beginPath();
    context.rect(this.gutter, 0, this.span, this.height);
    context.clip();
    context.strokeRect(left, top - 1, Math.max(2, right - left), bottom + 1);
    context.restore();
    const middle = Math.max(this.gutter + 5, Math.min(this.width - 5, (left + right) / 2));
    context.beginPath();
    context.moveTo(middle - 5, top - 8);
    context.lineTo(middle + 5, top - 8);
    context.lineTo(middle, top - 1);
    context.fill();
  }

  #axis(view) {
    const { context, colours, data } = this;
    const apart = (view.to - view.from) / data.second;
    const step = stepOf((apart * 90) / this.span);
    const from = view.from / data.second;
    const isFar = step < from * 1e-5;
    const origin = isFar ? Math.floor(from / (step * 100)) * step * 100 : 0;
    const said = alike(step, from + apart - origin);
    context.font = `11px ${colours.font}`;
    context.textBaseline = "alphabetic";
    context.fillStyle = colours.soft;
    context.textAlign = "right";
    context.fillText(isFar ? `+${moment(origin, step * 100)}` : "", this.gutter - 6, 12, this.gutter - 6);
    context.textAlign = "center";
    for (let tick = Math.ceil((from - origin) / step); ; tick += 1) {
      const x = this.xOf(view, (origin + tick * step) * data.second);
      if (x > this.width) break;
      context.fillStyle = colours.soft;
      context.globalAlpha = 0.25;
      context.fillRect(Math.round(x), 17, 1, AXIS - 17 + this.seen * this.row);
      context.globalAlpha = 1;
      context.fillStyle = colours.soft;
      const half = context.measureText(said(tick * step)).width / 2;
      if (x + half < this.width && x - half > this.gutter - 20) context.fillText(said(tick * step), x, 13);
    }
  }

  #cursor(view, cursor) {
    const { context, colours } = this;
    if (cursor.when === null || cursor.when < view.from || cursor.when > view.to) return;
    const x = Math.round(this.xOf(view, cursor.when));
    context.fillStyle = colours.accent;
    context.globalAlpha = 0.7;
    context.fillRect(x, AXIS - 4, 1, this.seen * this.row + 4);
    context.globalAlpha = 1;
    if (cursor.row < this.top || cursor.row >= this.top + this.seen) return;
    context.fillRect(this.gutter - 5, this.yOf(cursor.row), 3, Math.max(1, this.row - this.strip - 1));
  }

  /* Which of the rows are seen, where that are not all. */
  #scrolled() {
    const { context, colours, seen, top } = this;
    const rows = this.data.threads.length;
    if (seen >= rows) return;
    const tall = seen * this.row;
    context.fillStyle = colours.soft;
    context.globalAlpha = 0.6;
    context.fillRect(this.width - 4, AXIS + (tall * top) / rows, 3, (tall * seen) / rows);
    context.globalAlpha = 1;
  }
}

/* Calls `found` with the ends of each range in which a column of flags is set. */
function runs(flags, found) {
  for (let from = 0; from < flags.length; from += 1) {
    if (!flags[from]) continue;
    let to = from + 1;
    while (to < flags.length && flags[to]) to += 1;
    found(from, to);
    from = to;
  }
}

/* 1, 2 or 5 of some power of ten, and no less. */
function stepOf(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-10)));
  return power * [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9));
}
