"use strict";
/* What the page carries.  A column of numbers has first the lowest byte of all, then the next. */
const pomp = {
  async load(name) {
    const text = document.getElementById(name).textContent.trim();
    const bytes = Uint8Array.fromBase64
      ? Uint8Array.fromBase64(text)
      : Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const packed = new Blob([bytes]).stream();
    return new Response(packed.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
  },

  async json(name) {
    return JSON.parse(new TextDecoder().decode(await pomp.load(name)));
  },

  async column(name, Numbers) {
    const planes = new Uint8Array(await pomp.load(name));
    const size = Numbers.BYTES_PER_ELEMENT;
    const count = planes.length / size;
    const bytes = new Uint8Array(planes.length);
    for (let plane = 0; plane < size; plane += 1) {
      for (let row = 0, from = plane * count; row < count; row += 1) {
        bytes[row * size + plane] = planes[from + row];
      }
    }
    return new Numbers(bytes.buffer);
  },
};
