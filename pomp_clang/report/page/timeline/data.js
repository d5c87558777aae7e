// @ts-check
/* The columns of the timeline (packed_columns.py), and queries of a time span.
 * Times are ticks since the program's start. */
/**
 * @param {Uint8Array} bytes
 * @param {number[]} packed
 * @param {any} Numbers a constructor of typed arrays
 */
function unpack(bytes, [place, count, planes], Numbers = Float64Array, room = 0) {
  const column = new Numbers(count + room);
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
    this.second = about.second;
    this.duration = Math.max(1, about.duration);
    this.events = about.events;
    this.whole = about.whole;
    this.bound = about.bound;
    this.window = about.window;
    this.threads = about.threads;
    this.paths = about.paths;
    this.activities = about.activities;
    this.groups = about.groups;
    this.work = about.work;
    this.state = {
      path: unpack(bytes, about.states.path, Uint32Array),
      activity: unpack(bytes, about.states.activity, Uint8Array),
      group: unpack(bytes, about.states.group, Uint8Array),
    };
    this.begin = unpack(bytes, about.windows[0]);
    this.end = unpack(bytes, about.windows[1]);
    this.blocks = new TimelineBlocks(about.blocks, bytes, this.duration);
    this.levels = this.#levels(bytes, about.levels);
    this.moved = new Map(about.moved.map(({ row, begin, bytes: sizes, name, names }) => [row, {
      begin: unpack(bytes, begin), bytes: unpack(bytes, sizes), name: unpack(bytes, name, Uint32Array), names,
    }]));
    this.messages = new TimelineMessages(about.messages, bytes);
    this.marks = {
      of: about.marks.of,
      thread: unpack(bytes, about.marks.thread, Uint32Array),
      path: unpack(bytes, about.marks.path, Uint32Array),
      begin: unpack(bytes, about.marks.begin),
      length: unpack(bytes, about.marks.length),
      severity: new Float32Array(unpack(bytes, about.marks.severity, Uint32Array).buffer),
      partner: about.partners && {
        thread: unpack(bytes, about.partners.thread, Uint32Array), begin: unpack(bytes, about.partners.begin),
      },
    };
  }

  /* Coarser levels without ticks are sums of the finer level. */
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

  /* The stretch that lasts at a moment; null where it is not in the page, or not unpacked. */
  stretchAt(thread, when) {
    if (this.windowAt(when) < 0) return null;
    const block = this.blocks.at(thread, when);
    const made = this.blocks.get(thread, block);
    if (!made) return null;
    return this.#stretch(thread, block, made, after(made.begin, when, 0, made.count) - 1);
  }

  #stretch(thread, block, { begin, state, number }, row) {
    if (row < 0 || state[row] >= this.state.path.length) return null;
    return {
      thread, block, row, number: number + row,
      begin: begin[row], length: begin[row + 1] - begin[row], state: state[row],
    };
  }

  /* As soon as it is unpacked. */
  async stretchSoon(thread, when) {
    if (this.windowAt(when) < 0) return null;
    await this.blocks.load(thread, this.blocks.at(thread, when));
    return this.stretchAt(thread, when);
  }

  /* The nearest one before or after that takes any time, or null where none is in the page. */
  async beside({ thread, block, row }, step) {
    const many = this.blocks.lines[thread].first.length;
    let made = await this.blocks.load(thread, block);
    for (let next = row + step; ; next += step) {
      if (next < 0 || next >= made.count) {
        block += step;
        if (block < 0 || block >= many) return null;
        made = await this.blocks.load(thread, block);
        next = step > 0 ? 0 : made.count - 1;
      }
      if (made.begin[next + 1] > made.begin[next]) return this.#stretch(thread, block, made, next);
    }
  }
}
