// @ts-check
/* Messages between threads (messages.py): which of them are under way in some time. */
const ARROWS = 120;
/* Number of arrows drawn at a time. */
const SEARCHED = 100000;

class TimelineMessages {
  constructor(packed, bytes) {
    this.count = packed?.count ?? 0;
    const column = (name, Numbers) => (packed ? unpack(bytes, packed[name], Numbers) : new Numbers(0));
    this.from = column("from", Uint32Array);
    this.to = column("to", Uint32Array);
    this.begin = column("begin", Float64Array);
    this.length = column("length", Float64Array);
    this.bytes = column("bytes", Float64Array);
    this.tag = column("tag", Float64Array);
    this.latest = this.begin.map((begin, row) => begin + this.length[row]);
    for (let row = 1; row < this.latest.length; row += 1) this.latest[row] = Math.max(this.latest[row], this.latest[row - 1]);
  }

  /* The messages between two moments that `has` accepts; null if there are too many to search. */
  within(from, to, has) {
    const found = [];
    const last = after(this.begin, to);
    for (let row = last - 1; row >= 0 && this.latest[row] >= from; row -= 1) {
      if (last - row > SEARCHED) return null;
      if (this.begin[row] + this.length[row] >= from && has(this.from[row], this.to[row])) found.push(row);
    }
    return found;
  }

  /* The messages that a thread sends or receives in a call. */
  ofCall({ thread, begin, length }) {
    const end = begin + length;
    const near = this.within(begin, end, (from, to) => from === thread || to === thread) ?? [];
    return near.filter((row) => this.#isSent(row, thread, begin, end) || this.#isGot(row, thread, begin, end))
      .map((row) => ({ row, isSent: this.#isSent(row, thread, begin, end) })).reverse();
  }

  #isSent(row, thread, begin, end) {
    return this.from[row] === thread && this.begin[row] >= begin - 1 && this.begin[row] < end;
  }

  #isGot(row, thread, begin, end) {
    const when = this.begin[row] + this.length[row];
    return this.to[row] === thread && when > begin && when <= end + 1;
  }
}

/* Arrows from row to row, and how many there would be. */
class TimelineArrows {
  constructor(messages, rows) {
    this.messages = messages;
    this.rows = rows;
    this.drawn = 0;
    this.many = 0;
  }

  draw(picture, view) {
    const { messages } = this;
    if (!messages.count) return;
    const { rowOf } = this.rows;
    const isSeen = (row) => row >= picture.top && row < picture.top + picture.seen;
    const has = (from, to) => rowOf[from] >= 0 && rowOf[to] >= 0 && (isSeen(rowOf[from]) || isSeen(rowOf[to]));
    const found = messages.within(view.from, view.to, has);
    this.many = found ? found.length : SEARCHED;
    this.drawn = this.many > ARROWS ? 0 : this.many;
    if (!this.drawn) return;
    const { context, colours } = picture;
    context.save();
    context.beginPath();
    context.rect(picture.gutter, AXIS, picture.span, picture.seen * picture.row);
    context.clip();
    context.strokeStyle = context.fillStyle = colours.ink;
    context.globalAlpha = this.many > 60 ? 0.55 : 0.8;
    context.lineWidth = 1;
    for (const row of found) {
      const end = messages.begin[row] + messages.length[row];
      this.#arrow(context, this.#point(picture, view, messages.from[row], messages.begin[row]), this.#point(picture, view, messages.to[row], end));
    }
    context.restore();
  }

  /** @returns {[number, number]} */
  #point(picture, view, thread, when) {
    return [picture.xOf(view, when), picture.yOf(this.rows.rowOf[thread]) + (picture.row - picture.strip) / 2];
  }

  #arrow(context, [x, y], [toX, toY]) {
    const HEAD = 6;
    const long = Math.hypot(toX - x, toY - y) || 1;
    const [across, down] = [(toX - x) / long, (toY - y) / long];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
    context.beginPath();
    context.moveTo(toX, toY);
    context.lineTo(toX - HEAD * across - 0.4 * HEAD * down, toY - HEAD * down + 0.4 * HEAD * across);
    context.lineTo(toX - HEAD * across + 0.4 * HEAD * down, toY - HEAD * down - 0.4 * HEAD * across);
    context.fill();
  }

  /* From an instance to the call that it waits for, or that waits for it. */
  link(picture, view, instance) {
    if (!instance?.partner || this.rows.rowOf[instance.partner.thread] < 0) return;
    const { context, colours } = picture;
    context.save();
    context.beginPath();
    context.rect(picture.gutter, AXIS, picture.span, picture.seen * picture.row);
    context.clip();
    context.strokeStyle = colours.mark;
    context.setLineDash([5, 4]);
    context.lineWidth = 1.5;
    const [x, y] = this.#point(picture, view, instance.thread, instance.end);
    const [toX, toY] = this.#point(picture, view, instance.partner.thread, instance.partner.begin);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(toX, toY, 4, 0, 2 * Math.PI);
    context.stroke();
    context.restore();
  }

  said() {
    const { messages, many, drawn } = this;
    if (!messages.count) return "";
    const here = messages.begin.length < messages.count
      ? ` The page has ${number(messages.begin.length)} of ${number(messages.count)} messages, those longest on their way.` : "";
    if (!many) return `No message passes here.${here}`;
    return (drawn
      ? `${drawn > 1 ? `Each of ${number(drawn)} messages is` : "The message here is"} drawn as an arrow.`
      : `${many < SEARCHED ? number(many) : `More than ${number(SEARCHED)}`} messages pass here: zoom in, up to ${number(ARROWS)} are drawn as arrows.`) + here;
  }
}
