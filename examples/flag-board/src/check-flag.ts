import { compileFlags } from "@wye/flag-evaluator";
import { type Flag, type FlagProblem, type Serving, wholeWeight } from "./flag.js";
import { readJson } from "./read-json.js";

export type FlagCheck =
  | { readonly ok: true; readonly flag: Flag }
  | { readonly ok: false; readonly problems: readonly FlagProblem[] };

type Note = (path: string, message: string) => void;

const operators = new Set(
  `in startsWith endsWith matches contains lessThan lessThanOrEqual greaterThan greaterThanOrEqual before after
  segmentMatch semVerEqual semVerLessThan semVerGreaterThan`.split(/\s+/),
);

/**
 * Reads the text of a flag. The evaluator says what it cannot read; beyond that this refuses what an evaluator must accept
 * and nobody means, such as variations that do not exist.
 */
export function checkFlag(key: string, text: string): FlagCheck {
  const reading = readJson(text);
  if (!reading.ok) return { ok: false, problems: [{ ...reading.place, path: "", message: reading.message }] };
  const problems: FlagProblem[] = [];
  const note: Note = (path, message) => void problems.push({ ...reading.placeOf(path), path, message });
  for (const { path, message } of compileFlags({ flags: { [key]: text } }).problems) note(path, message);
  if (problems.length === 0) {
    // The evaluator found nothing wrong with the types of its members.
    const flag = reading.value as Flag;
    checkMeaning(key, flag, note);
    if (problems.length === 0) return { ok: true, flag };
  }
  return { ok: false, problems };
}

function checkMeaning(key: string, flag: Flag, note: Note): void {
  if (flag.key !== key) note("/key", `must be ${JSON.stringify(key)}: flags keep their keys`);
  if (typeof flag.on !== "boolean") note("/on", "must be true or false");
  const count = flag.variations?.length ?? 0;
  if (count === 0) {
    note("/variations", "must be an array with at least one value");
    return;
  }
  const index: Note = (path, value) => {
    if (!(Number(value) >= 0 && Number(value) < count)) {
      note(path, `there is no variation ${value}; the last one is ${count - 1}`);
    }
  };
  if (flag.offVariation != null) index("/offVariation", String(flag.offVariation));
  checkServing("/fallthrough", flag.fallthrough ?? {}, index, note);
  for (const [at, rule] of (flag.rules ?? []).entries()) {
    checkServing(`/rules/${at}`, rule, index, note);
    for (const [place, { op }] of (rule.clauses ?? []).entries()) {
      if (op === undefined || !operators.has(op)) {
        note(`/rules/${at}/clauses/${place}/op`, `must be one of ${[...operators].join(", ")}`);
      }
    }
  }
}

function checkServing(path: string, { variation, rollout }: Serving, index: Note, note: Note): void {
  if (variation != null) {
    index(`${path}/variation`, String(variation));
  } else if (rollout == null) {
    note(path, 'must have "variation" or "rollout"');
  } else {
    const shares = rollout.variations ?? [];
    for (const [at, share] of shares.entries()) {
      index(`${path}/rollout/variations/${at}/variation`, String(share.variation ?? 0));
    }
    const sum = shares.reduce((total, { weight = 0 }) => total + weight, 0);
    if (sum !== wholeWeight) {
      note(`${path}/rollout/variations`, `the weights add up to ${sum}, and must to ${wholeWeight}`);
    }
  }
}
