import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
);

/** The files that a file imports, types included. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(source, file), "utf8");
    const found = [...text.matchAll(/from "(\.[^"]+)\.js"/g)].map(([, path = ""]) =>
      normalize(join(dirname(file), `${path}.ts`)),
    );
    return [file, found] as const;
  }),
);

test("files are read from the leaves to the root: none imports, by whatever way, one that imports it", () => {
  const done = new Set<string>();
  for (let before = -1; done.size > before; ) {
    before = done.size;
    for (const [file, found] of imports) if (found.every((one) => done.has(one))) done.add(file);
  }
  expect(files.filter((file) => !done.has(file))).toEqual([]);
});

test("folders know those before them only: what is read, compiled, evaluated, explained", () => {
  const order = ["read", "compile", "evaluate", "explain"];
  const place = (file: string) => order.indexOf(file.split(/[\\/]/)[0] ?? "");
  const wrong = [...imports].flatMap(([file, found]) =>
    place(file) < 0 ? [] : found.filter((one) => place(one) > place(file)).map((one) => `${file} → ${one}`),
  );
  expect(wrong).toEqual([]);
});
