import type { Vehicle } from "@wye/vehicle-catalogue";
import { newestMigration } from "../src/migration-list.js";
import { type FakeAnswer, type FakePostgres, fakePostgres } from "./fake-postgres.js";

/** What a fake database holds; a test may change all of it. */
export interface FakeState {
  number: number;
  token: string;
  /** What its clock says, in milliseconds since 1970. */
  now: number;
  /** `hidden`: attributes that are called as columns are. */
  vehicles: readonly (Vehicle & { readonly changedIn?: number; readonly hidden?: object })[];
  /** The newest migration that was applied; 0: there are no tables. */
  migration: number;
  /** Whether this version has come from the one that a follower has. */
  follows: boolean;
  /** How often the vehicles were counted for a page. */
  counts: number;
  /** Answers before all others do. */
  override?: ((text: string, values: readonly (string | null)[]) => FakeAnswer | undefined) | undefined;
}

type Answer = (match: RegExpExecArray, values: readonly (string | null)[]) => FakeAnswer;

/** Answers the statements of this package from a state in memory, one version of which is whole. */
export async function fakeDatabase(
  initial: Partial<FakeState> = {},
): Promise<{ readonly state: FakeState; readonly server: FakePostgres }> {
  const state: FakeState = {
    number: 1,
    token: "one",
    now: 0,
    vehicles: [],
    migration: newestMigration,
    follows: true,
    counts: 0,
    ...initial,
  };
  let cursor: readonly Readonly<Record<string, unknown>>[] = [];
  const rows = (): readonly Readonly<Record<string, unknown>>[] =>
    state.vehicles.map(({ id, type, manufacturer, changedIn, hidden, ...attributes }) => ({
      id,
      type,
      attributes: { ...attributes, ...hidden },
      brand_id: manufacturer.id,
      brand_name: manufacturer.name,
    }));
  const answers: readonly [pattern: RegExp, answer: Answer][] = [
    [/quote_ident/, () => [{ schema: "extensions" }]],
    [/from pg_class/, () => (state.migration > 0 ? [{}] : [])],
    [/max\(number\)/, () => [{ newest: state.migration }]],
    [
      /json_agg\(page\)/,
      ({ input }, values) => {
        const isCounted = input.includes("case when") && values[2] === state.token;
        if (!isCounted && input.includes("(select count")) state.counts++;
        const count = isCounted ? null : `${state.vehicles.length}`;
        return [{ token: state.token, count, page: rows() }];
      },
    ],
    [
      /json_agg\(json_build_object/,
      () => [{ token: state.token, brands: state.vehicles.map(({ manufacturer }) => manufacturer) }],
    ],
    [
      /^select number, token/,
      (_, [, held = null]) => [
        {
          number: `${state.number}`,
          token: state.token,
          askedAt: state.now,
          follows: held !== null && state.follows,
        },
      ],
    ],
    [/^select token/, () => [{ token: state.token }]],
    [/^select number from catalogue_version$/, () => [{ number: `${state.number}` }]],
    [
      /^declare[\s\S]*changed_in > (-?\d+) or/,
      ([, since]) => {
        const all = rows();
        cursor = all.filter((_, at) => (state.vehicles[at]?.changedIn ?? 0) > Number(since));
        return [];
      },
    ],
    [
      /^declare/,
      () => {
        cursor = rows();
        return [];
      },
    ],
    [
      /^fetch (\d+)/,
      ([, size]) => {
        const piece = cursor.slice(0, Number(size));
        cursor = cursor.slice(Number(size));
        return piece;
      },
    ],
    [/^select count\(\*\) from vehicles/, () => [{ count: `${state.vehicles.length}` }]],
  ];
  const server = await fakePostgres((text, values) => {
    const special = state.override?.(text, values);
    if (special !== undefined) return special;
    for (const [pattern, answer] of answers) {
      const match = pattern.exec(text);
      if (match !== null) return answer(match, values);
    }
    return [];
  });
  return { state, server };
}
