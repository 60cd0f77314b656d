import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flagFile } from "../src/offline/flag-file.js";
import { makeFolder } from "./start-offline.js";
import { keys, startRelay } from "./start-relay.js";

test.each([
  { text: "flags: { a: 1 }", are: "none" },
  { text: "environments: { dev: { flags: { a: 1 } } }", are: '"dev"' },
  { text: "environments: { dev: { flags: { a: 1 } }, 'y z': { flags: { b: 2 } } }", are: '"dev", "y z"' },
])("a file that has not the environment which is wanted: there are $are", async ({ text, are }) => {
  const path = join(await makeFolder(), "flags.yaml");
  await writeFile(path, text);
  const errors: string[] = [];
  await startRelay({
    environments: { dev: { ...keys, source: flagFile({ path, environment: "x" }) } },
    options: { logger: { debug() {}, info() {}, warn() {}, error: (line) => void errors.push(line) } },
    wait: false,
  });
  const says = `${path} has no environment "x"; there are ${are}`;
  await expect.poll(() => errors).toEqual([expect.stringContaining(says)]);
});
