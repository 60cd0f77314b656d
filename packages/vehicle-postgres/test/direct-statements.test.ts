import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, type DirectCatalogueOptions } from "../src/index.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

const all = { offset: 0, limit: 100 };
const patient = { timeout: 60_000 };

async function asking(initial: Partial<FakeState> = {}, options: Partial<DirectCatalogueOptions> = {}) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(5), ...initial });
  const lines: string[] = [];
  const note = (kind: string) => (line: string) => void lines.push(`${kind} ${line}`);
  const logger = { info: note("info"), warn: note("warn"), error: note("error") };
  const catalogue = createDirectCatalogue({
    ...{ connection: server.connection, schema: "cars", timeoutMs: 60_000, logger },
    ...options,
  });
  onTestFinished(() => catalogue.close());
  const snapshot = await catalogue.snapshot();
  const questions = () =>
    server.asked
      .filter(({ text }) => !/^(begin|commit)/.test(text))
      .map(({ text, values }) => ({ text: text.replace(/\s+/g, " "), values }));
  return { state, server, catalogue, snapshot, lines, questions };
}

const token = "(select token from cars.catalogue_version)";
const order = "left(v.sort_key, 600), v.sort_key, v.id";
const page = (count: string, where: string, by: string, cut: string): string =>
  `select ${token} as token, ${count} as count, coalesce(( select json_agg(page) from ( select v.id, v.type, v.attributes, v.brand_id, b.name as brand_name from cars.vehicles v left join cars.brands b on b.id = v.brand_id where v.id = any(array(select v.id from cars.vehicles v${where && ` ${where}`} order by ${by} ${cut})) order by ${by}) page), '[]') as page`;
const counted = (where: string): string => `(select count(*) from cars.vehicles v ${where})`;
const oneOf = (column: string, at: number): string =>
  `lower(v.${column}) in (select lower(asked) from unnest($${at}::text[]) as asked)`;

describe("a page is asked for", () => {
  test.each<readonly [query: object, where: string, values: readonly string[]]>([
    [{}, "", []],
    [{ ids: ["A", "\u0000", "b"] }, `where ${oneOf("id", 3)}`, ['{"A","b"}']],
    [{ manufacturerIds: ["B"] }, `where ${oneOf("brand_id", 3)}`, ['{"B"}']],
    [
      { ids: [], manufacturerIds: ["a\u0000b"] },
      `where ${oneOf("id", 3)} and ${oneOf("brand_id", 4)}`,
      ["{}", "{}"],
    ],
  ])("of %j", async (query, where, values) => {
    const { snapshot, questions } = await asking();
    await snapshot.find({ ...query, offset: 3, limit: 7 });
    expect(questions().slice(1)).toEqual([
      { text: page(counted(where), where, order, "offset $1 limit $2"), values: ["3", "7", ...values] },
    ]);
  });

  test("and counted only where the version is another one", async () => {
    const { snapshot, questions } = await asking();
    await snapshot.find(all);
    await snapshot.find(all);
    const count = `case when ${token}::text = $3 then null else ${counted("")} end`;
    expect(questions().at(-1)).toEqual({
      text: page(count, "", order, "offset $1 limit $2"),
      values: ["0", "100", "one"],
    });
  });
});

test("a search asks for the best ones of each text", async () => {
  const { snapshot, questions } = await asking();
  await snapshot.search({ text: "Nörth", ...all });
  const where = "where $1 operator(extensions.<%) v.search_text";
  const by =
    "extensions.word_similarity($1, v.search_text) desc, extensions.similarity($1, v.search_text) desc, v.sort_key, v.id";
  expect(questions().slice(1)).toEqual([
    {
      text: "select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
      values: [],
    },
    { text: page("null", where, by, "limit $2"), values: ["north", "25"] },
  ]);
});

test("brands are those that have vehicles", async () => {
  const { snapshot, questions } = await asking();
  await snapshot.brands();
  expect(questions()).toEqual([
    { text: "select token from cars.catalogue_version", values: [] },
    {
      text: `select ${token} as token, coalesce(( select json_agg(json_build_object('id', b.id, 'name', b.name)) from cars.brands b where exists (select from cars.vehicles v where lower(v.brand_id) = lower(b.id))), '[]') as brands`,
      values: [],
    },
  ]);
});

test("a search that fails has the next one look where the extension is, and the one after does not", async () => {
  const { state, snapshot, questions } = await asking();
  const search = async () => snapshot.search({ text: "x", ...all });
  const looks = (): number => questions().filter(({ text }) => text.includes("quote_ident")).length;
  await search();
  state.override = (text) => (text.includes("json_agg(page)") ? new Error("moved") : undefined);
  await expect(search()).rejects.toMatchObject({
    code: "unavailable",
    message: "the database does not answer: moved",
    cause: expect.objectContaining({ message: "moved" }),
  });
  expect(looks()).toBe(1);
  state.override = undefined;
  for (let round = 0; round < 2; round++) await search();
  expect(looks()).toBe(2);
});

test("without the extension a search is refused in these words", async () => {
  const { state, snapshot } = await asking();
  state.override = (text) => (text.includes("quote_ident") ? [] : undefined);
  await expect((async () => snapshot.search({ text: "x", ...all }))()).rejects.toMatchObject({
    code: "refused",
    message: "the database has no extension pg_trgm: run migrate(…, { trigrams: true })",
  });
});

test("a version that has lost its row is said to have, whatever is asked", async () => {
  const { state, snapshot, catalogue } = await asking();
  state.override = (text) => (text.includes("token") ? [] : undefined);
  for (const ask of [
    () => catalogue.snapshot(),
    () => snapshot.find(all),
    () => snapshot.search({ text: "x", ...all }),
    () => snapshot.brands(),
  ]) {
    await expect((async () => ask())()).rejects.toMatchObject({
      code: "unavailable",
      message: "cars.catalogue_version has lost its row",
    });
  }
});

describe("an answer of a newer version", () => {
  /** What is at hand when a version is gone. */
  async function newer(ask: (snapshot: Awaited<ReturnType<typeof asking>>["snapshot"]) => unknown) {
    const { state, snapshot, questions } = await asking();
    Object.assign(state, { token: "two", vehicles: fleet(9) });
    const failed = await (async () => ask(snapshot))().catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: "superseded",
      message: "the version one is gone",
      snapshot: { version: "two" },
    });
    const before = questions().length;
    return { ...(failed as { snapshot: typeof snapshot }), asked: () => questions().length - before };
  }

  test("is at hand for the same search, and another one is asked for", async () => {
    const { snapshot, asked } = await newer((old) => old.search({ text: "x", ...all }));
    expect((await snapshot.search({ text: "x", ...all })).overallCount).toBe(9);
    expect(asked()).toBe(0);
    expect((await snapshot.search({ text: "y", ...all })).overallCount).toBe(9);
    expect((await snapshot.find(all)).overallCount).toBe(9);
    expect(asked()).toBe(2);
  });

  test("is at hand for brands, and everything else is asked for", async () => {
    const { snapshot, asked } = await newer((old) => old.brands());
    const names = (await snapshot.brands()).map(({ name }) => name);
    expect([names.length, asked()]).toEqual([9, 0]);
    await snapshot.find(all);
    expect(asked()).toBe(1);
  });
});

test("brands come in the order of their names", async () => {
  const brands = ["b", "C", "Ä"].map((name, at) => ({ id: `${9 - at}`, name }));
  const { snapshot } = await asking({
    override: (text) => (text.includes("json_build_object") ? [{ token: "one", brands }] : undefined),
  });
  expect((await snapshot.brands()).map(({ name }) => name)).toEqual(["Ä", "b", "C"]);
});

test.each([
  [999, 1000],
  [1000, 1000],
])("of %d wrong rows and two more each is told once, and %d at most", async (first, told) => {
  const wrong = (count: number, prefix: string) =>
    fleet(count).map((one, at) => ({ ...one, id: `${prefix}${at}`, ac_phases: 7 as 3 }));
  const { state, snapshot, lines } = await asking({ vehicles: wrong(first, "a") });
  await snapshot.find(all);
  expect(lines).toHaveLength(first);
  state.vehicles = wrong(2, "b");
  for (let round = 0; round < 2; round++) await snapshot.find(all);
  expect(lines).toHaveLength(told);
  expect(lines[0]).toMatch(/^warn cars: .*a0.*ac_phases must be/);
});

describe("a catalogue that keeps nothing", () => {
  test("has ten connections and ten seconds, unless others are wanted", async () => {
    const { server } = await fakeDatabase();
    const catalogue = createDirectCatalogue({ connection: server.connection });
    onTestFinished(() => catalogue.close());
    await Promise.all(Array.from({ length: 12 }, () => catalogue.snapshot()));
    expect(server.connections.opened).toBe(10);
    expect(server.asked[0]?.text).toMatch(/statement_timeout = 10000$/);
    const { server: other, catalogue: one } = await asking({}, { connections: 1 });
    await Promise.all(Array.from({ length: 3 }, () => one.snapshot()));
    expect(other.connections.opened).toBe(1);
  });

  test("gives all connections back when it is closed, and answers nobody then", async () => {
    const { catalogue, server } = await asking();
    await catalogue.close();
    await catalogue.close();
    await expect
      .poll(() => ({ ...server.connections }), patient)
      .toEqual({ opened: 1, open: 0, goodbyes: 1 });
    await expect((async () => catalogue.snapshot())()).rejects.toMatchObject({
      code: "unavailable",
      message: /^the database does not answer: /,
    });
  });

  test.each<readonly [connections: unknown, shown: string]>([
    [0, "0"],
    [1.5, "1.5"],
    ["2", '"2"'],
  ])("refuses %o connections", (connections, shown) => {
    expect(() => createDirectCatalogue({ connection: {}, connections: connections as number })).toThrow(
      new TypeError(`connections must be a whole number from 1; got ${shown}`),
    );
  });

  test("has the extension that it was given, or none", async () => {
    const extension = { attributes: { volts: { type: "integer" } } } as const;
    expect((await asking({}, { extension })).catalogue.extension).toBe(extension);
    expect("extension" in (await asking()).catalogue).toBe(false);
  });
});
