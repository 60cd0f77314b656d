import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAccepted, searchCases } from "../../../test/server/search-cases.js";
import type { Vehicle } from "../../index.js";
import { catalogueFromOpenEvData, catalogueFromVehicles, createSearchIndex } from "../index.js";

function json<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(`../../../testdata/${name}`, import.meta.url), "utf8"));
}

const cases = searchCases();
const catalogue = catalogueFromOpenEvData(json("ev-data.json"));
const found = (text: string): readonly Vehicle[] =>
  catalogue.snapshot().search({ text, offset: 0, limit: 25 }).vehicles;
const label = ({ manufacturer, model, variant }: Vehicle): string =>
  `${manufacturer.name} ${model} ${variant}`.trim();

describe("the visible cases on the open data", () => {
  for (const one of cases) {
    const { q, kind, accept, count } = one;
    test(`${kind}: ${q}`, () => {
      expect(catalogue.vehicles().filter((vehicle) => isAccepted(vehicle, one))).toHaveLength(count);
      const [first] = found(q);
      const verdict = first === undefined ? "nothing" : isAccepted(first, one) ? "right" : label(first);
      expect(verdict).toBe(accept.length === 0 ? "nothing" : "right");
    });
  }

  test("of the first results at least 98 % are right; of as many as are accepted, five at most, at least 97 %", () => {
    const asked = cases.filter(({ accept }) => accept.length > 0);
    const shares = asked.map((one) => {
      const most = Math.min(5, one.count);
      return (
        found(one.q)
          .slice(0, most)
          .filter((vehicle) => isAccepted(vehicle, one)).length / most
      );
    });
    const firstRight = asked.filter((one) =>
      found(one.q)
        .slice(0, 1)
        .some((vehicle) => isAccepted(vehicle, one)),
    );
    expect(firstRight.length / asked.length).toBeGreaterThanOrEqual(0.98);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(0.97);
  });
});

describe("a brand and a word that nothing has", () => {
  const brands = catalogue.snapshot().brands();

  test.each(["white", "used", "edition", "drop"])("finds vehicles of the brand: %s", (word) => {
    const empty = brands.filter(({ name }) => found(`${name} ${word}`).length === 0);
    expect(empty).toEqual([]);
    expect(found(`Tesla ${word}`).map(({ manufacturer }) => manufacturer.name)).toContain("Tesla");
  });

  test.each(["beta", "beta gamma"])("are not asked for where a model stands apart from them: %s", (typed) => {
    const entries = [
      { brand: "Alpha", model: "Beta", variant: "" },
      { brand: "Alpha", model: "Delta", variant: "" },
      { brand: "Epsilon", model: "Beta", variant: "" },
    ];
    const hits = createSearchIndex(entries, new Map()).search(
      `${typed} alpha kappa lambda my ny xi omikron`,
      9,
    );
    expect(hits.map(({ position }) => position)).toEqual([0]);
  });

  test("changes nothing where something is found without", () => {
    expect(found("Tesla Model 3").every(({ manufacturer }) => manufacturer.name === "Tesla")).toBe(true);
    expect(found("white")).toEqual([]);
  });
});

describe("labels of the data themselves, which nobody tuned by hand", () => {
  const models = [
    ...new Map(catalogue.vehicles().map((v) => [`${v.manufacturer.name}\n${v.model}`, v])).values(),
  ];
  const same = (a: Vehicle | undefined, b: Vehicle): boolean =>
    a?.manufacturer.id === b.manufacturer.id && a.model === b.model;
  const flat = (text: string): string =>
    text
      .normalize("NFKD")
      .replace(/[^\p{L}\p{N}]/gu, "")
      .toLowerCase();

  const rows: { name: string; query: (vehicle: Vehicle) => string; share: number }[] = [
    { name: "brand and model", query: (v) => `${v.manufacturer.name} ${v.model}`, share: 1 },
    { name: "model and brand", query: (v) => `${v.model} ${v.manufacturer.name}`, share: 1 },
    { name: "in capitals", query: (v) => `${v.manufacturer.name} ${v.model}`.toUpperCase(), share: 1 },
    { name: "without any blanks", query: (v) => flat(v.manufacturer.name + v.model), share: 0.99 },
    { name: "with a year", query: (v) => `${v.manufacturer.name} ${v.model} 2021`, share: 1 },
    { name: "with a filler", query: (v) => `${v.manufacturer.name} ${v.model} electric`, share: 1 },
    {
      name: "with words that are not in the data",
      query: (v) => `${v.manufacturer.name} ${v.model} awd automatic`,
      share: 1,
    },
  ];
  for (const { name, query, share } of rows) {
    test(`${name}: ${share * 100} % of all models come first`, () => {
      const missed = models.filter((vehicle) => !same(found(query(vehicle))[0], vehicle)).map(query);
      expect(1 - missed.length / models.length, missed.join("; ")).toBeGreaterThanOrEqual(share);
    });
  }

  test("whole labels find a vehicle of that label", () => {
    const missed = catalogue.vehicles().filter((vehicle) => {
      const [first] = found(label(vehicle));
      return first === undefined || flat(label(first)) !== flat(label(vehicle));
    });
    expect(missed.map(label)).toEqual([]);
  });

  test("with one letter dropped or doubled in the brand, 97 % of all models still come first", () => {
    const slips = models.flatMap((vehicle) => {
      const brand = vehicle.manufacturer.name;
      if (brand.length < 5) return [];
      const middle = brand.length >> 1;
      return [
        { vehicle, q: `${brand.slice(0, middle)}${brand.slice(middle + 1)} ${vehicle.model}` },
        { vehicle, q: `${brand.slice(0, middle)}${brand.slice(middle - 1)} ${vehicle.model}` },
      ];
    });
    const missed = slips.filter(({ vehicle, q }) => !same(found(q)[0], vehicle)).map(({ q }) => q);
    expect(1 - missed.length / slips.length, missed.join("; ")).toBeGreaterThanOrEqual(0.97);
  });
});

describe("the cut", () => {
  const rows = [
    { q: "Model 3", models: ["Model 3"] },
    { q: "leaf", models: ["Leaf"] },
    { q: "honda e", models: ["e"] },
    { q: "kona", models: ["Kona"] },
    { q: "Zoe", models: ["Zoe"] },
    { q: "smart", models: ["fortwo ED", "fortwo EQ", "forfour EQ"] },
  ];
  for (const { q, models } of rows) {
    test(`"${q}" gives no unrelated vehicles after the right ones`, () => {
      expect(new Set(found(q).map(({ model }) => model))).toEqual(new Set(models));
    });
  }

  const nonsense = [
    "toyota",
    "zzzzqqq",
    "ferrari",
    "lamborghini",
    "xyzzy",
    "qwertz",
    "lorem ipsum",
    "12345678",
    "banana",
    "🚗",
    "   ",
    "%",
    ".",
    "\u0000",
  ];
  for (const q of nonsense) {
    test(`${JSON.stringify(q)} finds nothing`, () => expect(found(q).map(label)).toEqual([]));
  }
});

describe("explanations", () => {
  test("add up to the score, for every result of every case", () => {
    for (const { q } of cases) {
      const query = { text: q, offset: 0, limit: 25 };
      const explained = catalogue.snapshot().explain(query);
      expect(explained.map(({ vehicle }) => vehicle)).toEqual(found(q));
      const explanations = explained.map(({ explanation }) => explanation);
      for (const { score, pieces, coverage, wholeFields, surplus } of explanations) {
        const parts = [...pieces, coverage, ...wholeFields, surplus].reduce(
          (sum, part) => sum + part.score,
          0,
        );
        expect(parts).toBeCloseTo(score, 9);
        expect(pieces.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
      }
      const scores = explanations.map(({ score }) => score);
      expect(scores.every((score, at) => at === 0 || score <= (scores[at - 1] ?? 0) + 1e-9)).toBe(true);
    }
  });

  test("name the fields that were spelled out, and the pieces that were not found", () => {
    const [result] = catalogue.snapshot().explain({ text: "tesla model 3 xq", offset: 0, limit: 1 });
    const first = result?.explanation;
    expect(first?.wholeFields.map(({ field }) => field)).toEqual(["model", "brand", "brandModel"]);
    expect(first?.pieces.find(({ piece }) => piece === " xq")?.score).toBe(0);
    expect(first?.coverage.share).toBeLessThan(1);
  });

  test("follow the page", () => {
    const query = { text: "tesla", offset: 3, limit: 2 };
    expect(catalogue.snapshot().explain(query)).toHaveLength(2);
    expect(catalogue.snapshot().explain({ ...query, text: "!!!" })).toEqual([]);
  });
});

describe("a plus that ends a word", () => {
  const [car] = catalogue.vehicles();
  const trims = ["SR", "SR+", "LR", "Premium + Charge Tank"].map((variant, at) => ({
    ...car!,
    id: `trim-${at}`,
    model: "Model 3",
    variant,
  }));
  const small = catalogueFromVehicles(trims);
  const rows = [
    { q: "SR+", first: "SR+" },
    { q: "sr＋", first: "SR+" },
    { q: "Model 3 SR+ 2021", first: "SR+" },
    { q: "SR", first: "SR" },
    { q: "model 3 sr", first: "SR" },
    { q: "premium+charge tank", first: "Premium + Charge Tank" },
    { q: "Premium + Charge Tank", first: "Premium + Charge Tank" },
  ];
  for (const { q, first } of rows) {
    test(`"${q}" finds ${first} first`, () => {
      const [best] = small.snapshot().search({ text: q, offset: 0, limit: 1 }).vehicles;
      expect(best?.variant).toBe(first);
    });
  }

  test("says nothing alone", () => expect(found("+")).toEqual([]));
});

describe("the search", () => {
  test("takes further short names of brands", () => {
    const own = catalogueFromVehicles(catalogue.vehicles(), { brandAliases: { "Vee-Dub": "Volkswagen" } });
    const [first] = own.snapshot().search({ text: "vee-dub", offset: 0, limit: 1 }).vehicles;
    expect(first).toBeUndefined();
    const joined = catalogueFromVehicles(catalogue.vehicles(), { brandAliases: { VeeDub: "Volkswagen" } });
    expect(
      joined.snapshot().search({ text: "VEEDUB", offset: 0, limit: 1 }).vehicles[0]?.manufacturer.name,
    ).toBe("Volkswagen");
  });

  test("answers the same for the same text, at most 25, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 60 })),
        (text) => {
          const first = found(text);
          expect(first.length).toBeLessThanOrEqual(25);
          expect(found(text)).toEqual(first);
        },
      ),
      { seed: 6, numRuns: 1000 },
    );
  });

  test("finds nothing in an empty catalogue", () => {
    expect(
      catalogueFromVehicles([]).snapshot().search({ text: "tesla", offset: 0, limit: 25 }).overallCount,
    ).toBe(0);
  });
});
