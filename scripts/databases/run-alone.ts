import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { built } from "../built.js";

/**
 * Runs the text of a module in a process of its own, in a package as it is built and with one argument, until it ends by itself. Gives what it
 * prints, as JSON.
 */
export async function runAlone(text: string, argument: unknown, cwd: URL): Promise<unknown> {
  built(cwd, "index.js");
  const child = spawn(process.execPath, ["--input-type=module", "-e", text, JSON.stringify(argument)], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
  });
  expect(await once(child, "close")).toEqual([0, null]);
  return JSON.parse(output);
}
