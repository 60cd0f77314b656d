import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Artifacts, RunFacts, TaskOutputs } from "@wye/pipeline-resolver";
import { isObject } from "@wye/pipeline-spec";
import type { ReadyContainer } from "../ready-task.js";
import { artifactStamp } from "./artifact-stamp.js";
import type { Executor } from "./executor.js";
import { makeFolders } from "./make-folders.js";
import { placesOf } from "./places-of.js";
import type { RunFolder } from "./run-folder.js";

/** What an artifact was like, by where it is read. */
export type Stamps = { readonly [place: string]: string };

/** A result of an earlier run. */
export interface CachedResult {
  readonly outputs: TaskOutputs;
  /** What its artifacts are like, as `stampOf` says it. */
  readonly stamp: string;
}

/** Who carries tasks out, and where the tasks of the run are. */
export interface CacheTools {
  readonly executor: Pick<Executor, "cacheKey">;
  readonly folder: Pick<RunFolder, "workspace">;
  /** What is filled in about the run. */
  readonly facts: RunFacts;
}

/** After so long a draft of an entry is nobody's. */
const draftMs = 3_600_000;

/**
 * The results of earlier runs of a pipeline on disk, a file for each. Several processes may use one folder at once. Files lie open to
 * everybody here: a result is taken only while what it was made of, and what it has made, are as they were.
 */
export class ResultCache {
  readonly #folder: string;
  readonly #pipeline: string;
  #swept: Promise<void> | undefined;

  constructor(folder: string, pipeline: string) {
    this.#folder = folder;
    this.#pipeline = pipeline;
  }

  /** Under what the result of a task is found by which `executor` carries it out; undefined when none is to be taken. */
  async entryOf(task: ReadyContainer, { executor, folder, facts }: CacheTools): Promise<string | undefined> {
    const { cacheKey, isKeyNamed, container, inputs } = task;
    if (cacheKey === undefined) return undefined;
    // What a task has done to the workspace is done for the tasks of its run alone.
    const shared = namesWorkspace(task, folder.workspace) ? folder.workspace : undefined;
    // A computed key says nothing of variables and of what is filled in, and of artifacts only the names.
    const given = isKeyNamed ? [] : [container.env, filledIn(task, facts), await stampsOf(inputs.artifacts)];
    const made = [this.#pipeline, cacheKey, ownKeyOf(executor, task), shared, ...given];
    return `${createHash("sha256").update(JSON.stringify(made)).digest("hex")}.json`;
  }

  /** What an entry holds; one whose artifacts have changed, or that cannot be read, holds nothing. */
  async find(entry: string): Promise<CachedResult | undefined> {
    try {
      const found: unknown = JSON.parse(await readWhole(this.#folder, entry));
      if (!isObject(found) || !isOutputs(found.outputs) || !isObject(found.stamps)) return undefined;
      const { outputs, stamps } = found;
      const now = await stampsOf(outputs.artifacts);
      const isSame = Object.entries(now).every(([uri, stamp]) => stamps[uri] === stamp);
      return isSame ? { outputs, stamp: oneOf(now) } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps what a task has made, as it was then. The entry appears whole or not at all. */
  async keep(entry: string, outputs: TaskOutputs, stamps: Stamps): Promise<void> {
    const text = sealed(entry, JSON.stringify({ outputs, stamps }));
    makeFolders(this.#folder);
    // A draft that cannot be removed harms nobody.
    this.#swept ??= this.#sweep().catch(() => {});
    await this.#swept;
    const file = join(this.#folder, entry);
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, text, { flag: "wx" });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Removes drafts of processes that were killed while they wrote. Nobody writes for so long, on whichever machine. */
  async #sweep(): Promise<void> {
    const drafts = (await readdir(this.#folder)).filter((name) => /\.json\.[\da-f-]{36}$/.test(name));
    for (const name of drafts) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs > draftMs) await rm(path, { force: true });
    }
  }
}

/** A text below what tells whether it is still the same, and that of this entry. */
const sealed = (entry: string, text: string): string =>
  `${createHash("sha256").update(`${entry}\n${text}`).digest("hex")}\n${text}`;

/** What was kept in a file; throws when that is damaged, that of another entry, or no file. */
async function readWhole(folder: string, entry: string): Promise<string> {
  const path = join(folder, entry);
  // A pipe would be waited for.
  if (!(await stat(path)).isFile()) throw new TypeError(`${path} is no file`);
  const found = await readFile(path, "utf8");
  const text = found.slice(found.indexOf("\n") + 1);
  if (sealed(entry, text) !== found) throw new TypeError(`${path} is not as it was written`);
  return text;
}

/** What an executor says that results depend on. Throws when that is no value of JSON. */
function ownKeyOf({ cacheKey }: CacheTools["executor"], task: ReadyContainer): string | undefined {
  // What an executor writes to it is its own affair.
  const key = cacheKey?.({ ...task });
  if (key instanceof Promise) {
    key.catch(() => {});
    throw new TypeError("`cacheKey` of the executor gave a promise: ask before the run what it depends on");
  }
  return JSON.stringify(key);
}

/** Whether a task is told where the workspace is, by its command or by what it is given. */
function namesWorkspace({ container, inputs }: ReadyContainer, workspace: string): boolean {
  const told = JSON.stringify([container, inputs]);
  return told.includes("{{$.workspace_path}}") || told.includes(JSON.stringify(workspace).slice(1, -1));
}

/** What of the run, and of the task, its container asks to be told. */
function filledIn({ container, name, id }: ReadyContainer, facts: RunFacts): readonly unknown[] {
  const asked = JSON.stringify(container);
  const all = Object.entries({ ...facts, pipeline_task_name: name, pipeline_task_uuid: id });
  return all.filter(([fact]) => asked.includes(`$.${fact}`));
}

/** What artifacts are like now. The empty text stands for what is not there: metrics, say, may be nothing but metadata. */
export async function stampsOf(artifacts: Artifacts): Promise<Stamps> {
  const stamps: [string, string][] = [];
  for (const place of placesOf(artifacts)) stamps.push([place, (await artifactStamp(place)) ?? ""]);
  return Object.fromEntries(stamps);
}

/** What artifacts are like now, as one text, wherever they are. */
export async function stampOf(artifacts: Artifacts): Promise<string> {
  return oneOf(await stampsOf(artifacts));
}

const oneOf = (stamps: Stamps): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.values(stamps)))
    .digest("hex");

function isOutputs(value: unknown): value is TaskOutputs {
  return isObject(value) && isObject(value.parameters) && isObject(value.artifacts);
}
