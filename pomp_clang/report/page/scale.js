// @ts-check
/* Formats of severities, and colors of the kinds of time. */
pomp.GREY = 0.005;

pomp.lasting = (seconds) => {
  const size = Math.abs(seconds);
  if (size < 5e-10) return "0 s";
  /** @type {[string, number][]} */
  const units = [["s", 1], ["ms", 1e-3], ["\u00b5s", 1e-6], ["ns", 1e-9]];
  const [unit, scale] = units.find((each) => size >= each[1]) ?? units[3];
  const value = seconds / scale;
  const decimals = unit === "ns" || size / scale >= 99.95 ? 0 : size / scale < 9.995 ? 2 : 1;
  return `${value.toFixed(decimals)} ${unit}`;
};

pomp.counted = (value) => {
  const size = Math.abs(value);
  if (size && size < 1e-3) return value.toExponential(1);
  const digits = { maximumSignificantDigits: size >= 1000 || Number.isInteger(value) ? 15 : 4 };
  return (size >= 1000 ? Math.round(value) : value).toLocaleString("en", digits)
    .replaceAll(",", "\u2009");
};

pomp.percent = (share) => {
  const size = Math.abs(share);
  if (size > 0 && size < 5e-4) return size < 1e-9 ? "0.0" : "<0.1";
  return (100 * share).toFixed(1);
};

pomp.amount = (value, unit) => (unit === "s" ? pomp.lasting(value) : pomp.counted(value));

/* A color stands for a kind of time, in this order; values without a kind have no color. */
pomp.KINDS = ["computing", "waiting", "overhead"];

pomp.colour = (kind) => (kind ? `var(--${kind})` : "var(--soft)");
