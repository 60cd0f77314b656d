import { resolve } from "node:path";
import { checkOfflineFile, createRelay, isRelayError, type SourceFactory } from "@wye/relay";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { readCertificate, readPart } from "./certificates.js";
import { databaseProblems } from "./config/check-config.js";
import type { Config } from "./config/config.js";
import type { Problem } from "./config/parse-file.js";
import { certificateFiles } from "./credentials.js";
import { storesFrom } from "./databases.js";
import { devKeys } from "./dev.js";
import { tryOpenTelemetry } from "./open-telemetry.js";
import { originsOfOption } from "./option-origins.js";
import { authorityFiles, createOutbound, readAuthority } from "./outbound.js";
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
  /** Whether files of flags and certificates are read by another process, which has tried them. */
  readonly isWorker: boolean;
}

/** What only shows when the values are used, found without starting anything: what the relay refuses, files that are not there. */
export async function tryConfig(config: Config, trial: Trial): Promise<readonly Problem[]> {
  const { cwd, env, isWorker } = trial;
  const refused: Problem[] = [];
  const authorities = (isWorker ? [] : authorityFiles(config, cwd)).map(
    (file): Part => [() => readAuthority(file), config.originsOf("Proxy", "caCertFiles")],
  );
  const parts: readonly Part[] = [
    [
      async () => {
        refused.push(...(await tryPlaces(config, cwd)));
      },
    ],
    [() => tryOptions(config, cwd)],
    ...authorities,
    [async () => (await createOutbound(config, env)).close(), config.originsOf("Proxy", "url")],
    [() => tryFile(config, trial)],
    [() => tryOpenTelemetry(config), config.originsOf("Wye", "openTelemetry")],
  ];
  const found = await Promise.all([
    ...parts.map((part) => problemsOf(config, part)),
    isWorker ? [] : tryCertificate(config, cwd),
  ]);
  return [...refused, ...found.flat()];
}

/** Something that may throw what is wrong, and where what is wrong then was set. */
type Part = readonly [run: () => Promise<unknown>, origins?: readonly string[]];

/** Places of flags that are taken, or are none. Of those that are missing nothing more is said. */
async function tryPlaces(config: Config, cwd: string): Promise<readonly Problem[]> {
  if (!config.isWhole || databaseProblems(config).length > 0) return [];
  return [
    ...sharedPlaces(config),
    ...(await refusedPlaces(config, await storesFrom(config, cwd, () => config))),
  ];
}

async function tryCertificate(config: Config, cwd: string): Promise<readonly Problem[]> {
  const files = certificateFiles(config, cwd);
  if (files === undefined) return [];
  const origins = { cert: config.originsOf("Main", "tlsCert"), key: config.originsOf("Main", "tlsKey") };
  const parts: readonly Part[] = [
    [() => readPart("cert", files), origins.cert],
    [() => readPart("key", files), origins.key],
  ];
  const found = (await Promise.all(parts.map((part) => problemsOf(config, part)))).flat();
  if (found.length > 0) return found;
  return problemsOf(config, [() => readCertificate(files), [...origins.cert, ...origins.key]]);
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

async function problemsOf(config: Config, [run, origins = []]: Part): Promise<readonly Problem[]> {
  try {
    await run();
    return [];
  } catch (error) {
    if (isRelayError(error)) return error.problems.flatMap((message) => ofOption(config, message));
    if (error instanceof UsageError || isPlain(error)) return [placed(origins, error.message)];
    throw error;
  }
}

/** What the relay says of an option. What nothing has set, and is required, was missed before. */
function ofOption(config: Config, message: string): readonly Problem[] {
  const origins = originsOfOption(config, message);
  return origins?.length === 0 ? [] : [placed(origins ?? [], message)];
}

function placed(origins: readonly string[], message: string): Problem {
  return origins.length === 0 ? { message } : { at: origins.join(", "), message };
}

/** What this folder throws about files, and no mistake of a program. */
function isPlain(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}
