import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "./code-blocks.js";
import { run } from "./run.js";
import { root } from "./workspace.js";

// Inside the house, so that the names of packages resolve as they do in an application beside them.
const folder = join(root, "house", ".vehicle-examples");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
copyFileSync(join(root, "packages/vehicle-catalogue/testdata/ev-data.json"), join(folder, "ev-data.json"));

function programOf(code: string, name: string): string {
  const file = join(folder, `${name}.mjs`);
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(file, outputText);
  return file;
}

/** Ports are the one thing that a machine with others on it cannot take as it stands. */
const listenAnywhere = ".listen(0, function () { process.send(this.address().port); })";

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, "exit");
}

for (const document of ["packages/vehicle-catalogue/README.md", "docs/vehicles/index.md"]) {
  describe(`the examples of ${document}, copied`, () => {
    const blocks = codeBlocks(readFileSync(join(root, document), "utf8"));
    const servers = blocks.filter(({ code }) => code.includes(".listen(8080)"));
    const clients = blocks.filter(({ code }) => code.includes("createVehicleClient({"));
    test("are there", () => expect([servers.length > 0, clients.length > 0]).toEqual([true, true]));

    for (const server of servers) {
      test(`the server of line ${server.line} runs beside a data file, and the clients talk to it`, async () => {
        const name = document.replaceAll(/[^a-z]+/gi, "-");
        const program = programOf(server.code.replace(".listen(8080)", listenAnywhere), `${name}-server`);
        const child = fork(program, { cwd: folder, stdio: ["ignore", "ignore", "pipe", "ipc"] });
        onTestFinished(() => stop(child));
        let said = "";
        child.stderr?.on("data", (chunk) => {
          said += chunk;
        });
        const [port] = await Promise.race([once(child, "message"), once(child, "exit")]);
        expect(child.exitCode, said).toBeNull();
        await vi.waitFor(
          async () => expect((await fetch(`http://127.0.0.1:${port}/v2/openapi.json`)).status).toBe(200),
          { timeout: 120_000, interval: 50 },
        );
        for (const client of clients) {
          const program = programOf(
            client.code.replaceAll("8080", `${port}`),
            `${name}-client-${client.line}`,
          );
          const { status, stderr } = await run(process.execPath, [program], { cwd: folder });
          expect(status, `line ${client.line}: ${stderr}`).toBe(0);
        }
      });
    }
  });
}
