// @ts-check
/* The field above a tree: the node that contains the typed text, with Enter the next one. */
pomp.find = (field, view) => {
  const go = (direction, isHere) => {
    const text = field.value.trim().toLowerCase();
    const node = text ? view.next(text, direction, isHere) : view.node;
    field.setAttribute("aria-invalid", node < 0);
    if (node >= 0) view.select(node);
  };
  field.addEventListener("input", () => go(1, true));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1, false);
    else if (event.key === "Escape") field.value = "";
    else if (event.key !== "ArrowDown") return;
    if (event.key !== "Enter") view.element.focus();
    event.preventDefault();
  });
};
