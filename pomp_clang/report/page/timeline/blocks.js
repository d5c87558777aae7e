// @ts-check
/* The intervals of each row one by one (blocks.py).  A block is unpacked when it is
 * wanted, and kept as long as there is room for it. */
const UNPACKING = 4;
/* Blocks at a time. */
const KEPT = 1 << 22;
/* Stretches. */

class TimelineBlocks {
  /* `arrived` is called when there is more to see than before. */
  constructor({ size, lines }, bytes, duration) {
    this.size = size;
    this.duration = duration;
    this.arrived = () => {};
    this.lines = lines.map(({ rows, first }) => ({ rows, first: unpack(bytes, first) }));
    this.ready = new Map();
    this.unpacking = new Map();
    this.wanted = [];
    this.unpacked = 0;
  }

  /* The block that has the stretch which lasts at a moment. */
  at(thread, when) {
    return Math.max(0, after(this.lines[thread].first, when) - 1);
  }

  /* Estimates the row of a moment in a thread. */
  rowAt(thread, when) {
    const { first, rows } = this.lines[thread];
    const block = this.at(thread, when);
    const from = first[block];
    const to = block + 1 < first.length ? first[block + 1] : this.duration;
    const part = to > from ? Math.min(1, (when - from) / (to - from)) : 0;
    return block * this.size + part * Math.min(this.size, rows - block * this.size);
  }

  /* Returns an unpacked block: the `begin` of each interval, and the end of the last. */
  get(thread, block) {
    return this.ready.get(`${thread}-${block}`);
  }

  load(thread, block) {
    const key = `${thread}-${block}`;
    const found = this.ready.get(key);
    if (found) return Promise.resolve(found);
    if (!this.unpacking.has(key)) {
      const unpacked = pomp.load(`timeline-${key}`).then((content) => this.#unpacked(thread, block, key, content));
      this.unpacking.set(key, unpacked);
    }
    return this.unpacking.get(key);
  }

  #unpacked(thread, block, key, content) {
    const { first, rows } = this.lines[thread];
    const bytes = new Uint8Array(content);
    const count = Math.min(this.size, rows - block * this.size);
    const begin = unpack(bytes, [2, count, bytes[0]], Float64Array, 1);
    for (let row = 0, when = first[block]; row <= count; row += 1) {
      const length = begin[row];
      begin[row] = when;
      when += length;
    }
    const state = unpack(bytes, [2 + count * bytes[0], count, bytes[1]], bytes[1] > 1 ? Uint32Array : Uint8Array);
    const made = { begin, state, count, number: block * this.size };
    this.unpacking.delete(key);
    this.unpacked += 1;
    this.ready.set(key, made);
    if (this.ready.size * this.size > KEPT) this.ready.delete(this.ready.keys().next().value);
    return made;
  }

  /* Loads all blocks of a trace with at most this many intervals; null for a larger one. */
  loadSmall(most) {
    const each = this.lines.flatMap(({ first }, thread) => Array.from(first, (_, block) => [thread, block]));
    const all = this.lines.reduce((sum, { rows }) => sum + rows, 0);
    return all <= most ? Promise.all(each.map(([thread, block]) => this.load(thread, block))) : null;
  }

  /* Requests the missing blocks; earlier requests that have not begun are dropped. */
  want(wanted) {
    this.wanted = wanted;
    this.#next();
  }

  #next() {
    while (this.wanted.length && this.unpacking.size < UNPACKING) {
      const [thread, block] = this.wanted.pop();
      this.load(thread, block).then(() => { this.arrived(); this.#next(); });
    }
  }

  /* Returns the pieces of a time span whose intervals are unpacked; the other blocks go to
   * `missing`. */
  pieces(thread, from, to, missing) {
    const { first } = this.lines[thread];
    const found = [];
    for (let block = this.at(thread, from); block < first.length && (first[block] < to || first[block] <= from); block += 1) {
      const made = this.#touched(thread, block);
      if (!made) {
        missing.push([thread, block]);
        continue;
      }
      const [since, until] = [Math.max(from, first[block]), Math.min(to, first[block + 1] ?? this.duration)];
      const last = found[found.length - 1];
      if (last && last[1] === since) last[1] = until;
      else found.push([since, until]);
    }
    return found;
  }

  /* The least recently seen blocks are dropped first. */
  #touched(thread, block) {
    const key = `${thread}-${block}`;
    const made = this.ready.get(key);
    if (made) {
      this.ready.delete(key);
      this.ready.set(key, made);
    }
    return made;
  }

  /* Yields the loaded blocks of a time span, with first row and end row. */
  *rows(thread, from, to) {
    const { first } = this.lines[thread];
    for (let block = this.at(thread, from); block < first.length && first[block] < to; block += 1) {
      const made = this.get(thread, block);
      if (!made) continue;
      const row = Math.max(0, after(made.begin, from, 0, made.count) - 1);
      yield [made, row, after(made.begin, to, row, made.count)];
    }
  }
}
