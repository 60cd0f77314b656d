import { resolve } from "node:path";
import { checkOfflineFile, createRelay, isRelayError, type SourceFactory } from "@wye/relay";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { readCertificate } from "./certificates.js";
import type { Config } from "./config/config.js";
import type { Problem } from "./config/parse-file.js";
import { storesFrom } from "./databases.js";
import { devKeys } from "./dev.js";
import { certificateFiles } from "./listeners.js";
import { tryOpenTelemetry } from "./open-telemetry.js";
import { createOutbound } from "./outbound.js";
import { refusedPlaces } from "./refused-places.js";
import { relayOptionsFrom } from "./relay-options.js";
import { sharedPlaces } from "./shared-places.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Asks nobody. */
const nowhere: SourceFactory = () => ({ close() {} });

/** What a configuration is tried with. */
export interface Trial extends Pick<Host, "cwd" | "env"> {
  /** Whether flags come from a file of a developer. */
  readonly isDev: boolean;
  /** Whether files of flags are read by another process, which has tried them. */
  readonly isWorker: boolean;
}

/** What only shows when the values are used, found without starting anything: what the relay refuses, files that are not there. */
export async function tryConfig(config: Config, trial: Trial): Promise<readonly Problem[]> {
  const { cwd, env } = trial;
  const refused: Problem[] = [];
  const parts = [
    async () => {
      refused.push(...(await refusedPlaces(config, await storesFrom(config, cwd, () => config))));
    },
    () => tryOptions(config, cwd),
    async () => (await createOutbound(config, cwd, env)).close(),
    async () => {
      const files = certificateFiles(config, cwd);
      if (files !== undefined) await readCertificate(files);
    },
    () => tryFile(config, trial),
    () => tryOpenTelemetry(config),
  ];
  const found = await Promise.all(parts.map(problemsOf));
  return [...sharedPlaces(config), ...refused, ...found.flat()];
}

/** A relay with these options that has neither upstream nor stores. */
async function tryOptions(config: Config, cwd: string): Promise<void> {
  const {
    autoConfig,
    offline,
    environments = {},
    ...others
  } = relayOptionsFrom(config, {
    stores: {},
    logger: silent,
    cwd,
  });
  const tried = Object.entries(environments).map(
    ([name, one]) => [name, { ...one, source: nowhere }] as const,
  );
  await createRelay({ ...others, environments: Object.fromEntries(tried) }).close({ within: 0 });
}

/** The archive or the file of flags. */
async function tryFile(config: Config, { cwd, isDev, isWorker }: Trial): Promise<void> {
  const { fileDataSource } = config.of("OfflineMode");
  if (fileDataSource === undefined || isWorker) return;
  await checkOfflineFile(resolve(cwd, fileDataSource), isDev ? { keys: devKeys } : {});
}

async function problemsOf(part: () => Promise<void>): Promise<readonly Problem[]> {
  try {
    await part();
    return [];
  } catch (error) {
    if (isRelayError(error)) return error.problems.map((message) => ({ message }));
    if (error instanceof UsageError || isPlain(error)) return [{ message: error.message }];
    throw error;
  }
}

/** What this folder throws about files, and no mistake of a program. */
function isPlain(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}
