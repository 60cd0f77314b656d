import { afterEach, describe, expect, test } from "vitest";
import { clientOf, collect, errorOf } from "./client-of.js";
import { answer, cars, documentOf, type Scripted, scriptedServer } from "./scripted-server.js";

let server: Scripted;
afterEach(() => server.close());

/** Answers with the pages of this list, and empty ones after it. */
function pagesServer(
  pages: readonly (readonly [data: readonly unknown[], count: unknown])[],
): Promise<Scripted> {
  return scriptedServer((request, response) => {
    const number = Number(new URL(request.url!, "http://x").searchParams.get("page[number]") ?? 1);
    const [data, count] = pages[number - 1] ?? [[], pages.at(-1)?.[1]];
    answer(response, documentOf(data, count));
  });
}

describe("an iteration ends", () => {
  type Page = [from: number, count: number, overall: unknown];
  // biome-ignore format: a table
  const endings: [name: string, pages: Page[], vehicles: number, requests: number][] = [
    ["with a count of 0", [[0, 0, 0]], 0, 1],
    ["with an empty first page, whatever the count says", [[0, 0, 7]], 0, 1],
    ["with the page that makes the count full", [[0, 3, 5], [3, 2, 5]], 5, 2],
    ["with a full last page, without another request", [[0, 3, 6], [3, 3, 6]], 6, 2],
    ["with an empty page although the count is larger, where no page can have more", [[0, 3, 90]], 3, 2],
    ["not with an empty page while later ones can have some", [[0, 3, 250], [0, 0, 250], [3, 2, 250]], 5, 4],
    ["not with several empty pages", [[0, 3, 450], [0, 0, 450], [0, 0, 450], [0, 0, 450], [3, 1, 450]], 4, 6],
    ["when the set shrinks while it is read, and a second reading has nothing new", [[0, 3, 9], [3, 3, 6]], 6, 4],
    ["when the set grows while it is read", [[0, 3, 5], [3, 3, 7], [6, 1, 7]], 7, 3],
    ["when the count is smaller than the page", [[0, 3, 1]], 3, 1],
    ["with an empty page when there is no count", [[0, 3, null]], 3, 2],
    ["with an empty page when the count is a text", [[0, 3, "3"]], 3, 2],
    ["with an empty page when the count is negative", [[0, 3, -1]], 3, 2],
    ["with an empty page when the count is a fraction", [[0, 3, 2.5]], 3, 2],
    ["although as many as a page holds come in front while it is read", [[0, 3, 6], [0, 3, 9], [3, 3, 9]], 6, 6],
    ["although that happens again and again", [[0, 1, 2], [0, 1, 3], [0, 1, 4], [1, 1, 4]], 2, 8],
    ["with pages smaller than was asked for", [[0, 2, 5], [2, 2, 5], [4, 1, 5]], 5, 3],
  ];
  for (const [name, pages, vehicles, requests] of endings) {
    test(name, async () => {
      server = await pagesServer(pages.map(([from, count, overall]) => [cars(from, count), overall]));
      const { client } = clientOf(server.origin);
      const ids = (await collect(client.vehicles())).map(({ id }) => id);
      expect(ids).toEqual(cars(0, vehicles).map(({ id }) => id));
      expect(server.requests).toHaveLength(requests);
      const paged = await collect(client.pages());
      expect(paged.flatMap((page) => page.vehicles.map(({ id }) => id))).toEqual(ids);
      expect(paged.map(({ hasNext }) => hasNext).slice(0, -1)).not.toContain(false);
      // An empty page is shown only where there is no other.
      const sizes = paged.map((page) => page.vehicles.length);
      expect(vehicles === 0 ? sizes : sizes.filter((size) => size === 0)).toEqual(vehicles === 0 ? [0] : []);
    });
  }

  test("not with an empty first page while later ones can have some", async () => {
    server = await pagesServer([
      [[], 250],
      [[], 250],
      [cars(0, 3), 250],
    ]);
    const { client } = clientOf(server.origin);
    expect(await client.page()).toMatchObject({ vehicles: [], hasNext: true });
    expect((await collect(client.vehicles())).map(({ id }) => id)).toEqual(["car-0", "car-1", "car-2"]);
    expect((await collect(client.pages())).map(({ vehicles }) => vehicles.length)).toEqual([0, 3]);
  });

  test("an iteration begins with the page that was asked for, and leaves out none of its vehicles", async () => {
    server = await pagesServer([0, 2, 4].map((from) => [cars(from, 2), 6]));
    const { client } = clientOf(server.origin);
    const ids = async (number: number) =>
      (await collect(client.vehicles({ number, size: 2 }))).map(({ id }) => id);
    expect(await ids(2)).toEqual(["car-2", "car-3", "car-4", "car-5"]);
    expect(await ids(3)).toEqual(["car-4", "car-5"]);
    expect(server.requests).toHaveLength(3);
    const paged = await collect(client.pages({ number: 2, size: 2 }));
    expect(paged.map(({ number, vehicles }) => [number, vehicles.length])).toEqual([
      [2, 2],
      [3, 2],
    ]);
  });

  test("a vehicle that moves to the next page while it is read comes once", async () => {
    server = await pagesServer([
      [cars(0, 3), 5],
      [cars(2, 3), 6],
    ]);
    const vehicles = await collect(clientOf(server.origin).client.vehicles());
    expect(vehicles.map(({ id }) => id)).toEqual(["car-0", "car-1", "car-2", "car-3", "car-4"]);
  });

  test("resources of two types may have one id", async () => {
    server = await pagesServer([
      [
        [
          { type: "car", id: "1" },
          { type: "motorbike", id: "1" },
        ],
        2,
      ],
    ]);
    const vehicles = await collect(clientOf(server.origin).client.vehicles());
    expect(vehicles.map(({ type }) => type)).toEqual(["car", "motorbike"]);
  });
});

describe("an iteration that would not end is an error", () => {
  test("a server that ignores the page number", async () => {
    for (const count of [293, 150, null, "many"]) {
      server = await scriptedServer((_, response) => answer(response, documentOf(cars(0, 100), count)));
      const { client } = clientOf(server.origin);
      const error = await errorOf(collect(client.vehicles()));
      const url = `${server.origin}/v2/vehicles?page%5Bsize%5D=100&page%5Bnumber%5D=2`;
      expect(error).toMatchObject({ code: "invalid_response", attempts: 1, retryable: false, url });
      expect(error.message).toContain(`GET ${url}: repeats`);
      expect(server.requests).toHaveLength(5);
      await server.close();
    }
  });

  test("a server that repeats a page after it has grown", async () => {
    server = await scriptedServer((_, response, index) =>
      answer(response, documentOf(cars(0, 3), index === 0 ? 6 : 9)),
    );
    const error = await errorOf(collect(clientOf(server.origin).client.vehicles()));
    expect(error.message).toContain("repeats");
    expect(server.requests).toHaveLength(6);
  });

  test("a server that repeats a page after it has shrunk", async () => {
    server = await scriptedServer((_, response, index) =>
      answer(response, documentOf(cars(0, 3), index === 0 ? 9 : 6)),
    );
    const error = await errorOf(collect(clientOf(server.origin).client.pages()));
    expect(error.message).toContain("repeats");
    expect(server.requests).toHaveLength(5);
  });

  test("but not a page that comes again while the number of vehicles changes", async () => {
    server = await scriptedServer((_, response, index) =>
      answer(response, index < 3 ? documentOf(cars(0, 3), index === 2 ? 10 : 9) : documentOf(cars(3, 6), 9)),
    );
    const pages = await collect(clientOf(server.origin).client.pages());
    expect(pages.map(({ vehicles }) => vehicles.length)).toEqual([3, 6]);
    expect(server.requests).toHaveLength(4);
  });

  test("a server that always has another page, and nothing on it", async () => {
    server = await scriptedServer((_, response) => answer(response, documentOf([], 1e9)));
    const { client } = clientOf(server.origin, { maxPages: 20 });
    expect((await errorOf(collect(client.vehicles()))).message).toContain("maxPages");
    expect(server.requests).toHaveLength(21);
  });

  for (const number of [1, 2, 30]) {
    test(`a server that always has another page, read from page ${number}`, async () => {
      server = await scriptedServer((_, response, index) =>
        answer(response, documentOf(cars(index, 1), 1e9)),
      );
      const { client } = clientOf(server.origin, { maxPages: 20 });
      let seen = 0;
      const reading = async (): Promise<void> => {
        for await (const _ of client.pages({ number })) seen++;
      };
      expect((await errorOf(reading())).message).toContain("maxPages");
      expect([seen, server.requests.length]).toEqual([20, 21]);
    });
  }
});

describe("what is asked", () => {
  const asked: {
    name: string;
    call: (client: ReturnType<typeof clientOf>["client"]) => unknown;
    query: string;
  }[] = [
    { name: "nothing", call: (client) => client.page(), query: "?page%5Bsize%5D=100" },
    { name: "page 1 by name", call: (client) => client.page({ number: 1 }), query: "?page%5Bsize%5D=100" },
    {
      name: "size and number",
      call: (client) => client.page({ size: 5, number: 2 }),
      query: "?page%5Bsize%5D=5&page%5Bnumber%5D=2",
    },
    {
      name: "fields, also none",
      call: (client) =>
        client.page({ fields: { car: ["model", "id"], motorbike: [], vehicle_brand: ["name"] } }),
      query:
        "?fields%5Bcar%5D=model%2Cid&fields%5Bmotorbike%5D=&fields%5Bvehicle_brand%5D=name&page%5Bsize%5D=100",
    },
    {
      name: "fields as they are written, each once",
      call: (client) => client.page({ fields: { car: ["model", "Model" as "model", "model"] } }),
      query: "?fields%5Bcar%5D=model%2CModel&page%5Bsize%5D=100",
    },
    {
      name: "brands, without blanks, doubles and what is no id",
      call: (client) => client.page({ filter: { manufacturerId: [" b ", "a", "", "b", "x,y"] } }),
      query: "?filter%5Bmanufacturer.id%5D=b%2Ca&page%5Bsize%5D=100",
    },
    {
      name: "a text with everything in it",
      call: (client) => client.search("ë & # % + ? / \u0000 \ud800"),
      query: "?q=%C3%AB+%26+%23+%25+%2B+%3F+%2F+%00+%EF%BF%BD&page%5Bsize%5D=100",
    },
    { name: "an empty text", call: (client) => client.search(""), query: "?q=&page%5Bsize%5D=100" },
    {
      name: "one id",
      call: (client) => client.byId("a/b?c"),
      query: "?filter%5Bid%5D=a%2Fb%3Fc&page%5Bsize%5D=100",
    },
  ];
  for (const { name, call, query } of asked) {
    test(name, async () => {
      server = await scriptedServer((_, response) => answer(response, documentOf([])));
      await call(clientOf(server.origin).client);
      expect(server.requests.map(({ url }) => url)).toEqual([`/v2/vehicles${query}`]);
    });
  }

  test("the headers are the key and what is accepted, and no more than fetch adds", async () => {
    server = await scriptedServer((_, response) => answer(response, documentOf([])));
    await clientOf(server.origin).client.brands();
    const [request] = server.requests;
    expect(request?.method).toBe("GET");
    expect(request?.headers).toMatchObject({
      accept: "application/vnd.api+json, application/json;q=0.9",
      "api-key": "k3y-th4t-nobody-may-see/+==",
    });
    for (const name of ["content-type", "if-none-match", "cookie", "authorization"]) {
      expect(request?.headers).not.toHaveProperty(name);
    }
  });

  test("an iteration asks for one page at a time, when it is wanted, and can begin further on", async () => {
    server = await scriptedServer((_, response, index) =>
      answer(response, documentOf(cars(index * 2, 2), 9)),
    );
    const pages = clientOf(server.origin).client.pages({ size: 2, number: 3 });
    expect(server.requests).toHaveLength(0);
    expect((await pages.next()).value).toMatchObject({ number: 3, hasNext: true });
    expect(server.requests).toHaveLength(1);
    expect((await pages.next()).value).toMatchObject({ number: 4, hasNext: true });
    expect((await pages.next()).value).toMatchObject({ number: 5, hasNext: false });
    expect((await pages.next()).done).toBe(true);
    expect(server.requests.map(({ url }) => url?.slice(-1))).toEqual(["3", "4", "5"]);
  });

  test("connections are used again", async () => {
    server = await scriptedServer((_, response, index) => answer(response, documentOf(cars(index, 1), 20)));
    await collect(clientOf(server.origin).client.vehicles());
    expect(server.requests).toHaveLength(20);
    // The next request may be made before the platform has taken the last connection back.
    expect(new Set(server.requests.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
  });
});
