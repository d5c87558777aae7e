// @ts-check
/* The instances of the selected inefficiency, the worst first. */
class TimelineMarks {
  constructor(data) {
    this.data = data;
    this.first = new Map();
    let row = 0;
    for (const of of data.marks.of) {
      this.first.set(of.metric, { ...of, row });
      row += of.rows;
    }
    this.rows = new Uint32Array(0);
    this.at = -1;
    this.known = null;
  }

  /* The marks of the selected property, at the path and below it, on one thread or all. */
  select({ property, path, location }) {
    const { thread, path: paths } = this.data.marks;
    this.known = this.first.get(property) ?? null;
    this.at = -1;
    if (!this.known) {
      this.rows = new Uint32Array(0);
      return;
    }
    const within = this.#below(path ?? 0);
    const found = [];
    for (let row = this.known.row; row < this.known.row + this.known.rows; row += 1) {
      if (within[paths[row]] && (location === null || location === undefined || thread[row] === location)) found.push(row);
    }
    this.rows = Uint32Array.from(found);
    this.isPart = Boolean(path) || (location !== null && location !== undefined);
  }

  #below(path) {
    const within = new Uint8Array(this.data.paths.length);
    within[path] = 1;
    this.data.paths.forEach(({ above }, row) => { if (above >= 0 && within[above]) within[row] = 1; });
    return within;
  }

  get current() {
    return this.at < 0 ? null : this.instance(this.rows[this.at]);
  }

  instance(row) {
    const { thread, path, begin, length, severity, partner } = this.data.marks;
    const other = partner?.thread[row] ? { thread: partner.thread[row] - 1, begin: partner.begin[row] } : null;
    return {
      row, thread: thread[row], path: path[row], begin: begin[row],
      end: begin[row] + length[row], severity: severity[row], partner: other,
    };
  }

  /* To the next or the one before; null where there is none. */
  step(by) {
    if (!this.rows.length) return null;
    this.at = this.at < 0 && by < 0
      ? this.rows.length - 1
      : (this.at + by + this.rows.length) % this.rows.length;
    return this.current;
  }

  /* The worst that lasts at a moment on a thread. */
  under(thread, when) {
    const marks = this.data.marks;
    const row = this.rows.find((each) => marks.thread[each] === thread &&
      marks.begin[each] <= when && when < marks.begin[each] + marks.length[each]);
    return row === undefined ? null : this.instance(row);
  }

  /* Returns, for each thread, the columns with a mark; a column is `width` ticks wide. */
  lit(from, width, columns) {
    const { thread, begin, length } = this.data.marks;
    const lit = this.data.threads.map(() => new Uint8Array(columns));
    for (const row of this.rows) {
      const first = Math.max(0, Math.floor((begin[row] - from) / width));
      const last = Math.min(columns - 1, Math.floor((begin[row] + Math.max(0, length[row] - 1e-9) - from) / width));
      if (last >= first) lit[thread[row]].fill(1, first, last + 1);
    }
    return lit;
  }
}
