import { Seeded } from "./seeded.js";
import { seededContext, userKey, users } from "./seeded-contexts.js";
import { type SeededData, seededData } from "./seeded-flags.js";

/** Flags that are unlike those of `seededData`, and contexts that ask for them. */
export interface Shape {
  readonly data: () => SeededData;
  readonly contexts: () => readonly object[];
}

const available = { usingMobileKey: true, usingEnvironmentId: true };

function flagsOf(count: number, make: (n: number, random: Seeded) => object): SeededData {
  const random = new Seeded(count);
  const flags = random.list(count, (n) => {
    const key = `flag-${n}`;
    const common = {
      key,
      version: 1,
      on: true,
      variations: [true, false],
      offVariation: 1,
      salt: random.hex(32),
    };
    return [
      key,
      { ...common, fallthrough: { variation: 0 }, clientSideAvailability: available, ...make(n, random) },
    ];
  });
  return { flags: Object.fromEntries(flags), segments: {} };
}

function contextsOf(
  change: (context: object, random: Seeded) => object = (context) => context,
): readonly object[] {
  const random = new Seeded(77);
  return random.list(256, () => change(seededContext(random), random));
}

const country = (values: string[]) => ({ attribute: "country", op: "in", values, negate: false });

type Fields = Readonly<Record<string, unknown>>;

/** With twenty attributes more, 8 KB in all, where those of users are. */
function wide(context: object, random: Seeded): object {
  const more: Fields = Object.fromEntries(random.list(20, (n) => [`more${n}`, random.hex(380)]));
  const fields = { ...context } as Fields;
  for (const place of ["user", "custom"]) {
    if (place in fields) return { ...fields, [place]: { ...(fields[place] as Fields), ...more } };
  }
  return { ...fields, ...more };
}

/** What a relay meets besides the environment of `seededData`. */
export const otherShapes: Readonly<Record<string, Shape>> = {
  "5,000 flags with few rules": {
    data: () =>
      flagsOf(5000, (n, random) =>
        n % 10 === 0
          ? { rules: [{ id: `${n}`, variation: 1, clauses: [country([random.pick(["de", "fr", "us"])])] }] }
          : {},
      ),
    contexts: contextsOf,
  },
  "200 flags with 1,000 targets each": {
    data: () =>
      flagsOf(200, (_, random) => ({
        targets: [0, 1].map((variation) => ({
          variation,
          values: random.list(500, () => userKey(random.below(users))),
        })),
      })),
    contexts: contextsOf,
  },
  "200 flags in chains of 50 prerequisites": {
    data: () =>
      flagsOf(200, (n) => ({
        prerequisites: n % 50 === 0 ? [] : [{ key: `flag-${n - 1}`, variation: 0 }],
        rules: [{ id: `${n}`, variation: 0, clauses: [country(["de", "us"])] }],
      })),
    contexts: contextsOf,
  },
  "200 flags with variations of 3 KB": {
    data: () =>
      flagsOf(200, (n, random) => ({
        variations: [0, 1].map((one) => ({ one, text: random.hex(3000) })),
        rules: n % 2 === 0 ? [] : [{ id: `${n}`, variation: 1, clauses: [country(["de", "us"])] }],
      })),
    contexts: contextsOf,
  },
  "200 flags for contexts of 8 KB": { data: () => seededData(200), contexts: () => contextsOf(wide) },
};
