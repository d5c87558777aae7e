/* The columns of the time line (timeline_pack.py), and what they say of some time.
 * Times are ticks since the program's start. */
function unpack(bytes, [place, count, planes], Numbers = Float64Array) {
  const column = new Numbers(count);
  for (let plane = 0, of = 1; plane < planes; plane += 1, of *= 256) {
    const from = place + plane * count;
    for (let row = 0; row < count; row += 1) column[row] += bytes[from + row] * of;
  }
  return column;
}

/* The first row whose value is greater. */
function after(column, value, low = 0, high = column.length) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

class TimelineData {
  constructor(about, bytes) {
    Object.assign(this, {
      second: about.second, duration: Math.max(1, about.duration), events: about.events,
      whole: about.whole, bound: about.bound, window: about.window,
      threads: about.threads, paths: about.paths, activities: about.activities,
      groups: about.groups, work: about.work,
    });
    this.state = {
      path: unpack(bytes, about.states.path, Uint32Array),
      activity: unpack(bytes, about.states.activity, Uint8Array),
      group: unpack(bytes, about.states.group, Uint8Array),
    };
    this.begin = unpack(bytes, about.windows.begin);
    this.end = unpack(bytes, about.windows.end);
    this.lines = about.windows.lines.map((line) => this.#line(bytes, line));
    this.levels = this.#levels(bytes, about.levels);
    this.marks = {
      of: about.marks.of,
      thread: unpack(bytes, about.marks.thread, Uint32Array),
      path: unpack(bytes, about.marks.path, Uint32Array),
      begin: unpack(bytes, about.marks.begin),
      length: unpack(bytes, about.marks.length),
      severity: new Float32Array(unpack(bytes, about.marks.severity, Uint32Array).buffer),
    };
  }

  /* Of each window: `from` its row, and one more. */
  #line(bytes, packed) {
    const first = unpack(bytes, packed.first);
    const count = unpack(bytes, packed.count, Uint32Array);
    const length = unpack(bytes, packed.length);
    const begin = new Float64Array(length.length);
    const from = new Uint32Array(count.length + 1);
    for (let window = 0, row = 0; window < count.length; window += 1) {
      let when = first[window];
      for (const stop = row + count[window]; row < stop; row += 1) {
        begin[row] = when;
        when += length[row];
      }
      from[window + 1] = row;
    }
    return { begin, length, from, state: unpack(bytes, packed.state, Uint32Array) };
  }

  /* What is not told of the coarser ones is the sum of the finer. */
  #levels(bytes, packed) {
    const levels = packed.map(({ width, bins, most, ticks }) => ({
      width, bins,
      most: most.map((column) => unpack(bytes, column, Uint32Array)),
      ticks: ticks && ticks.map((column) => unpack(bytes, column)),
    }));
    for (let number = levels.length - 2; number >= 0; number -= 1) {
      const [coarse, fine] = [levels[number], levels[number + 1]];
      const factor = Math.round(coarse.width / fine.width);
      coarse.ticks = fine.ticks.map((of) => {
        const sums = new Float64Array(coarse.bins * this.threads.length);
        for (let row = 0; row < of.length; row += 1) {
          const thread = Math.floor(row / fine.bins);
          sums[thread * coarse.bins + Math.floor((row % fine.bins) / factor)] += of[row];
        }
        return sums;
      });
    }
    return levels;
  }

  /* The coarsest level with bins that are no wider, or the finest that there is. */
  level(width) {
    return this.levels.find((each) => each.width <= width) ?? this.levels[this.levels.length - 1];
  }

  /* Windows that some time has a part of: from this one up to that. */
  windows(from, to) {
    return [after(this.end, from), after(this.begin, to)];
  }

  /* The window that a moment is in; -1 where its events are not in the page. */
  windowAt(when) {
    const window = after(this.begin, when) - 1;
    return window >= 0 && when <= this.end[window] ? window : -1;
  }

  /* The row of the stretch that lasts at a moment; -1 where that is not in the page. */
  stretchAt(thread, when) {
    const window = this.windowAt(when);
    if (window < 0) return -1;
    const { begin, from } = this.lines[thread];
    const row = after(begin, when, from[window], from[window + 1]) - 1;
    return row >= from[window] ? row : -1;
  }

  /* The nearest one before or after that takes any time, in the same window. */
  beside(thread, row, step) {
    const { length, from } = this.lines[thread];
    const window = after(from, row) - 1;
    let next = row + step;
    while (next >= from[window] && next < from[window + 1] && !length[next]) next += step;
    return next >= from[window] && next < from[window + 1] ? next : row;
  }
}
