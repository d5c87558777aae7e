// @ts-check
"use strict";
/* The data that the page carries.  It is unpacked at once: a stream in pieces would wait for the
   rest of the page between them.  A column of numbers has first the lowest byte of all, then the next. */
const pomp = {
  async load(name) {
    const text = document.getElementById(name).textContent.trim();
    const bytes = Uint8Array.fromBase64
      ? Uint8Array.fromBase64(text)
      : Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const packed = new ReadableStream({
      start(given) {
        given.enqueue(bytes);
        given.close();
      },
    });
    const reader = packed.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
    }
    return pomp.joined(parts);
  },

  joined(parts) {
    const all = new Uint8Array(parts.reduce((size, each) => size + each.length, 0));
    let at = 0;
    for (const each of parts) {
      all.set(each, at);
      at += each.length;
    }
    return all.buffer;
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
