// Writes src/gen/engine-module.ts: engine/, which is AssemblyScript, compiled to WebAssembly. The compiler is fetched for
// it, because it is larger than all else that this repository needs, and is needed by those only who change engine/.
// `--check` tells whether what is in src/gen was made from what is in engine/.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const compiler = "assemblyscript@0.28.20";
// Without bounds checks of its own and without a heap: the host has laid out the memory, and begins behind 8 KiB.
const options = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--importMemory",
  "--memoryBase",
  "8192",
];

const engine = fileURLToPath(new URL("../engine", import.meta.url));
const file = fileURLToPath(new URL("../src/gen/engine-module.ts", import.meta.url));

const digest = createHash("sha256").update([compiler, ...options].join(" "));
for (const name of readdirSync(engine).sort()) digest.update(name).update(readFileSync(join(engine, name)));
const source = `// Compiled from engine/ by scripts/compile-engine.mjs. Source: ${digest.digest("hex")}`;

if (!process.argv.includes("--check")) {
  writeFileSync(
    file,
    `${source}\n\n/** The WebAssembly module, in base64. */\nexport const engineModule: string =\n${compiled()};\n`,
  );
} else if (!readFileSync(file, "utf8").startsWith(`${source}\n`)) {
  console.error(
    "src/gen/engine-module.ts was made from another engine/: run `node scripts/compile-engine.mjs`",
  );
  process.exitCode = 1;
}

function compiled() {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  try {
    const binary = join(folder, "engine.wasm");
    const command = [
      "--yes",
      `--package=${compiler}`,
      "--",
      "asc",
      join(engine, "index.ts"),
      ...options,
      "--use",
      "abort=",
    ];
    execFileSync("npx", [...command, "--outFile", binary], { stdio: ["ignore", "inherit", "inherit"] });
    const lines =
      readFileSync(binary)
        .toString("base64")
        .match(/.{1,110}/g) ?? [];
    return lines.map((line) => `  "${line}"`).join(" +\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
