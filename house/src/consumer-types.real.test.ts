import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsumer, write } from "./consumer.js";
import { plan } from "./plan.js";
import { run } from "./run.js";
import { packages, root, specifier } from "./workspace.js";

const all = packages.flatMap(({ specifiers }) => specifiers);
const pure = packages.flatMap(({ id, manifest }) =>
  (plan[id]?.pure ?? []).map((entry) => specifier(manifest.name, entry)),
);

let folder: string;
beforeAll(async () => {
  folder = await createConsumer();
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a project outside the workspace", () => {
  const resolutions = [
    { name: "nodenext", compilerOptions: { module: "nodenext", moduleResolution: "nodenext" } },
    { name: "bundler", compilerOptions: { module: "esnext", moduleResolution: "bundler" } },
  ];
  for (const { name, compilerOptions } of resolutions) {
    test(`compiles against all types and runs, with moduleResolution ${name}`, {
      timeout: 300_000,
    }, async () => {
      write(folder, `${name}/main.ts`, program(all));
      const types = ["node"];
      expect(await compile(name, { ...compilerOptions, types })).toBe("");
      const { status, stdout, stderr } = await run(process.execPath, [`${name}/main.js`], { cwd: folder });
      expect(status, stderr).toBe(0);
      expect(stdout.trim().split("\n")).toEqual(all);
    });

    test(`needs no types of Node for what runs in a browser, with moduleResolution ${name}`, {
      timeout: 300_000,
    }, async () => {
      write(folder, `${name}-pure/main.ts`, program(pure));
      expect(await compile(`${name}-pure`, { ...compilerOptions, types: [] })).toBe("");
    });
  }
});

/** A program that imports everything and prints the names of the modules that gave it something. */
function program(names: readonly string[]): string {
  const imports = names.map((name, i) => `import * as m${i} from ${JSON.stringify(name)};`);
  const prints = names.map(
    (name, i) => `if (Object.keys(m${i}).length > 0) console.log(${JSON.stringify(name)});`,
  );
  return [...imports, ...prints, "export {};", ""].join("\n");
}

/** Compiles a folder of the project with the strictest settings a user may have, libraries checked too. */
async function compile(name: string, compilerOptions: object): Promise<string> {
  const options = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  };
  write(
    folder,
    `${name}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files: ["main.ts"] }),
  );
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", name], { cwd: folder });
  return stdout;
}
