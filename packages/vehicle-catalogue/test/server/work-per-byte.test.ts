import { describe, expect, test } from "vitest";
import { fullKey, openCatalogue, openRouter } from "./listening.js";

const ids = openCatalogue()
  .vehicles()
  .map(({ id }) => id);

async function get(query: string) {
  const headers = new Headers({ "api-key": fullKey });
  const { status, body } = await openRouter().respond({
    method: "GET",
    url: `/v2/vehicles?${query}`,
    headers,
  });
  const text = new TextDecoder().decode(body);
  return { status, length: body.length, document: JSON.parse(text), text };
}

/** Queries of some 45 kB whose answer holds no vehicle, so that what is long in it is the query. */
const long = [
  { name: "commas", query: `filter[id]=${",".repeat(45_000)}` },
  { name: "ids", query: `filter[id]=${"abcdefgh,".repeat(5_000)}` },
  { name: "escapes", query: `filter[id]=${"%2C".repeat(15_000)}` },
  { name: "characters that have to be escaped", query: `filter[id]=${"<".repeat(10_000)}` },
  { name: "one parameter many times", query: "filter[id]=a&".repeat(2_500) },
];

describe("a long query", () => {
  for (const { name, query } of long) {
    test(`of ${name} is not echoed again and again`, async () => {
      const { status, length } = await get(query);
      expect(status).toBe(200);
      expect(length).toBeLessThan(1000);
    });

    test(`of ${name} and many ids still leads to the next page, and back`, async () => {
      const { length, document } = await get(`${query}&filter[id]=${ids}&page[size]=100&fields[car]=`);
      expect([length < 110_000 + 1.2 * escapedLength(query), Object.keys(document.links)]).toEqual([
        true,
        ["next"],
      ]);
      const second = await get(document.links.next.slice("vehicles?".length));
      expect(second.document.data[0].id).toBe(ids[100]);
      expect(Object.keys(second.document.links)).toEqual(["prev", "next"]);
    });
  }

  test("that is short has all links, escaped, with everything else as it was given", async () => {
    const { document } = await get(`filter%5bid%5D=${ids.slice(0, 3)}&page[number]=2&page[size]=1`);
    const rest = `filter%5Bid%5D=${ids.slice(0, 3)}&page%5Bsize%5D=1`;
    expect(document.links).toEqual({
      self: `vehicles?filter%5Bid%5D=${ids.slice(0, 3)}&page%5Bnumber%5D=2&page%5Bsize%5D=1`,
      first: `vehicles?${rest}&page%5Bnumber%5D=1`,
      prev: `vehicles?${rest}&page%5Bnumber%5D=1`,
      next: `vehicles?${rest}&page%5Bnumber%5D=3`,
      last: `vehicles?${rest}&page%5Bnumber%5D=3`,
    });
  });

  test.each([
    [1999, ["self", "first"]],
    [2000, ["self", "first"]],
    [2001, []],
  ])("of %d characters is echoed where it is short", async (length, names) => {
    const { document } = await get("filter[id]=".padEnd(length, "a"));
    expect(Object.keys(document.links)).toEqual(names);
  });

  const odd = [
    "include=&q=a%20b",
    'q="a"\\&include=',
    "q=%",
    "q=%zz",
    "q=a+b",
    "q=%00",
    "&&q=a&",
    "q=\ud800x",
    "q=ü🚗",
  ];
  for (const query of odd) {
    test(`links of ${JSON.stringify(query)} ask for the same again`, async () => {
      const { document, text } = await get(query);
      for (const link of Object.values<string>(document.links)) {
        expect(link).toMatch(/^[\x21-\x7e]+$/);
        expect(link).not.toMatch(/["<>\\^`{|}[\]]/);
        const again = await get(link.replace(/^vehicles\??/, ""));
        expect(again.document.data).toEqual(document.data);
      }
      expect(text).toContain('"links":{"self":');
    });
  }
});

test("a second question mark is part of the first name, which nobody knows", async () => {
  for (const query of ["?page[size]=1", "??page[size]=1", "%3Fpage[size]=1"]) {
    const { status, document } = await get(query);
    expect([status, document.errors[0].source.parameter]).toEqual([
      400,
      decodeURIComponent(query).split("=")[0],
    ]);
  }
});

function escapedLength(query: string): number {
  return query.replace(/[<>[\]]/g, "%3C").length;
}
