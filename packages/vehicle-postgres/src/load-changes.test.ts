import { describe, expect, test } from "vitest";
import { notingClient } from "../test/noting-client.js";
import { collect } from "../test/real-database.js";
import { chunksOf, loadChanges } from "./load-changes.js";

const place = { schema: "fleet", timeoutMs: 1000 };
const held = { number: 3n, token: "three", view: "5:5:", askedAt: 0 };
const row = (id: string, brand = "b") => ({
  ...{ id, type: "car", attributes: {}, brand_id: brand, brand_name: brand },
});

/** A database with rows, of which some have changed since version 3. */
function database({
  rows = [row("a"), row("b"), row("c")],
  changed = [row("a")],
  version = {} as object,
  isUnseen = false,
}) {
  let left: readonly object[] = [];
  return notingClient((text) => {
    if (text.startsWith("select number, token"))
      return [{ number: "4", token: "four", view: "9:9:", askedAt: 7, follows: true, ...version }];
    if (text.startsWith("with upper")) return [{ is_unseen: isUnseen }];
    if (text === "select count(*) from vehicles") return [{ count: `${rows.length}` }];
    if (text.startsWith("declare")) {
      left = text.includes("> 3") ? changed : rows;
      return [];
    }
    const size = Number(/^fetch (\d+) from piecewise$/.exec(text)?.[1] ?? 0);
    const piece = left.slice(0, size);
    left = left.slice(size);
    return piece;
  });
}

const declared = (texts: readonly string[]): readonly string[] =>
  texts
    .filter((text) => text.startsWith("declare"))
    .map((text) => text.replace("declare piecewise no scroll ", ""));
const from = (after: number): string =>
  `cursor for select v.id, v.type, v.attributes, v.brand_id, b.name as brand_name from vehicles v left join brands b on b.id = v.brand_id where v.changed_in > ${after} or b.changed_in > ${after}`;
const ids = "cursor for select id from vehicles";

describe("what was written after a version", () => {
  test("is read alone where the count says that nothing has gone", async () => {
    const { client, texts } = database({});
    const changes = await loadChanges(client, place, held, (changed) => changed.length + 2);
    expect(changes).toMatchObject({ isAll: false, remaining: undefined, rows: 3, hasTwins: false });
    expect(changes.version).toEqual({ number: 4n, token: "four", view: "9:9:", askedAt: 7 });
    expect(changes.changed.map(({ id }) => id)).toEqual(["a"]);
    expect([declared(texts()), texts().at(-1)]).toEqual([[from(3)], "commit"]);
  });

  test.each([2, 4, undefined])(
    "is read with the ids of all where %s would be there without them",
    async (count) => {
      const { client, texts } = database({ rows: [row("A"), row("b"), row("C")] });
      const changes = await loadChanges(client, place, held, () => count);
      expect(changes).toMatchObject({ isAll: false, rows: 3, hasTwins: false });
      expect([...(changes.remaining ?? [])]).toEqual(["a", "b", "c"]);
      expect(declared(texts())).toEqual([from(3), ids]);
    },
  );
});

describe("everything is read", () => {
  const cases: readonly (readonly [
    why: string,
    database: Parameters<typeof database>[0],
    since: typeof held | undefined,
    cursors: readonly string[],
  ])[] = [
    ["where nothing is held", {}, undefined, [from(-1)]],
    ["where the version has not come from what is held", { version: { follows: false } }, held, [from(-1)]],
    ["where its number is the same", { version: { number: "3" } }, held, [from(-1)]],
    ["where its number is lower", { version: { number: "2" } }, held, [from(-1)]],
    ["where somebody has written past the triggers", { isUnseen: true }, held, [from(-1)]],
    [
      "where what has changed has twins",
      { rows: [row("v"), row("V")], changed: [row("v"), row("V")] },
      held,
      [from(3), ids, from(-1)],
    ],
    [
      "where an id is a twin of one that has not changed",
      { rows: [row("v"), row("V")], changed: [row("V")] },
      held,
      [from(3), ids, from(-1)],
    ],
  ];
  test.each(cases)("%s", async (_, given, since, cursors) => {
    const { client, texts } = database(given);
    const changes = await loadChanges(client, place, since, () => 1);
    expect(declared(texts())).toEqual(cursors);
    const all = given.rows?.length ?? 3;
    expect([changes.isAll, changes.remaining, changes.rows, changes.changed.length]).toEqual([
      true,
      undefined,
      all,
      all,
    ]);
  });
});

describe("of all rows", () => {
  const loaded = async (rows: readonly ReturnType<typeof row>[]) => {
    const { changed, hasTwins } = await loadChanges(
      database({ rows: [...rows] }).client,
      place,
      undefined,
      () => 0,
    );
    return [hasTwins, changed.map(({ id, manufacturer }) => `${id} ${manufacturer.id}`)];
  };

  test.each<readonly [what: string, ids: readonly string[]]>([
    ["another order", ["b b", "a b"]],
    ["letters that only as capitals are the same", ["straße b", "strasse b"]],
    ["brands of which that is so", ["a straße", "b strasse"]],
    ["a brand of several", ["a b", "b b"]],
  ])("none are twins because of %s, and they stay as they come", async (_, given) => {
    const rows = given.map((one) => row(...(one.split(" ") as [string, string])));
    expect(await loaded(rows)).toEqual([false, given]);
  });

  test("twins come in one order, whatever the order of the rows was: by brand, then by id", async () => {
    const rows = [row("c", "a"), row("v", "B"), row("V", "b"), row("a", "b"), row("d", "a")];
    const ordered = ["v B", "c a", "d a", "V b", "a b"];
    expect(await loaded(rows)).toEqual([true, ordered]);
    expect(await loaded(rows.toReversed())).toEqual([true, ordered]);
  });

  test.each([[[row("v"), row("x"), row("V")]], [[row("a", "one"), row("b", "two"), row("c", "One")]]])(
    "twins are those that only the database tells apart",
    async (rows) => {
      expect((await loaded(rows))[0]).toBe(true);
    },
  );
});

test("who has written past the triggers is asked of both tables, by what the version that is held has seen", async () => {
  const { client, asked } = database({});
  await loadChanges(client, place, held, () => 3);
  const question = asked.find(({ text }) => text.startsWith("with upper"));
  const unseen = (table: string): string =>
    `exists (select from ${table} r, upper u where r.changed_in <= $1 and not pg_visible_in_snapshot( (u.next - ((u.next - r.xmin::text::bigint) & 4294967295))::text::xid8, $2::pg_snapshot))`;
  expect(question).toEqual({
    text: `with upper as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) select ${unseen("brands")} or ${unseen("vehicles")} or exists (select from vehicles v where not exists (select from brands b where b.id = v.brand_id)) as is_unseen`,
    values: ["3", "5:5:"],
  });
});

describe("rows come in pieces", () => {
  test.each<readonly [rows: number, size: number | undefined, pieces: number[], fetches: number]>([
    [0, 2, [], 1],
    [1, 2, [1], 1],
    [2, 2, [2], 2],
    [3, 2, [2, 1], 2],
    [501, undefined, [500, 1], 2],
  ])("%d of them, %s at a time", async (count, size, sizes, fetches) => {
    const { client, texts } = database({ rows: Array.from({ length: count }, (_, at) => row(`${at}`)) });
    const found = await collect(chunksOf(client, "all", size));
    expect(found.map((piece) => piece.length)).toEqual(sizes);
    expect(texts()).toEqual([
      "declare piecewise no scroll cursor for all",
      ...Array.from({ length: fetches }, () => `fetch ${size ?? 500} from piecewise`),
      "close piecewise",
    ]);
  });

  test("and ids in larger ones", async () => {
    const { client, texts } = database({});
    await loadChanges(client, place, held, () => undefined);
    expect(texts().filter((text) => text.startsWith("fetch"))).toEqual([
      "fetch 500 from piecewise",
      "fetch 10000 from piecewise",
    ]);
  });
});
