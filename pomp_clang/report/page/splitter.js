// @ts-check
/* The bars between panes: the two beside one share their widths by it. */
pomp.splitters = (row) => {
  const LEAST = 0.12;
  const STEP = 0.02;
  const panes = [...row.querySelectorAll(".pane")];
  const bars = [...row.querySelectorAll(".splitter")];
  let shares = null;

  const draw = () => {
    row.style.gridTemplateColumns = shares
      ? shares.map((each) => `minmax(0, ${each}fr)`).join(" var(--gap) ")
      : "";
    const widths = panes.map((each) => each.offsetWidth);
    const all = widths.reduce((a, b) => a + b) || 1;
    bars.forEach((bar, place) => {
      bar.setAttribute("aria-valuenow", Math.round((100 * widths[place]) / all));
    });
  };

  const move = (place, by) => {
    const widths = panes.map((each) => each.offsetWidth);
    const all = widths.reduce((a, b) => a + b) || 1;
    shares ??= widths.map((each) => each / all);
    const both = shares[place] + shares[place + 1];
    const left = Math.min(both - LEAST, Math.max(LEAST, shares[place] + by));
    [shares[place], shares[place + 1]] = [left, both - left];
    draw();
  };

  bars.forEach((bar, place) => {
    let last = 0;
    bar.addEventListener("pointerdown", (event) => {
      bar.setPointerCapture(event.pointerId);
      last = event.clientX;
    });
    bar.addEventListener("pointermove", (event) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      move(place, (event.clientX - last) / row.clientWidth);
      last = event.clientX;
    });
    bar.addEventListener("dblclick", () => { shares = null; draw(); });
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
      if (!by) return;
      event.preventDefault();
      move(place, by);
    });
  });
  draw();
};
