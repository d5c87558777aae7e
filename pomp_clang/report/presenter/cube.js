/* Severities by property, call path and thread, and their sums.  A selection's `isOpen` says that
   its node stands without those below it. */
pomp.Cube = class {
  static async read() {
    const [told, paths, threads, values] = await Promise.all([
      pomp.json("cube"),
      pomp.column("cube-paths", Uint32Array),
      pomp.column("cube-threads", Uint32Array),
      pomp.column("cube-values", Float64Array),
    ]);
    return new pomp.Cube(told, { paths, threads, values });
  }

  constructor(told, cells) {
    this.cells = cells;
    this.starts = told.starts;
    this.duration = told.duration;
    this.reserved = told.reserved;
    this.properties = told.properties.map(
      ([above, partOf, name, unit, description, advice]) =>
        ({ above, partOf, name, unit, description, advice }));
    this.paths = told.paths.map(([above, name, place, source]) => ({ above, name, place, source }));
    this.threads = told.threads;
    this.found = told.found.map(
      ([property, path, severity, gain, often]) => ({ property, path, severity, gain, often }));
    this.propertyTree = new pomp.Forest(this.properties.map((each) => each.above));
    this.pathTree = new pomp.Forest(this.paths.map((each) => each.above));
    this.placeLocations();
    this.parts = new pomp.Forest(this.properties.map((each) => each.partOf));
    this.own = this.ownSums();
    this.whole = this.parts.whole(this.own);
  }

  /* Machines, their nodes, the processes there and these' threads. */
  placeLocations() {
    const known = new Map();
    this.locations = [];
    const node = (above, level, name, thread = -1) => {
      const key = JSON.stringify([above, level, name]);
      if (!known.has(key)) {
        known.set(key, this.locations.length);
        this.locations.push({ above, level, name, thread });
      }
      return known.get(key);
    };
    this.leaves = this.threads.map(([machine, host, process, thread], row) => {
      const inside = node(node(-1, "machine", machine), "node", host);
      return node(node(inside, "process", process), "thread", thread, row);
    });
    if (!this.locations.length) node(-1, "machine", "");
    this.locationTree = new pomp.Forest(this.locations.map((each) => each.above));
  }

  ownSums() {
    return this.properties.map((_, property) => {
      let sum = 0;
      const end = this.starts[property + 1];
      for (let cell = this.starts[property]; cell < end; cell += 1) sum += this.cells.values[cell];
      return sum;
    });
  }

  /* The properties whose cells make up a selected one. */
  summed({ node, isOpen }) {
    if (isOpen) return [node];
    const inside = this.parts.within(node);
    return [...inside.keys()].filter((each) => inside[each]);
  }

  amount({ node, isOpen }) {
    return isOpen ? this.own[node] : this.whole[node];
  }

  /* What all of it is: the time that the threads were there for, or the sum of what is counted. */
  all(property) {
    if (this.properties[property].unit === "s") return this.reserved;
    return this.whole[this.parts.line(property)[0]];
  }

  /* Of a property, by call path; what is below each is not in it. */
  byPath(property) {
    const { paths, values } = this.cells;
    const sums = new Float64Array(this.paths.length);
    for (const each of this.summed(property)) {
      const end = this.starts[each + 1];
      for (let cell = this.starts[each]; cell < end; cell += 1) sums[paths[cell]] += values[cell];
    }
    return sums;
  }

  /* Of a property at a call path, by node of the tree of locations. */
  byLocation(property, path) {
    const { paths, threads, values } = this.cells;
    const sums = new Float64Array(this.locations.length);
    const inside = this.chosen(path);
    for (const each of this.summed(property)) {
      const end = this.starts[each + 1];
      for (let cell = this.starts[each]; cell < end; cell += 1) {
        if (inside[paths[cell]]) sums[this.leaves[threads[cell]]] += values[cell];
      }
    }
    return sums;
  }

  chosen({ node, isOpen }) {
    if (!isOpen) return this.pathTree.within(node);
    const inside = new Uint8Array(this.paths.length);
    inside[node] = 1;
    return inside;
  }
};
