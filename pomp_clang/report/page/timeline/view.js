// @ts-check
/* The visible time span, and animated moves between spans. */
const NARROWEST = 8;
/* Ticks that the view has at least. */
const MOVING = 220;
/* Milliseconds that a jump takes to see where it leads. */

class TimelineView {
  /* `moved` is called for each picture on the way. */
  constructor(duration, moved) {
    this.duration = duration;
    this.moved = moved;
    this.moving = 0;
    this.from = 0;
    this.to = duration;
  }

  get wide() {
    return this.to - this.from;
  }

  get middle() {
    return (this.from + this.to) / 2;
  }

  has(when) {
    return when !== null && when >= this.from && when <= this.to;
  }

  /* A width that a view can have. */
  possible(wide) {
    return Math.min(this.duration, Math.max(NARROWEST, wide));
  }

  /* A time interval, limited to what a view can show. */
  show(from, to, isJump = false) {
    const wide = this.possible(to - from);
    const begin = Math.max(0, Math.min(this.duration - wide, (from + to - wide) / 2));
    this.#go({ from: begin, to: begin + wide }, isJump);
  }

  #go(view, isJump) {
    cancelAnimationFrame(this.moving);
    this.moving = 0;
    if (!isJump || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#is(view);
      return;
    }
    const before = { from: this.from, to: this.to };
    const since = performance.now();
    const step = () => {
      const part = Math.min(1, (performance.now() - since) / MOVING);
      this.moving = part < 1 ? requestAnimationFrame(step) : 0;
      this.#is(part < 1 ? between(before, view, 1 - (1 - part) ** 3) : view);
    };
    step();
  }

  #is({ from, to }) {
    this.from = from;
    this.to = to;
    this.moved();
  }
}

/* From one view to another: as if one came nearer while moving. */
function between(one, other, part) {
  const wide = (one.to - one.from) ** (1 - part) * (other.to - other.from) ** part;
  const middle = (view) => (view.from + view.to) / 2;
  const [from, to] = [one.to - one.from, other.to - other.from];
  const done = Math.abs(to - from) < 1e-9 * from ? part : (wide - from) / (to - from);
  const at = middle(one) + (middle(other) - middle(one)) * done;
  return { from: Math.max(0, at - wide / 2), to: at + wide / 2 };
}
