// @ts-check
/* The whole run: all threads together, or of several processes a band for each, or for some. */
const TALL = 22;
const BAND = [2, 10];
/* Pixels of a band, at least and at most; `MAP_TALL` is what many have together. */
const MAP_TALL = 120;
const AROUND_MAP = 8;

class TimelineMap {
  constructor(data, marks, rows, colours) {
    this.data = data;
    this.marks = marks;
    this.rows = rows;
    this.colours = colours;
    this.forget();
  }

  /* Forgets the picture after the marks or the colours have changed; `isLaid` if the rows have, too. */
  forget(isLaid = false) {
    this.picture = null;
    if (isLaid || !this.bands) {
      this.bands = this.rows.bands();
      this.shares = null;
    }
  }

  get tall() {
    const many = this.bands.length;
    return this.rows.isJob ? many * Math.max(BAND[0], Math.min(BAND[1], Math.floor(MAP_TALL / many))) : TALL;
  }

  /* The height with the free space above and below. */
  get room() {
    return this.tall + AROUND_MAP;
  }

  /* The row of the process that is at a height from the top of the map. */
  rowAt(y) {
    const band = Math.max(0, Math.min(this.bands.length - 1, Math.floor((y / this.tall) * this.bands.length)));
    return this.bands[band].row ?? -1;
  }

  draw(picture, view) {
    const { context, colours } = picture;
    const { tall, data } = this;
    const top = picture.height - tall - 2;
    this.picture ??= this.#painted(Math.round(picture.span * picture.scale), picture.scale);
    context.drawImage(this.picture, picture.gutter, top, picture.span, tall);
    const all = { from: 0, to: data.duration };
    const [left, right] = [picture.xOf(all, view.from), picture.xOf(all, view.to)];
    context.fillStyle = colours.ground;
    context.globalAlpha = 0.4;
    context.fillRect(picture.gutter, top, left - picture.gutter, tall);
    context.fillRect(right, top, picture.width - right, tall);
    context.globalAlpha = 1;
    const { current } = this.marks;
    if (current) {
      context.fillStyle = colours.mark;
      context.fillRect(picture.xOf(all, (current.begin + current.end) / 2) - 1, top - 4, 3, tall + 6);
    }
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    context.strokeRect(Math.round(left) + 0.5, top - 0.5, Math.max(2, Math.round(right - left) - 1), tall + 1);
    this.#seen(picture, top);
    context.font = `11px ${colours.font}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = colours.soft;
    context.fillText("whole run", picture.gutter - 8, top + tall / 2, picture.gutter - 10);
  }

  /* Which bands the rows are of that are seen. */
  #seen(picture, top) {
    if (!this.rows.isJob || picture.seen >= this.rows.list.length) return;
    const last = picture.top + picture.seen - 1;
    const isSeen = this.bands.map(({ row }, band) => row <= last && (this.bands[band + 1]?.row ?? this.rows.list.length) > picture.top);
    const height = this.tall / this.bands.length;
    picture.context.fillStyle = picture.colours.accent;
    runs(isSeen, (from, to) => picture.context.fillRect(picture.gutter - 5, top + from * height, 3, (to - from) * height));
  }

  /* The overview shows the whole run for any selection. */
  #ofBands(columns) {
    if (this.shares?.columns !== columns) {
      const each = this.bands.map(({ threads }) => {
        const shares = new TimelineShares(this.data, 0, this.data.duration, columns);
        shares.mean(threads);
        return shares.soften(BRIEF);
      });
      this.shares = { columns, each };
    }
    return this.shares.each;
  }

  #painted(columns, scale) {
    const each = this.#ofBands(columns);
    const height = Math.max(1, Math.round((this.tall * scale) / each.length));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: columns, height: height * each.length });
    const context = canvas.getContext("2d");
    const lit = this.marks.rows.length
      ? this.marks.lit(0, this.data.duration / columns, columns)
      : null;
    const image = context.createImageData(columns, height);
    each.forEach((shares, band) => {
      const any = lit && shares.spread(united(this.bands[band].threads.map((thread) => lit[thread])), BRIEF);
      const here = any && shares.isDense ? null : any;
      paint(new Uint32Array(image.data.buffer), columns, height, shares, this.colours, here);
      context.putImageData(image, 0, band * height);
    });
    return canvas;
  }
}

/* Combines columns of flags: set if any is set. */
function united(several) {
  if (several.length === 1) return several[0];
  const found = new Uint8Array(several[0].length);
  for (const flags of several) for (let at = 0; at < found.length; at += 1) found[at] |= flags[at];
  return found;
}
