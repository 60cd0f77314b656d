import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));

/** Each file of the package with the files that it imports, types included. */
function importGraph(): Map<string, string[]> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const importsOf = (file: string) => {
    const text = readFileSync(join(source, file), "utf8");
    return [...text.matchAll(/from "(\.[^"]+)\.js"/g)].map(([, path = ""]) =>
      relative(source, join(source, dirname(file), `${path}.ts`)),
    );
  };
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** The longest way from a file to the ground. Throws when a way comes back to where it was. */
function longestWay(
  graph: ReadonlyMap<string, string[]>,
  file: string,
  above: readonly string[] = [],
): string[] {
  if (above.includes(file)) throw new Error(`a circle of imports: ${[...above, file].join(" > ")}`);
  const below = (graph.get(file) ?? []).map((next) => longestWay(graph, next, [...above, file]));
  return [file, ...(below.sort((a, b) => b.length - a.length)[0] ?? [])];
}

const graph = importGraph();

test("every file that is imported is seen", () => {
  const known = [...graph.keys()];
  expect(known).toContain("index.ts");
  expect([...graph.values()].flat().filter((file) => !known.includes(file))).toEqual([]);
});

test("files do not import each other in circles", () => {
  for (const file of graph.keys()) expect(() => longestWay(graph, file)).not.toThrow();
});

test("from the front door to the ground there are nine layers at most", () => {
  const way = longestWay(graph, "index.ts");
  expect(way.length, way.join(" > ")).toBeLessThanOrEqual(9);
});
