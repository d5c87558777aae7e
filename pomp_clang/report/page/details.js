// @ts-check
/* Meaning and advice of the selected property, and the list of the worst causes. */
pomp.Details = class {
  constructor(section, list, cube, select) {
    this.section = section;
    this.list = list;
    this.cube = cube;
    this.select = select;
    this.isPredicted = cube.worst.some((each) => each.gain !== null);
    this.items = cube.worst.map((each) => this.cause(each));
    const causes = list.querySelector("ol");
    causes.replaceChildren(...this.items);
    causes.addEventListener("keydown", (event) => this.key(event));
    if (this.items.length) this.reach(0);
    list.querySelector("[data-part=none]").hidden = this.items.length > 0;
    list.querySelector("[data-part=gains]").hidden = !this.isPredicted;
  }

  part(name) {
    return this.section.querySelector(`[data-part=${name}]`);
  }

  /* `amount` is the severity of the property at the call path. */
  show(property, path, amount) {
    const { cube } = this;
    const { name, unit, description } = cube.properties[property.node];
    const found = this.found(property, path);
    const advice = found?.advice ?? cube.properties[property.node].advice;
    const line = cube.propertyTree.line(property.node).slice(0, -1);
    this.part("path").textContent = line.map((each) => `${cube.properties[each].name} \u203a `)
      .join("");
    this.part("name").textContent = found?.title ?? name;
    this.part("amount").textContent = this.amount(property, amount, unit);
    this.part("without").hidden = !property.isOpen;
    this.part("description").textContent = description;
    this.part("advice").textContent = advice;
    this.part("to-do").hidden = !advice;
    const often = found?.often ?? "";
    this.part("often").textContent = often;
    this.part("instances").hidden = !often;
    const gain = this.gain(property, path);
    this.part("gain").textContent = gain;
    this.part("worth").hidden = !gain;
    this.mark(property, path);
  }

  /* Shows the amount at the selected location, if that is a part. */
  locate(property, name, amount, isPart) {
    const { unit } = this.cube.properties[property.node];
    const said = isPart ? `${name}: ${this.amount(property, amount, unit)}` : "";
    this.part("location").textContent = said;
  }

  amount(property, amount, unit) {
    const share = amount / (this.cube.all(property.node) || 1);
    const what = unit === "s" ? "of the threads' time" : `of all ${unit}`;
    const said = pomp.amount(amount, unit) + (unit === "s" ? "" : ` ${unit}`);
    return `${said}, ${pomp.percent(share)} % ${what}`;
  }

  found(property, path) {
    return this.cube.found.find(
      (each) => each.property === property.node && each.path === path.node);
  }

  gain(property, path) {
    const found = this.found(property, path);
    return found && found.gain !== null ? this.saidGain(found.gain) : "";
  }

  saidGain(gain) {
    const share = gain / (this.cube.duration || 1);
    if (share < 0.001) return "Removing it alone saves nothing: the program waits for other threads.";
    return `Removing it would save ${pomp.lasting(gain)} (${pomp.percent(share)} % of the run time).`;
  }

  /* Marks the worst causes that are in the selection. */
  mark(property, path) {
    const properties = new Set(this.cube.summed(property));
    const paths = this.cube.chosen(path);
    this.cube.worst.forEach((each, row) => {
      const isIn = properties.has(each.property) && paths[each.path];
      this.items[row].firstChild.setAttribute("aria-current", Boolean(isIn));
    });
  }

  cause(found) {
    const { cube } = this;
    const item = document.createElement("li");
    const button = item.appendChild(document.createElement("button"));
    button.type = "button";
    const add = (kind, text) => {
      const span = button.appendChild(document.createElement("span"));
      span.className = kind;
      span.textContent = text;
      return span;
    };
    const place = cube.paths[found.path];
    const share = found.severity / (cube.reserved || 1);
    add("what", found.title);
    add("gain", this.gained(found.gain));
    const where = [place.name, place.place].filter(Boolean).join(" ");
    add("place", found.places > 1 ? `${found.places} places, the worst ${where}` : where);
    add("share", `${pomp.lasting(found.severity)}, ${pomp.percent(share)} %`);
    const length = add("length", "").appendChild(document.createElement("span"));
    length.style.width = `${Math.min(100, 100 * share)}%`;
    length.style.background = pomp.colour(cube.properties[found.property].kind);
    button.addEventListener("click", () => {
      this.reach(this.items.indexOf(item));
      this.select(found.property, found.path);
    });
    return item;
  }

  /* However many causes there are, the list is one stop of the Tab key. */
  reach(row) {
    this.items.forEach((item, each) => { item.firstChild.tabIndex = each === row ? 0 : -1; });
    return this.items[row].firstChild;
  }

  key(event) {
    const last = this.items.length - 1;
    const at = this.items.findIndex((each) => each.contains(event.target));
    const rows = {
      ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last,
    };
    if (!(event.key in rows)) return;
    event.preventDefault();
    this.reach(rows[event.key]).focus();
  }

  /* How much shorter the run would be; "" where no gain of any cause is predicted. */
  gained(gain) {
    if (gain === null) return this.isPredicted ? "gain not predicted" : "";
    const said = pomp.percent(gain / (this.cube.duration || 1));
    return said === "0.0" || said === "<0.1" || gain < 0 ? "saves nothing" : `saves ${said} %`;
  }
};
