// @ts-check
/* The status texts: the state under the cursor, the selection, and the extent of the data. */
class TimelineStatus {
  constructor(section, data, marks, words) {
    const part = (name) => section.querySelector(`.tl-${name}`);
    this.data = data;
    this.marks = marks;
    this.words = words;
    this.tip = part("tip");
    this.under = part("under");
    this.seen = part("seen");
    this.told = part("told");
    this.note = part("note");
    this.picked = part("picked");
    this.sent = part("sent");
    this.fold = section.querySelector('[data-act="fold"]');
    this.steps = section.querySelectorAll('[data-act="next"], [data-act="before"]');
  }

  /* Shows the state under the cursor; `of` is its row, and `pixel` is the number of ticks of a pixel.
   * `stretch` is the interval there, if it is known and can be seen, or if a key led to it. */
  cursor({ when, stretch }, of, pixel) {
    if (when === null || when < 0 || when > this.data.duration) {
      this.under.textContent = "";
      return;
    }
    const level = this.data.level(pixel);
    const bin = Math.min(level.bins - 1, Math.floor(when / level.width));
    const said = stretch ? this.words.stretch(stretch) : this.words.bin(of, level, bin);
    const mark = of.threads.map((each) => this.marks.under(each, when)).find(Boolean);
    const sent = stretch ? this.words.messages(this.data.messages.ofCall(stretch)) : "";
    const lines = [said.title, said.chain, said.when, mark ? `instance${this.#size(mark, " of ")}` : "", sent];
    const told = [lines[0], lines[2], lines[3], lines[4]].filter(Boolean).join(" · ");
    if (told !== this.under.textContent) this.under.textContent = told;
    this.tip.replaceChildren(...lines.map((text, at) => {
      const line = document.createElement(at ? "span" : "strong");
      line.textContent = text;
      if (at === 3) line.className = "tl-marked";
      return line;
    }).filter((line) => line.textContent));
  }

  /* Switches reading aloud: off while a pointer passes over the picture. */
  aloud(isKeyboard) {
    this.under.setAttribute("aria-live", isKeyboard ? "polite" : "off");
    if (isKeyboard) this.tip.hidden = true;
  }

  placeTip(x, y, room) {
    const wide = this.tip.offsetWidth;
    const left = x + 16 + wide > room ? Math.max(0, x - wide - 12) : x + 16;
    this.tip.style.transform = `translate(${left}px, ${y + 18}px)`;
  }

  instances(selected) {
    this.steps.forEach((button) => { button.disabled = !this.marks.rows.length; });
    this.picked.textContent = this.#instances(selected);
  }

  #instances(selected) {
    const { marks } = this;
    if (!selected) return "Nothing is selected.";
    if (!marks.known) return "What is selected is not told instance by instance.";
    if (!marks.rows.length) return "What is selected has no instance here.";
    const many = marks.rows.length;
    const isAll = marks.known.rows === marks.known.count;
    const { current } = marks;
    if (current) return `Instance ${number(marks.at + 1)} of ${number(many)}${this.#size(current, ": ")} on ${this.words.threads[current.thread]}${this.#other(current)}`;
    const which = isAll || marks.isPart ? "" : ` of ${number(marks.known.count)}`;
    return `${isAll ? "" : "The worst "}${number(many)}${which} instance${many > 1 ? "s" : ""} marked`;
  }

  #other({ partner }) {
    return partner ? `, the other side is ${this.words.threads[partner.thread]}` : "";
  }

  /* The severity of an instance; "" for properties that are counted. */
  #size(mark, before) {
    return this.marks.known.unit === "s" ? before + lasting(mark.severity) : "";
  }

  /* Shows the visible time and the number of intervals, which is approximate for sums. */
  view({ from, to }, many, isExact) {
    const { second } = this.data;
    const wide = (to - from) / second;
    const said = isExact ? number(many) : `about ${number(+many.toPrecision(2))}`;
    const count = isExact || this.data.whole ? `${said} interval${many === 1 ? "" : "s"}, ` : "";
    this.seen.textContent = `Seen: ${lasting(wide)} from ${moment(from / second, wide / 100)} on, ` +
      `${count}drawn ${isExact ? "one by one" : "from sums"}.`;
  }

  messages(text) {
    if (this.sent.textContent !== text) this.sent.textContent = text;
  }

  page(seen, rows) {
    const { data } = this;
    const many = rows.list.length;
    this.fold.textContent = rows.processes.some((each) => each.isOpen) ? "fold all" : "unfold all";
    const [hidden, all] = [rows.processes.length - rows.shown.length, rows.processes.length];
    this.told.textContent = [
      data.whole ? `All ${number(data.events)} intervals of the trace are here: zoom in until you see one.` : "",
      hidden ? `${rows.shown.length} of ${all} processes have a row.` : "",
      seen < many ? `${seen} of ${many} ${rows.isJob ? "row" : "thread"}s are seen: the arrow keys or dragging lead to the others.` : "",
    ].join(" ").trim();
  }

  /* Names the part of a large trace that the page omits, and how to show it. */
  bound({ from, to }) {
    const { data } = this;
    if (data.whole) return;
    const isHere = data.windowAt(from) >= 0 && data.windowAt(from) === data.windowAt(to);
    const finest = data.levels[data.levels.length - 1].width / data.second;
    const second = (ticks) => +(ticks / data.second).toPrecision(9);
    this.note.textContent = isHere
      ? "Every interval of this time is here."
      : `Of ${number(data.events)} intervals a page takes ${number(data.bound)} one by one; here are sums of ${lasting(finest)}` +
        `${data.begin.length ? ` and what is around ${data.window ? "the time asked for" : "the worst instances"}` : ""}. ` +
        `For each interval seen now: pomp-clang report DIR --format html -o FILE --from ${second(from)} --to ${second(to)}`;
  }
}
