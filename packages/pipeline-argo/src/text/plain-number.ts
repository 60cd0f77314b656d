/** A number in digits and a point alone, with as many of them as it takes to tell it from others. */
export function plainNumber(value: number): string {
  const [, sign = "", whole = "", decimals = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const power = Number(exponent);
  if (power === 0) return Object.is(value, -0) ? "-0" : String(value);
  const digits = whole + decimals;
  const at = whole.length + power;
  if (at <= 0) return `${sign}0.${"0".repeat(-at)}${digits}`;
  return `${sign}${digits.padEnd(at, "0")}`;
}
