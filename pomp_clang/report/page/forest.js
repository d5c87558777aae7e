// @ts-check
/* Nodes by number, each behind the one that it is below; -1 is above the roots. */
pomp.Forest = class {
  constructor(above) {
    this.above = Int32Array.from(above);
    this.size = this.above.length;
    this.level = new Int32Array(this.size);
    this.first = new Int32Array(this.size + 2);
    for (const each of this.above) this.first[each + 2] += 1;
    for (let node = 0; node <= this.size; node += 1) this.first[node + 1] += this.first[node];
    this.list = new Int32Array(this.size);
    /** @type {number[] | null} */
    this.all = null;
    const next = this.first.slice();
    this.above.forEach((each, node) => {
      this.list[next[each + 1]++] = node;
      this.level[node] = each < 0 ? 0 : this.level[each] + 1;
    });
  }

  below(node) {
    return this.list.subarray(this.first[node + 1], this.first[node + 2]);
  }

  isLeaf(node) {
    return this.first[node + 1] === this.first[node + 2];
  }

  /* From its root to the node. */
  line(node) {
    const nodes = [];
    for (let each = node; each >= 0; each = this.above[each]) nodes.push(each);
    return nodes.reverse();
  }

  /* Flags of the nodes that are `top` or below it. */
  within(top) {
    const inside = new Uint8Array(this.size);
    inside[top] = 1;
    for (let node = top + 1; node < this.size; node += 1) {
      if (this.above[node] >= 0) inside[node] = inside[this.above[node]];
    }
    return inside;
  }

  /* Inclusive sums: each node's own value with those of its descendants. */
  whole(own) {
    const sums = Float64Array.from(own);
    for (let node = this.size - 1; node >= 0; node -= 1) {
      if (this.above[node] >= 0) sums[this.above[node]] += sums[node];
    }
    return sums;
  }

  /* In the order in which they stand when all are open. */
  get order() {
    this.all ??= this.visit(() => true, () => true);
    return this.all;
  }

  /* `arranged` has those below a node in the order wanted. */
  visit(isShown, isOpen, arranged = (nodes) => nodes) {
    const found = [];
    const waiting = [...arranged(this.below(-1))].reverse();
    while (waiting.length) {
      const node = waiting.pop();
      if (!isShown(node)) continue;
      found.push(node);
      if (!isOpen(node)) continue;
      const below = arranged(this.below(node));
      for (let each = below.length - 1; each >= 0; each -= 1) waiting.push(below[each]);
    }
    return found;
  }
};
