import { expect, test } from "vitest";
import { notingClient } from "../test/noting-client.js";
import { makeTrigrams, whereTrigramsAre } from "./trigrams.js";

const index = "vehicles_search_text";
const made = (home: string) =>
  `create index ${index} on vehicles using gin (search_text ${home}.gin_trgm_ops)`;

/** What is asked where an index is found from so many looks on, with or without the schema `public`. */
async function making({ foundAt = 9, hasPublic = true, homes = ["ext"], held = 0, timeoutMs = 60_000 }) {
  let looks = 0;
  let left = held;
  const { client, asked } = notingClient((text) => {
    if (text.includes("from pg_class")) return looks++ >= foundAt ? [{}] : [];
    if (text.includes("nspname = 'public'")) return hasPublic ? [{}] : [];
    if (text === whereTrigramsAre.replace(/\s+/g, " ")) return homes.map((schema) => ({ schema }));
    if (text.startsWith("create index") && left-- > 0)
      return Promise.reject(Object.assign(new Error("held"), { code: "55P03" }));
    return [];
  });
  const outcome = await makeTrigrams(client, { schema: "fleet", timeoutMs }).then(
    () => "made",
    (error: Error) => error.message,
  );
  return { outcome, asked, texts: asked.map(({ text }) => text) };
}

test("an index that is there is not made, and nobody waits for it", async () => {
  const { texts, asked } = await making({ foundAt: 0 });
  expect(texts.map((text) => text.split(" ", 3).join(" "))).toEqual([
    "begin isolation level",
    "select from pg_class",
    "commit",
  ]);
  expect(asked[1]?.values).toEqual(["fleet", index]);
});

test("an index that somebody else has made meanwhile is not made again", async () => {
  const { texts, asked } = await making({ foundAt: 1 });
  expect(texts.filter((text) => text.startsWith("create"))).toEqual([]);
  expect(asked.map(({ values }) => values)).toEqual([
    ...[[], ["fleet", index], []],
    ...[[], ["@wye/vehicle-postgres pg_trgm"], ["fleet", index], []],
  ]);
  expect(texts.at(-1)).toBe("commit");
});

test.each([
  [true, "public"],
  [false, "fleet"],
])("the extension is made where others find it: %s, %s", async (hasPublic, home) => {
  const { texts } = await making({ hasPublic });
  expect(texts.filter((text) => text.startsWith("create"))).toEqual([
    `create extension if not exists pg_trgm schema ${home}`,
    made("ext"),
  ]);
});

test("without an extension there is no index", async () => {
  const { texts } = await making({ homes: [] });
  expect(texts.filter((text) => text.startsWith("create index"))).toEqual([]);
});

test("a table that others hold is waited for, as long as there is time", async () => {
  const { texts, outcome } = await making({ held: 1 });
  expect([outcome, texts.filter((text) => text.startsWith("create index"))]).toEqual([
    "made",
    [made("ext"), made("ext")],
  ]);
  expect((await making({ held: 1, timeoutMs: 0 })).outcome).toBe("held");
});
