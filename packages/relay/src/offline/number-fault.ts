/** Why a number, as people have written it, would become another one; `undefined` when it does not. */
export function numberFault(written: string, value: number): string | undefined {
  if (!Number.isFinite(value)) return `${written} is no number that JSON has`;
  if (!/^[-+]?\d+$/.test(written) || BigInt(written.replace("+", "")) === BigInt(value)) return undefined;
  return `${written} would become ${BigInt(value)}: put it into quotes`;
}
