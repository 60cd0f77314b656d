import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TaskOutputs } from "@wye/pipeline-resolver";
import { isObject } from "@wye/pipeline-spec";
import { localPath } from "./local-path.js";

/** The results of earlier runs on disk, a file for each key. Several processes may use one folder at once. */
export class ResultCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What a task with this key has made; an entry whose artifacts are gone, or that cannot be read, is none. */
  async find(key: string): Promise<TaskOutputs | undefined> {
    try {
      const entry: unknown = JSON.parse(await readFile(this.#file(key), "utf8"));
      return isOutputs(entry) && artifactsExist(entry) ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps what a task has made. The entry appears whole or not at all. */
  async keep(key: string, outputs: TaskOutputs): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const draft = `${this.#file(key)}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify(outputs), { flag: "wx" });
      await rename(draft, this.#file(key));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #file(key: string): string {
    return join(this.#folder, `${key}.json`);
  }
}

function isOutputs(entry: unknown): entry is TaskOutputs {
  return isObject(entry) && isObject(entry.parameters) && isObject(entry.artifacts);
}

function artifactsExist({ artifacts }: TaskOutputs): boolean {
  return Object.values(artifacts).every((list) =>
    list.artifacts.every((artifact) => {
      const path = localPath(artifact.uri);
      return path === undefined || existsSync(path);
    }),
  );
}
