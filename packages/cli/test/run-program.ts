import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ExitCode, type Host, run } from "../src/index.js";

/** A new folder, which is gone when the test is done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder with these files. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): { readonly cwd: string } {
  const cwd = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return { cwd };
}

/** What a program has printed, and how it ended. */
export interface Ended {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs the program in this process, with a host of its own. */
export async function wye(
  args: readonly string[],
  host: Partial<Host> & { readonly input?: string } = {},
): Promise<Ended> {
  let [out, err] = ["", ""];
  const code = await run(args, {
    cwd: makeFolder(),
    env: {},
    readInput: async () => new TextEncoder().encode(host.input ?? ""),
    interrupted: new AbortController().signal,
    ...host,
    out: { columns: 100, write: (text) => (out += text) },
    err: { columns: 100, write: (text) => (err += text) },
  });
  return { code, out, err };
}

/** A pipeline of one task that runs a line of shell and takes two parameters. */
export function shellPipeline(line: string): string {
  return JSON.stringify({
    pipelineInfo: { name: "shell" },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.0.0",
    root: {
      inputDefinitions: {
        parameters: {
          text: { parameterType: "STRING", defaultValue: "none", isOptional: true },
          count: { parameterType: "NUMBER_INTEGER", defaultValue: 1, isOptional: true },
        },
      },
      outputDefinitions: { parameters: { out: { parameterType: "STRING" } } },
      dag: {
        tasks: {
          only: {
            taskInfo: { name: "only" },
            componentRef: { name: "comp-only" },
            inputs: {
              parameters: {
                text: { componentInputParameter: "text" },
                count: { componentInputParameter: "count" },
              },
            },
          },
        },
        outputs: {
          parameters: { out: { valueFromParameter: { producerSubtask: "only", outputParameterKey: "out" } } },
        },
      },
    },
    components: {
      "comp-only": {
        executorLabel: "exec-only",
        inputDefinitions: {
          parameters: { text: { parameterType: "STRING" }, count: { parameterType: "NUMBER_INTEGER" } },
        },
        outputDefinitions: { parameters: { out: { parameterType: "STRING" } } },
      },
    },
    deploymentSpec: {
      executors: {
        "exec-only": {
          container: {
            image: "alpine",
            command: ["sh", "-c", line, "sh"],
            args: [
              "{{$.outputs.parameters['out'].output_file}}",
              "{{$.inputs.parameters['text']}}",
              "{{$.inputs.parameters['count']}}",
            ],
          },
        },
      },
    },
  });
}
