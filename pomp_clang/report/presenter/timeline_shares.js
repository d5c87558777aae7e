/* For columns of some time: how much of each a thread was in each group, and which state it was
 * in most, on the side that is work and on the other. */
class TimelineShares {
  constructor(data, from, to, columns) {
    Object.assign(this, { data, from, columns, width: (to - from) / columns, to });
    this.parts = data.groups.map(() => new Float64Array(columns));
    this.most = [new Int32Array(columns), new Int32Array(columns)];
    this.longest = [new Float64Array(columns), new Float64Array(columns)];
  }

  clear() {
    this.parts.forEach((each) => each.fill(0));
    this.most.forEach((each) => each.fill(-1));
    this.longest.forEach((each) => each.fill(0));
  }

  /* Whether what is shown are events, or bins that are no wider than a column. */
  take(thread) {
    const { data } = this;
    this.clear();
    const level = data.level(this.width);
    const isFine = level.width <= this.width;
    const [first, stop] = data.windows(this.from, this.to);
    let covered = 0;
    for (let window = first; window < stop; window += 1) {
      covered += Math.min(this.to, data.end[window]) - Math.max(this.from, data.begin[window]);
    }
    const isCovered = covered >= (this.to - this.from) * (1 - 1e-12);
    const line = data.lines[thread];
    const rows = isCovered ? this.#count(line, first, stop) : 0;
    if (isFine && (!isCovered || rows > 2 * this.columns)) {
      this.#bins(thread, level);
      return true;
    }
    if (!isCovered) this.#bins(thread, level);
    for (let window = first; window < stop; window += 1) this.#events(line, window, !isCovered);
    return isCovered;
  }

  /* All threads together, from the bins alone where there are enough. */
  all() {
    this.clear();
    const level = this.data.level(this.width);
    if (level.width > this.width && this.data.whole) {
      this.data.lines.forEach((line) => this.#events(line, 0, false));
    } else {
      this.data.threads.forEach((_, thread) => this.#bins(thread, level));
    }
    const threads = Math.max(1, this.data.threads.length);
    this.parts.forEach((part) => part.forEach((each, at) => { part[at] = each / threads; }));
  }

  #count(line, first, stop) {
    let rows = 0;
    for (let window = first; window < stop; window += 1) {
      const [low, high] = [line.from[window], line.from[window + 1]];
      rows += after(line.begin, this.to, low, high) - after(line.begin, this.from, low, high);
    }
    return rows;
  }

  #bins(thread, level) {
    const offset = thread * level.bins;
    const first = Math.max(0, Math.floor(this.from / level.width));
    const last = Math.min(level.bins - 1, Math.floor(this.to / level.width));
    for (let bin = first; bin <= last; bin += 1) {
      const at = offset + bin;
      const begin = bin * level.width;
      for (let group = 0; group < this.parts.length; group += 1) {
        const ticks = level.ticks[group][at];
        if (ticks) this.#spread(this.parts[group], begin, begin + level.width, ticks / level.width);
      }
      for (let side = 0; side < 2; side += 1) {
        const state = level.most[side][at] - 1;
        if (state >= 0) this.#longest(side, state, begin, begin + level.width, level.ticks[this.data.state.group[state]][at]);
      }
    }
  }

  #events(line, window, isOver) {
    const { data } = this;
    const from = Math.max(this.from, data.begin[window]);
    const to = Math.min(this.to, data.end[window]);
    if (isOver) {
      if (to - from < this.width) return;
      this.#forget(from, to);
    }
    const [low, high] = [line.from[window], line.from[window + 1]];
    const last = after(line.begin, to, low, high);
    for (let row = Math.max(low, after(line.begin, from, low, high) - 1); row < last; row += 1) {
      const begin = Math.max(from, line.begin[row]);
      const end = Math.min(to, line.begin[row] + line.length[row]);
      if (end <= begin) continue;
      const group = data.state.group[line.state[row]];
      this.#spread(this.parts[group], begin, end, 1);
      this.#longest(group < data.work ? 0 : 1, line.state[row], begin, end, end - begin);
    }
  }

  /* What the bins had said of columns that events tell of. */
  #forget(from, to) {
    const first = Math.max(0, Math.floor((from - this.from) / this.width));
    const last = Math.min(this.columns, Math.ceil((to - this.from) / this.width));
    for (const part of this.parts) part.fill(0, first, last);
    for (const side of [0, 1]) this.longest[side].fill(0, first, last);
  }

  #spread(part, begin, end, share) {
    const [low, high] = [(begin - this.from) / this.width, (end - this.from) / this.width];
    const first = Math.max(0, Math.floor(low));
    const last = Math.min(this.columns - 1, Math.floor(high));
    if (first >= last) {
      if (first < this.columns && last >= 0) part[first] += (Math.min(high, first + 1) - Math.max(low, first)) * share;
      return;
    }
    part[first] += (first + 1 - Math.max(low, first)) * share;
    for (let column = first + 1; column < last; column += 1) part[column] += share;
    part[last] += (Math.min(high, last + 1) - last) * share;
  }

  #longest(side, state, begin, end, ticks) {
    const first = Math.max(0, Math.floor((begin - this.from) / this.width));
    const last = Math.min(this.columns - 1, Math.floor((end - this.from) / this.width));
    for (let column = first; column <= last; column += 1) {
      if (ticks > this.longest[side][column]) {
        this.longest[side][column] = ticks;
        this.most[side][column] = state;
      }
    }
  }
}

/* Each column of a picture from the bottom up, as much of each group as there is of it. */
function paint(pixels, columns, height, shares, colours, lit) {
  const { groups, work } = shares.data;
  const { group } = shares.data.state;
  const idle = groups.length - 1;
  for (let column = 0; column < columns; column += 1) {
    const isLit = !lit || lit[column];
    const [ofGroup, ofState] = isLit ? [colours.groups, colours.states] : [colours.dimGroups, colours.dimStates];
    let sum = 0;
    for (const part of shares.parts) sum += part[column];
    let filled = 0;
    let part = 0;
    for (let each = 0; each < groups.length; each += 1) {
      if (each === idle) continue;
      part += shares.parts[each][column];
      const upTo = Math.min(height, Math.round(part * height));
      if (upTo <= filled) continue;
      const most = shares.most[each < work ? 0 : 1][column];
      const colour = most >= 0 && group[most] === each ? ofState[most] : ofGroup[each];
      for (; filled < upTo; filled += 1) pixels[(height - 1 - filled) * columns + column] = colour;
    }
    const rest = sum > 0 ? ofGroup[idle] : colours.groundPacked;
    for (; filled < height; filled += 1) pixels[(height - 1 - filled) * columns + column] = rest;
  }
}
