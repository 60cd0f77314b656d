/** The fields of a cron, as robfig/cron 1.2.0 reads them: what they may say, and in which bounds. */
const fields: readonly { readonly min: number; readonly max: number; readonly names?: string }[] = [
  { min: 0, max: 59 },
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: "jan feb mar apr may jun jul aug sep oct nov dec" },
  { min: 0, max: 6, names: "sun mon tue wed thu fri sat" },
];

const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const duration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** Why the scheduler of servers does not take a cron, in its words; undefined for one that it takes. */
export function cronReason(cron: string): string | undefined {
  if (cron === "") return "Empty spec string";
  if (cron.startsWith("@")) return descriptorReason(cron);
  const parts = cron.split(/\s+/).filter((part) => part !== "");
  // The day of the week may be left out.
  if (parts.length < 5 || parts.length > 6) return `Expected 5 to 6 fields, found ${parts.length}: ${cron}`;
  for (const [i, part] of parts.entries()) {
    for (const range of part.split(/,+/)) {
      const reason = range === "" ? undefined : rangeReason(range, fields[i]);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

function descriptorReason(cron: string): string | undefined {
  if (descriptors.includes(cron)) return undefined;
  if (!cron.startsWith("@every ")) return `Unrecognized descriptor: ${cron}`;
  if (duration.test(cron.slice("@every ".length))) return undefined;
  return `Failed to parse duration ${cron}: time: invalid duration ${JSON.stringify(cron.slice("@every ".length))}`;
}

/** A range is `*`, a value, or two of them with a hyphen, and may have a step. */
function rangeReason(range: string, field = fields[0]): string | undefined {
  const { min = 0, max = 0, names = "" } = field ?? {};
  const [values = "", step, ...tooMany] = range.split("/");
  const [low = "", high, ...tooManyValues] = values.split("-");
  const isStar = low === "*" || low === "?";
  const start = isStar ? min : numberOf(low, names, min);
  if (start === undefined) return noNumber(low);
  if (!isStar && tooManyValues.length > 0) return `Too many hyphens: ${range}`;
  let end: number | undefined = start;
  if (isStar) end = max;
  else if (high !== undefined) end = numberOf(high, names, min);
  if (end === undefined) return noNumber(high ?? "");
  if (tooMany.length > 0) return `Too many slashes: ${range}`;
  const width = step === undefined ? 1 : numberOf(step, "", 0);
  if (width === undefined) return noNumber(step ?? "");
  // `5/15` is every 15 from 5 on.
  if (step !== undefined && !isStar && high === undefined) end = max;
  if (start < min) return `Beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `End of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `Beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return width === 0 ? `Step of range should be a positive number: ${range}` : undefined;
}

function noNumber(text: string): string {
  if (/^-\d+$/.test(text)) return `Negative number (${Number(text)}) not allowed: ${text}`;
  return `Failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}

function numberOf(text: string, names: string, min: number): number | undefined {
  const named = names.split(" ").indexOf(text.toLowerCase());
  if (text !== "" && named >= 0) return named + min;
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
}
