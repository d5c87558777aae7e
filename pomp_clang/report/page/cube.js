// @ts-check
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
      ([above, partOf, name, unit, description, advice, kind, isAbsent]) =>
        ({ above, partOf, name, unit, description, advice, kind, isAbsent }));
    this.paths = told.paths.map(([above, name, place, source]) => ({ above, name, place, source }));
    this.threads = told.threads;
    this.found = told.found.map(
      ([property, path, severity, gain, often, title, advice, places, isListed]) =>
        ({ property, path, severity, gain, often, title, advice, places, isListed }));
    this.worst = this.found.filter((each) => each.isListed);
    this.propertyTree = new pomp.Forest(this.properties.map((each) => each.above));
    this.pathTree = new pomp.Forest(this.paths.map((each) => each.above));
    this.placeLocations();
    this.parts = new pomp.Forest(this.properties.map((each) => each.partOf));
    this.own = this.ownSums();
    this.whole = this.parts.whole(this.own);
    this.byKind = this.kindSums();
  }

  /* Below the program: machines, their nodes, the processes there and these' threads.  A level
     that has one of each kind alone is left out. */
  placeLocations() {
    const LEVELS = ["machine", "node", "process", "thread"];
    const isSeveral = LEVELS.map((_, level) => new Set(this.threads.map((each) => each[level])).size > 1);
    const known = new Map();
    const isOne = this.threads.length === 1;
    this.locations = isOne ? [] : [{ above: -1, level: "all", name: "", thread: -1 }];
    const node = (above, level, name) => {
      const key = JSON.stringify([above, level, name]);
      if (!known.has(key)) {
        known.set(key, this.locations.length);
        this.locations.push({ above, level, name, thread: -1 });
      }
      return known.get(key);
    };
    this.leaves = this.threads.map((names, row) => {
      const shown = LEVELS.map((level, place) => [level, names[place]])
        .filter((_, place) => isSeveral[place] || (isOne && place === 3));
      const leaf = shown.reduce((above, [level, name]) => node(above, level, name), isOne ? -1 : 0);
      this.locations[leaf].thread = row;
      return leaf;
    });
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

  /* Sums the time of each kind in every property, open or closed. */
  kindSums() {
    const closed = new Map();
    this.properties.forEach(({ kind }, row) => {
      if (!closed.has(kind)) closed.set(kind, new Float64Array(this.properties.length));
      closed.get(kind)[row] = this.own[row];
    });
    return [...closed].map(([kind, own]) => ({ kind, own, whole: this.parts.whole(own) }));
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

  /* The whole: the time of all threads, or the sum of the counts. */
  all(property) {
    if (this.properties[property].unit === "s") return this.reserved;
    return this.whole[this.parts.line(property)[0]];
  }

  /* Exclusive severities of a property by call path, for each kind of time. */
  byPath(property) {
    const { paths, values } = this.cells;
    return this.sums(property, this.paths.length, (sums, cell) => { sums[paths[cell]] += values[cell]; });
  }

  /* Severities of a property at a call path by node of the location tree, for each kind of time. */
  byLocation(property, path) {
    const { paths, threads, values } = this.cells;
    const inside = this.chosen(path);
    return this.sums(property, this.locations.length, (sums, cell) => {
      if (inside[paths[cell]]) sums[this.leaves[threads[cell]]] += values[cell];
    });
  }

  sums(property, size, add) {
    const found = new Map();
    for (const each of this.summed(property)) {
      const { kind } = this.properties[each];
      if (!found.has(kind)) found.set(kind, new Float64Array(size));
      const end = this.starts[each + 1];
      for (let cell = this.starts[each]; cell < end; cell += 1) add(found.get(kind), cell);
    }
    return [...found].map(([kind, own]) => ({ kind, own }));
  }

  chosen({ node, isOpen }) {
    if (!isOpen) return this.pathTree.within(node);
    const inside = new Uint8Array(this.paths.length);
    inside[node] = 1;
    return inside;
  }
};
