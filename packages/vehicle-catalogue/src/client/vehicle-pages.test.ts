import { expect, test } from "vitest";
import { identitiesOf, toPage } from "./vehicle-pages.js";

const data = (count: number, type = "car") =>
  Array.from({ length: count }, (_, at) => ({ type, id: `${at}` }));

test.each([
  // Of a count, whatever is on the page.
  { came: 2, count: 5, start: 0, hasNext: true },
  { came: 2, count: 5, start: 2, hasNext: true },
  { came: 1, count: 5, start: 4, hasNext: false },
  { came: 2, count: 4, start: 2, hasNext: false },
  { came: 1, count: 4, start: 2, hasNext: true },
  { came: 0, count: 5, start: 2, hasNext: true },
  { came: 0, count: 4, start: 2, hasNext: false },
  { came: 0, count: 0, start: 0, hasNext: false },
  // Without one, as long as something comes.
  { came: 2, count: undefined, start: 2, hasNext: true },
  { came: 1, count: undefined, start: 2, hasNext: true },
  { came: 0, count: undefined, start: 2, hasNext: false },
])("the second page of two, with $came of $count after $start: another follows: $hasNext", (row) => {
  const document = { data: data(row.came), meta: { overall_count: row.count } };
  const query = { q: undefined, lists: {}, others: {}, size: 2, number: 2 };
  const page = toPage({ document, lastModified: "then" }, query, row.start);
  expect(page).toMatchObject({ number: 2, size: 2, lastModified: "then", hasNext: row.hasNext });
  expect([page.overallCount, page.vehicles.length]).toEqual([row.count, row.came]);
});

test("pages with the same ids of other types are not the same", () => {
  const [cars, motorbikes] = ["car", "motorbike"].map((type) =>
    identitiesOf(
      toPage(
        { document: { data: data(2, type) }, lastModified: undefined },
        { q: undefined, lists: {}, others: {}, size: 2, number: 1 },
        0,
      ),
    ),
  );
  expect(cars).not.toBe(motorbikes);
  expect([cars, motorbikes]).not.toContain("");
});
