import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { fleet } from "./fleet.js";
import { realDatabase } from "./real-database.js";

const database = realDatabase();

test("a program that is bundled serves, and says what keeps it from migrating", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-bundled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const schema = await database.schemaWith(fleet(5));
  const file = join(folder, "program.mjs");
  await build({
    stdin: {
      contents: `import { createPostgresCatalogue, migrate } from "@wye/vehicle-postgres";
        const [connection, schema] = JSON.parse(process.env.PLACE);
        const catalogue = createPostgresCatalogue({ connection, schema });
        await catalogue.ready();
        const { overallCount } = (await catalogue.snapshot()).find({ offset: 0, limit: 1 });
        const refusal = await migrate(connection, { schema: "of_a_bundle" }).catch(({ code, message }) => ({ code, message }));
        await catalogue.close();
        console.log(JSON.stringify({ overallCount, refusal }));`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: file,
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const env = { ...process.env, PLACE: JSON.stringify([database.server.connection, schema]) };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  expect(JSON.parse(stdout)).toEqual({
    overallCount: 5,
    refusal: { code: "refused", message: expect.stringMatching(/0001-.*cannot be read.*external/) },
  });
});
