// @ts-check
/* Shares of pixel columns: the time of a thread in each group, and its most frequent state, of
 * work and of the rest. */
const MANY = 1 << 19;
/* The number of visible intervals that are drawn one by one where bins are wide. */
const FEW = 1 << 17;
/* The number drawn one by one even where bins suffice: bins have no names and moments. */
const BRIEF = 6;
/* Pixels: briefer activities one after the other are drawn as their density. */
const SEVERAL = 8;
/* Minimum number that have to follow each other. */
const WIDE = 3;
/* Multiple of this width from which on an activity between brief ones is drawn as it is. */
const MOST = 0.5;
/* Part of the columns in brief activities from which on a row is all lit. */

class TimelineShares {
  constructor(data, from, to, columns, rows = 1) {
    this.data = data;
    this.from = from;
    this.to = to;
    this.columns = columns;
    this.width = (to - from) / columns;
    this.rows = rows;
    this.parts = data.groups.map(() => new Float64Array(columns));
    this.brief = new Uint8Array(columns);
    this.most = [new Int32Array(columns), new Int32Array(columns)];
    this.longest = [new Float64Array(columns), new Float64Array(columns)];
  }

  clear() {
    this.parts.forEach((each) => each.fill(0));
    this.most.forEach((each) => each.fill(-1));
    this.longest.forEach((each) => each.fill(0));
  }

  /* True if events are shown, or bins no wider than a column.  Blocks that are
   * needed for that, and not there, go to `missing`. */
  take(thread, missing) {
    const { data } = this;
    this.clear();
    const level = data.level(this.width);
    const isFine = level.width <= this.width;
    const many = data.blocks.rowAt(thread, this.to) - data.blocks.rowAt(thread, this.from);
    const isFew = many <= (isFine ? Math.max(2 * this.columns, FEW / this.rows) : MANY / this.rows);
    const pieces = isFew ? this.#pieces(thread, missing) : [];
    this.isExact = this.#covers(pieces);
    if (!this.isExact) this.#bins(thread, level);
    if (isFine && !this.isExact) return true;
    for (const [from, to] of pieces) this.#events(thread, from, to, !this.isExact);
    return this.isExact;
  }

  /* Several threads together, on the average; from the bins alone where there are enough. */
  mean(threads, missing = []) {
    const { blocks } = this.data;
    this.clear();
    const level = this.data.level(this.width);
    for (const thread of threads) {
      const isFew = blocks.rowAt(thread, this.to) - blocks.rowAt(thread, this.from) <= MANY / this.rows;
      const pieces = level.width > this.width && isFew ? this.#pieces(thread, missing) : [];
      if (this.#covers(pieces)) this.#events(thread, this.from, this.to, false);
      else this.#bins(thread, level);
    }
    const many = Math.max(1, threads.length);
    this.parts.forEach((part) => part.forEach((each, at) => { part[at] = each / many; }));
    this.isExact = false;
    return level.width <= this.width;
  }

  /* Replaces activities that are briefer than some columns by their density: the mean over the
   * columns around. */
  soften(columns) {
    const { parts, most } = this;
    this.brief = this.#brief(columns);
    this.#join(columns);
    runs(this.brief, (from, to) => {
      if (to - from < SEVERAL * columns) {
        this.brief.fill(0, from, to);
        return;
      }
      // Two means leave little of a period near the width of one.
      for (const part of parts) part.set(meanAround(meanAround(part.subarray(from, to), columns), columns), from);
      for (const of of most) of.fill(-1, from, to);
    });
    return this;
  }

  /* Takes activities that are not much wider for brief where as many columns of brief ones are on both
   * sides. */
  #join(columns) {
    const before = Uint8Array.from(this.brief);
    const isWhole = (from, to) => from >= 0 && to <= this.columns && !before.subarray(from, to).includes(0);
    runs(before.map((is) => (is ? 0 : 1)), (from, to) => {
      const isAmong = isWhole(from - columns, from) && isWhole(to, to + columns);
      if (to - from < WIDE * columns && isAmong) this.brief.fill(1, from, to);
    });
  }

  /* The columns to draw in full colour, of those with instances: all of them where most are of brief
   * activities, of which none is seen. */
  lit(flags) {
    return !flags || this.isDense ? null : united([this.brief, flags]);
  }

  get isDense() {
    return this.brief.reduce((sum, is) => sum + is, 0) >= MOST * this.columns;
  }

  /* The columns that are not in a run of like ones that is long enough to be seen. */
  #brief(columns) {
    const NEAR = 0.06;
    const brief = new Uint8Array(this.columns).fill(1);
    const apart = (one, other) => this.parts.reduce((sum, part) => sum + Math.abs(part[one] - part[other]), 0);
    for (let from = 0; from < this.columns;) {
      let to = from + 1;
      while (to < this.columns && apart(from, to) <= NEAR) to += 1;
      if (to - from >= columns) brief.fill(0, from, to);
      from = to;
    }
    return brief;
  }

  /* Flags of columns, in brief activities with those around. */
  spread(flags, columns) {
    const found = Uint8Array.from(flags);
    runs(flags, (from, to) => {
      for (let at = Math.max(0, from - columns); at < Math.min(flags.length, to + columns); at += 1) {
        if (this.brief[at]) found[at] = 1;
      }
    });
    return found;
  }

  /* The ranges of the windows whose intervals are loaded. */
  #pieces(thread, missing) {
    const { begin, end, blocks } = this.data;
    const [first, stop] = this.data.windows(this.from, this.to);
    const found = [];
    for (let window = first; window < stop; window += 1) {
      const [from, to] = [Math.max(this.from, begin[window]), Math.min(this.to, end[window])];
      found.push(...blocks.pieces(thread, from, to, missing));
    }
    return found;
  }

  #covers(pieces) {
    const covered = pieces.reduce((sum, [from, to]) => sum + to - from, 0);
    return covered >= (this.to - this.from) * (1 - 1e-12);
  }

  #bins(thread, level) {
    const { parts, width, columns } = this;
    const { group } = this.data.state;
    const offset = thread * level.bins;
    const last = Math.min(level.bins - 1, Math.floor(this.to / level.width));
    for (let bin = Math.max(0, Math.floor(this.from / level.width)); bin <= last; bin += 1) {
      const at = offset + bin;
      const [begin, end] = [bin * level.width, (bin + 1) * level.width];
      const column = Math.floor((begin - this.from) / width);
      const isWithin = column >= 0 && column < columns && end - this.from <= (column + 1) * width;
      for (let of = 0; of < parts.length; of += 1) {
        const ticks = level.ticks[of][at];
        if (!ticks) continue;
        if (isWithin) parts[of][column] += ticks / width;
        else this.#spread(parts[of], begin, end, ticks / level.width);
      }
      for (let side = 0; side < 2; side += 1) {
        const state = level.most[side][at] - 1;
        if (state >= 0) this.#longest(side, state, begin, end, level.ticks[group[state]][at]);
      }
    }
  }

  #events(thread, from, to, isOver) {
    if (isOver) {
      if (to - from < this.width) return;
      this.#forget(from, to);
    }
    for (const [block, first, stop] of this.data.blocks.rows(thread, from, to)) {
      this.#stretches(block, first, stop, from, to);
    }
  }

  /* Most of many begin and end in the same column. */
  #stretches({ begin, state }, first, stop, from, to) {
    const { parts, longest, most, width, columns } = this;
    const { work, state: { group } } = this.data;
    for (let row = first, since = Math.max(from, begin[first]), until = 0; row < stop; row += 1, since = until) {
      until = Math.min(to, begin[row + 1]);
      if (until <= since) continue;
      const of = group[state[row]];
      const side = of < work ? 0 : 1;
      const column = Math.floor((since - this.from) / width);
      if (column >= 0 && column < columns && until - this.from <= (column + 1) * width) {
        parts[of][column] += (until - since) / width;
        if (until - since > longest[side][column]) {
          longest[side][column] = until - since;
          most[side][column] = state[row];
        }
        continue;
      }
      this.#spread(parts[of], since, until, 1);
      this.#longest(side, state[row], since, until, until - since);
    }
  }

  /* Clears the bins' values in columns that have events. */
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

/* The mean over this many values on each side. */
function meanAround(values, reach) {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, at) => { sums[at + 1] = sums[at] + value; });
  return Float64Array.from(values, (_, at) => {
    const [from, to] = [Math.max(0, at - reach), Math.min(values.length, at + reach + 1)];
    return (sums[to] - sums[from]) / (to - from);
  });
}

/* Paints each column of a picture from the bottom up, with the share of each group. */
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
