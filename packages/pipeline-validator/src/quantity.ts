const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** The number that a Kubernetes quantity such as `500m` or `2Gi` stands for; undefined when it is not one. */
export function parseQuantity(text: string): number | undefined {
  const match = /^([+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30}))([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,3})?$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, digits = "", unit = ""] = match;
  if (/^[eE][+-]?\d/.test(unit)) return Number(digits + unit);
  return Number(digits) * (factors[unit] ?? 1);
}

/** What to write for an amount of bytes that is too small: the next larger unit; a number alone means gigabytes when it is small. */
export function largerUnit(text: string): string {
  if (/[eE][+-]?\d+$/.test(text)) return "write 512Mi or the like";
  const number = text.replace(/[a-z]+$/i, "");
  return `write ${number}${number === text && Number(number) < 64 ? "Gi" : "Mi"}`;
}
