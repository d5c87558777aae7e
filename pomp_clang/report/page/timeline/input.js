// @ts-check
/* Wheel, pointer and key input. */
const GESTURE = 250;
/* Milliseconds: a turn of the wheel that began elsewhere scrolls the page on. */

class TimelineInput {
  constructor(canvas, act) {
    this.canvas = canvas;
    this.act = act;
    this.pointers = new Map();
    this.elsewhere = -Infinity;
    this.turned = -Infinity;
    document.addEventListener("wheel", (event) => {
      if (event.target !== canvas) this.elsewhere = performance.now();
    }, { passive: true });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#up(event));
    canvas.addEventListener("pointerleave", () => this.pointers.size || this.act.leave());
    canvas.addEventListener("dblclick", (event) => this.act.enter(...this.#place(event)));
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #wheel(event) {
    const now = performance.now();
    if (now - this.elsewhere < GESTURE && now - this.turned > GESTURE) {
      this.elsewhere = now;
      return;
    }
    const lines = event.deltaMode === 1 ? 16 : 1;
    const isAcross = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    const by = (isAcross ? event.deltaX || event.deltaY : event.deltaY) * lines;
    const [x] = this.#place(event);
    const isDone = isAcross ? this.act.shift(by) : this.act.zoom(Math.exp(Math.max(-200, Math.min(200, by)) * 0.004), x);
    if (!isDone) return;
    this.turned = now;
    event.preventDefault();
  }

  #down(event) {
    if (event.button) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.#place(event));
    this.moved = false;
    this.grip = this.act.grip(...this.#place(event), event.shiftKey);
  }

  #move(event) {
    const place = this.#place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.act.hover(...place);
      return;
    }
    this.moved ||= Math.hypot(place[0] - before[0], place[1] - before[1]) > 2;
    if (!this.moved) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, place);
    if (others.length) {
      const [x] = others[0][1];
      const [wide, was] = [Math.abs(place[0] - x), Math.abs(before[0] - x)];
      if (wide > 4 && was > 4) this.act.zoom(was / wide, (place[0] + x) / 2);
      return;
    }
    this.act.drag(this.grip, place, before);
  }

  #up(event) {
    const place = this.pointers.get(event.pointerId);
    if (!place) return;
    this.pointers.delete(event.pointerId);
    if (event.type === "pointerup") this.act.drop(this.grip, place, this.moved);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { act } = this;
    const keys = {
      ArrowLeft: () => (event.shiftKey ? act.beside(-1) : act.pan(-0.15)),
      ArrowRight: () => (event.shiftKey ? act.beside(1) : act.pan(0.15)),
      PageUp: () => act.pan(-0.9),
      PageDown: () => act.pan(0.9),
      ArrowUp: () => act.thread(-1),
      ArrowDown: () => act.thread(1),
      "+": () => act.zoom(1 / 1.6),
      "=": () => act.zoom(1 / 1.6),
      "-": () => act.zoom(1.6),
      _: () => act.zoom(1.6),
      Home: () => act.home(),
      " ": () => act.fold(),
      n: () => act.instance(1),
      p: () => act.instance(-1),
      Enter: () => act.enter(),
      Escape: () => act.leave(),
    };
    const wanted = keys[event.key];
    if (!wanted) return;
    event.preventDefault();
    act.status.aloud(true);
    wanted();
  }
}
