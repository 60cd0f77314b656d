import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { type Pipeline, parsePipeline, unpackPipeline } from "@wye/pipeline-spec";
import { formatProblems, type ValidationReport } from "@wye/pipeline-validator";
import { UsageError } from "../exit-code.js";
import { type Host, isColored } from "../host.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";
import { readAtMost } from "../read-at-most.js";

/** Twice of what a pipeline may have: archives may be stored, and have other files too. */
const maxMiB = 64;

/** The bytes of a pipeline file, out of its archive when it is in one. */
export interface PipelineFile {
  /** How messages name it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads a file, an archive, or with `-` the standard input. */
export async function readPipelineFile(name: string, host: Host): Promise<PipelineFile> {
  const bytes = await bytesOf(name, host);
  const unpacked = await unpackPipeline(bytes);
  if (!unpacked.ok)
    throw new UsageError(`${printable(name)}: ${unpacked.problems[0]?.message ?? "it cannot be unpacked"}`);
  const shown = name === "-" ? "<stdin>" : name;
  return { name: unpacked.name === undefined ? shown : `${shown}!${unpacked.name}`, bytes: unpacked.bytes };
}

/** Reads a pipeline; when its form is wrong the problems are printed, and there is none. */
export async function parsePipelineFile(name: string, host: Host): Promise<Pipeline | undefined> {
  return parseRead(await readPipelineFile(name, host), host);
}

/** The same for a file that has been read. */
export async function parseRead(file: PipelineFile, host: Host): Promise<Pipeline | undefined> {
  const parsed = parsePipeline(file.bytes);
  if (parsed.ok) return parsed.pipeline;
  const { validatePipeline } = await import("@wye/pipeline-validator");
  printProblems(validatePipeline(file.bytes), file, host);
  return undefined;
}

/** Prints what is wrong with a file, with the lines that it is about. */
export function printProblems(report: ValidationReport, file: PipelineFile, host: Host): void {
  const source = new TextDecoder().decode(file.bytes);
  const color = isColored(host, host.err);
  host.err.write(formatProblems(report, { source, file: file.name, color, width: host.err.columns ?? 100 }));
}

async function bytesOf(name: string, host: Host): Promise<Uint8Array> {
  const bytes = await (name === "-" ? host.readInput(maxMiB * 2 ** 20) : readNamed(name, host));
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${printable(name)}: more than ${maxMiB} MiB, which no pipeline has`);
}

async function readNamed(name: string, host: Host): Promise<Uint8Array | undefined> {
  if (name === "") throw new UsageError("the name of a file is empty: is a variable not set?");
  try {
    return await readAtMost(createReadStream(resolve(host.cwd, name)), maxMiB * 2 ** 20);
  } catch (error) {
    throw new UsageError(`cannot read ${printable(name)}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder; name its files, as in folder/*.yaml";
  if (code === "EACCES") return "permission denied";
  return messageOf(error);
}
