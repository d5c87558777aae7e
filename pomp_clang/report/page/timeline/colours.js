// @ts-check
/* The page's colours as the picture's, of each group and, in tints, of each state that is work. */
const TINTS = [0, 0.12, -0.12, 0.2, -0.2, 0.06, -0.06];
const DIMMED = 0.25;
/* The share of the background in the colours of states that are not selected: they stay
 * distinguishable. */

class TimelineColours {
  constructor(data, element) {
    this.data = data;
    this.element = element;
    this.read();
  }

  read() {
    const style = getComputedStyle(this.element);
    const named = (name) => style.getPropertyValue(`--tl-${name}`).trim();
    this.ground = named("ground");
    this.ink = named("ink");
    this.soft = named("soft");
    this.line = named("line");
    this.mark = named("mark");
    this.accent = named("accent");
    this.label = named("label");
    this.font = style.fontFamily;
    const ground = rgb(this.ground);
    const groups = this.data.groups.map((name) => rgb(named(name)));
    const idle = this.data.groups.length - 1;
    this.groups = groups.map(packedColour);
    this.dimGroups = groups.map((colour) => packedColour(mixed(colour, ground, DIMMED)));
    this.groundPacked = packedColour(ground);
    const { group, path } = this.data.state;
    this.states = new Uint32Array(group.length);
    this.dimStates = new Uint32Array(group.length);
    group.forEach((of, state) => {
      const tint = of < this.data.work && of !== 1 ? TINTS[path[state] % TINTS.length] : 0;
      const colour = mixed(groups[of], tint > 0 ? [255, 255, 255] : [0, 0, 0], Math.abs(tint));
      this.states[state] = packedColour(colour);
      this.dimStates[state] = packedColour(of === idle ? colour : mixed(colour, ground, DIMMED));
    });
  }
}

function rgb(text) {
  const digits = text.replace("#", "");
  const each = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
  return each.map((pair) => parseInt(pair, 16));
}

function mixed(one, other, part) {
  return one.map((value, at) => Math.round(value + (other[at] - value) * part));
}

/* As the pixels of a little-endian machine, which all are that have a browser. */
function packedColour([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
