import { describe, expect, test } from "vitest";
import { paginationLinks } from "./pagination-links.js";

const linksOf = (search: string, pageNumber: number, pageSize: number, overallCount: number) =>
  JSON.parse(paginationLinks("vehicles", search, { pageNumber, pageSize, overallCount }));
const link = (number: number) => `vehicles?page%5Bnumber%5D=${number}`;

describe("pages are linked as far as there are any", () => {
  test.each<[page: number, size: number, count: number, links: object]>([
    [1, 10, 0, { first: 1 }],
    [2, 10, 0, { first: 1 }],
    [1, 10, 10, { first: 1, last: 1 }],
    [1, 10, 11, { first: 1, next: 2, last: 2 }],
    [2, 10, 20, { first: 1, prev: 1, last: 2 }],
    [2, 10, 21, { first: 1, prev: 1, next: 3, last: 3 }],
    [3, 10, 20, { first: 1, prev: 2, last: 2 }],
    [9, 10, 20, { first: 1, prev: 2, last: 2 }],
  ])("page %d of %d each, of %d", (page, size, count, numbers) => {
    const links = Object.entries(numbers).map(([name, number]) => [name, link(number)]);
    expect(linksOf("", page, size, count)).toEqual({ self: "vehicles", ...Object.fromEntries(links) });
  });
});

test("a query is echoed up to 2,000 characters, and beyond only to go on", () => {
  const query = (length: number) => `q=${"x".repeat(length - 2)}`;
  const names = (length: number) => Object.keys(linksOf(query(length), 2, 10, 30));
  expect(names(2000)).toEqual(["self", "first", "prev", "next", "last"]);
  expect(names(2001)).toEqual(["prev", "next"]);
  const brackets = "&page[size]=10".padEnd(1000, "[");
  expect(Object.keys(linksOf(query(1000) + brackets, 2, 10, 30))).toHaveLength(5);
  expect(linksOf(query(2001), 2, 10, 30).next).toBe(`vehicles?${query(2001)}&page%5Bnumber%5D=3`);
});

describe("all but the number of the page stays as it was given, escaped", () => {
  test.each<[search: string, self: string, others: string]>([
    ["q=a&page[number]=2", "q=a&page%5Bnumber%5D=2", "q=a&"],
    ["page%5Bnumber%5D=2&q=a", "page%5Bnumber%5D=2&q=a", "q=a&"],
    ["page%5bnumber%5d=2&q=a", "page%5Bnumber%5D=2&q=a", "q=a&"],
    ["p%61ge[number]=2&q=a", "p%61ge%5Bnumber%5D=2&q=a", "q=a&"],
    ["page[number]&&q=a&", "page%5Bnumber%5D&&q=a&", "q=a&"],
    ["page[numbers]=2", "page%5Bnumbers%5D=2", "page%5Bnumbers%5D=2&"],
    ["page[size]=5", "page%5Bsize%5D=5", "page%5Bsize%5D=5&"],
    ["q=100%", "q=100%25", "q=100%25&"],
    ["q=%c3%a9", "q=%C3%A9", "q=%C3%A9&"],
    ["q=%zz", "q=%25zz", "q=%25zz&"],
    ['q=é <"\\>', "q=%C3%A9%20%3C%22%5C%3E", "q=%C3%A9%20%3C%22%5C%3E&"],
    ["q=\ud800", "q=%EF%BF%BD", "q=%EF%BF%BD&"],
  ])("%j", (search, self, others) => {
    expect(linksOf(search, 1, 10, 20)).toEqual({
      self: `vehicles?${self}`,
      first: `vehicles?${others}page%5Bnumber%5D=1`,
      next: `vehicles?${others}page%5Bnumber%5D=2`,
      last: `vehicles?${others}page%5Bnumber%5D=2`,
    });
  });
});
