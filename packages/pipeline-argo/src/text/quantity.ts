/** A quantity of Kubernetes, such as `500m` or `2Gi`: digits times a power of ten or two. */
interface Quantity {
  readonly negative: boolean;
  /** The digits before and after the point. */
  readonly whole: string;
  readonly decimals: string;
  readonly suffix: string;
}

const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimal: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
};

/** What a size may have at most: more is no size of a volume, and only takes time. */
const longest = 64;

/** Reads a quantity; undefined when the text is none. */
function parseQuantity(text: string): Quantity | undefined {
  if (text.length > longest) return undefined;
  const match = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", decimals = "", only = "", suffix = ""] = match;
  return { negative: sign === "-", whole, decimals: decimals + only, suffix };
}

/** True for quantities of nothing. */
export function isZero(text: string): boolean {
  const quantity = parseQuantity(text);
  return quantity !== undefined && !/[1-9]/.test(quantity.whole + quantity.decimals);
}

/** True for quantities below zero. */
export function isNegative(text: string): boolean {
  const quantity = parseQuantity(text);
  return quantity?.negative === true && /[1-9]/.test(quantity.whole + quantity.decimals);
}

/** A quantity as Kubernetes prints it; undefined when the text is none. */
export function canonicalQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return undefined;
  if (isKept(quantity)) return text;
  const base = binary[quantity.suffix];
  return base === undefined ? printDecimal(quantity) : printBinary(quantity, base);
}

/** True for those that are printed as they are written. */
function isKept({ whole, decimals, suffix }: Quantity): boolean {
  const number = whole.replace(/^0+(?=\d)/, "");
  if (binary[suffix] !== undefined) {
    return decimals === "" && number.length <= 15 && BigInt(number || "0") % 8n !== 0n;
  }
  const digits = (number === "" ? "0" : number) + decimals;
  if (digits === "0" && suffix === "") return true;
  const power = powerOf(suffix) - decimals.length;
  return !digits.startsWith("0") && !digits.endsWith("000") && digits.length <= 18 && power % 3 === 0;
}

function powerOf(suffix: string): number {
  return decimal[suffix] ?? Number(suffix.slice(1));
}

function printDecimal({ negative, whole, decimals, suffix }: Quantity): string {
  return signed(negative, scaled(BigInt(whole + decimals || "0"), powerOf(suffix) - decimals.length, suffix));
}

/** Digits times a power of ten, with the largest power of a thousand that leaves no fraction. */
function scaled(digits: bigint, power: number, suffix: string): string {
  if (digits === 0n) return "0";
  let [number, at] = atThousands(digits, power);
  const exponent = /^[eE]/.test(suffix);
  while (number % 1000n === 0n && (exponent || at < 18)) {
    number /= 1000n;
    at += 3;
  }
  if (exponent) return at === 0 ? String(number) : `${number}e${at}`;
  const unit = Object.keys(decimal).find((name) => decimal[name] === at) ?? `e${at}`;
  return `${number}${unit}`;
}

/** The same value with a power that is a multiple of three, at least that of nanos, to which fractions are rounded up. */
function atThousands(digits: bigint, power: number): [number: bigint, power: number] {
  if (power < -9) {
    const unit = 10n ** BigInt(-9 - power);
    return [(digits + unit - 1n) / unit, -9];
  }
  const over = ((power % 3) + 3) % 3;
  return [digits * 10n ** BigInt(over), power - over];
}

function printBinary({ negative, whole, decimals }: Quantity, base: number): string {
  const digits = BigInt(whole + decimals || "0") * 2n ** BigInt(base);
  const unit = 10n ** BigInt(decimals.length);
  if (digits % unit !== 0n || digits / unit < 1024n)
    return signed(negative, scaled(digits, -decimals.length, ""));
  let number = digits / unit;
  let power = 0;
  while (number % 1024n === 0n && power < 60) {
    number /= 1024n;
    power += 10;
  }
  const name = Object.keys(binary).find((one) => binary[one] === power) ?? "";
  return signed(negative, `${number}${name}`);
}

function signed(negative: boolean, text: string): string {
  return negative && text !== "0" ? `-${text}` : text;
}
