import { CatalogueError } from "../catalogue-error.js";
import { show } from "../records/check-value.js";
import {
  asCatalogueError,
  type FileData,
  loadCatalogue,
  messageOf,
  readFileData,
  stampOfFile,
} from "./catalogue-file.js";
import { checkMembers, checkOption, checkPresent, type Names } from "./check-option.js";
import { harmlessLogger, type Logger, silentLogger } from "./logger.js";
import { heldClock } from "./memory/held-clock.js";
import {
  checkMemoryOptions,
  type LoadReport,
  type MemoryCatalogue,
  type MemoryCatalogueOptions,
  memoryOptionNames,
} from "./memory-catalogue.js";

/** How a file is followed; what it is loaded with holds for every reload. */
export interface WatchCatalogueOptions extends MemoryCatalogueOptions {
  /** Reports reloads, and files that could not be used. Default: says nothing. */
  readonly logger?: Logger;
  /** Called after every reload that changed the catalogue. What it throws is logged. */
  readonly onReload?: (report: LoadReport) => void;
  /** Called when a changed file could not be used; the catalogue keeps its data. What it throws is logged. */
  readonly onError?: (error: CatalogueError) => void;
  /** How often the file is looked at, which costs no reading. Default: 500. */
  readonly intervalMs?: number;
  /** How long the file has to stay as it is before it is read, so that nobody reads half a file. Default: 100. */
  readonly settleMs?: number;
  /**
   * A file with less than this share of the present vehicles is refused: it is likelier an accident than a change.
   * Default: 0.5; 0 accepts every file.
   */
  readonly leastShare?: number;
}

const defaultLeastShare = 0.5;

const names: Names<WatchCatalogueOptions> = {
  ...memoryOptionNames,
  logger: 1,
  onReload: 1,
  onError: 1,
  intervalMs: 1,
  settleMs: 1,
  leastShare: 1,
};

/** Timers take a signed 32-bit number and fire at once on a larger one. */
const longestTimerMs = 2 ** 31 - 1;

/** A catalogue that follows a file. */
export interface WatchedCatalogue {
  readonly catalogue: MemoryCatalogue;
  /** Stops watching; the catalogue stays as it is. */
  close(): void;
}

/**
 * Reads a catalogue from a JSON file and reads it anew whenever the file changes, however it is changed: in place, by
 * another file moved there, by a link or a folder that is swapped, by a folder that comes back. Data that are broken, of
 * which no record is right, or which are much fewer than before, leave the catalogue as it was.
 */
export async function watchCatalogueFile(
  path: string,
  options: WatchCatalogueOptions = {},
): Promise<WatchedCatalogue> {
  checkOption("The path of a catalogue file", path, "a text");
  checkOption("options", options, "an object");
  checkMembers("A watched file", options, names);
  checkPresent({ ...options }, { logger: "an object", onReload: "a function", onError: "a function" });
  const { intervalMs = 500, settleMs = 100, leastShare = defaultLeastShare, ...others } = options;
  const { logger, onReload, onError, ...memoryOptions } = others;
  if (!(typeof leastShare === "number" && leastShare >= 0 && leastShare <= 1))
    throw new TypeError(`leastShare must be a number from 0 to 1; got ${show(leastShare)}`);
  for (const [name, ms] of Object.entries({ intervalMs, settleMs })) {
    if (typeof ms === "number" && ms >= 1 && ms <= longestTimerMs) continue;
    throw new TypeError(
      `${name} must be a number of milliseconds from 1 to ${longestTimerMs}; got ${show(ms)}`,
    );
  }
  checkMemoryOptions(memoryOptions);
  // The stamp comes first: a change in between makes the next look read the file again.
  const stamp = await stampOfFile(path);
  // A change is of the moment at which the file was looked at, however long it takes to load: so it is in every process that follows it.
  const clock = heldClock(memoryOptions.now);
  const readNow = async (): Promise<FileData> => {
    clock.hold();
    return readFileData(path);
  };
  const first = await readNow();
  const catalogue = loadCatalogue(first, path, { ...memoryOptions, now: clock.now });
  clock.release();
  const report = fileReporter(path, options);
  const named = (error: unknown): CatalogueError => asCatalogueError(error, path);
  let { fingerprint } = first;

  /** Puts what was read in place; undefined when that is what was there already. */
  const put = async (read: FileData): Promise<LoadReport | undefined> => {
    if (read.fingerprint === fingerprint) return undefined;
    const leastVehicles = Math.ceil(catalogue.vehicles().length * leastShare);
    const loaded = await catalogue.replace(read.json(), { leastVehicles });
    fingerprint = read.fingerprint;
    return loaded;
  };

  /** The state that nothing is left to do about: a stamp, or why the file cannot be read. */
  let settled = stamp;
  let seen = stamp;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Reads what a look saw, and puts it in place. */
  const takeOver = async (sight: string | CatalogueError): Promise<void> => {
    const read = typeof sight === "string" ? await readNow().catch(named) : sight;
    if (closed) return;
    if (read instanceof CatalogueError) {
      // What cannot be read now may be readable at the next look, although no stamp changes.
      if (read.message !== settled) report(read);
      settled = read.message;
    } else {
      settled = seen;
      const outcome = await put(read).catch(named);
      if (!closed) report(outcome);
    }
  };
  /** Looks once, and tells how long to wait for the next look. Only the file itself counts, however busy its folder. */
  const look = async (): Promise<number> => {
    const sight = await stampOfFile(path).catch(named);
    const state = typeof sight === "string" ? sight : sight.message;
    const isSteady = state === seen;
    seen = state;
    if (state === settled) return intervalMs;
    if (!isSteady) return settleMs;
    await takeOver(sight).finally(clock.release);
    return intervalMs;
  };
  const lookIn = (ms: number): void => {
    if (closed) return;
    timer = setTimeout(() => look().then(lookIn), ms);
    timer.unref();
  };
  // The file may have changed since it was read.
  lookIn(0);
  return {
    catalogue,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Tells the host of everything that came of a changed file. Nothing that the host does about it ends the watching. */
function fileReporter(
  path: string,
  { logger = silentLogger, onReload, onError, leastShare = defaultLeastShare }: WatchCatalogueOptions,
): (outcome: LoadReport | CatalogueError | undefined) => void {
  const harmless = harmlessLogger(logger);
  const call = (name: string, run: () => unknown): void => {
    Promise.resolve()
      .then(run)
      .catch((error: unknown) => log("error", `${name} threw: ${messageOf(error)}`));
  };
  const log = (level: keyof Logger, message: string): void => {
    // A file that is no JSON is quoted, whatever it holds.
    harmless[level](message.replaceAll(/[\r\n\u2028\u2029]+/g, " "));
  };
  let isBroken = false;
  return (outcome) => {
    const wasBroken = isBroken;
    isBroken = outcome instanceof CatalogueError;
    if (outcome instanceof CatalogueError) {
      const rule = outcome.code === "shrunk" ? ` (leastShare: ${leastShare})` : "";
      log("error", `${outcome.message}${rule}; the present data stay`);
      call("onError", () => onError?.(outcome));
    } else if (outcome !== undefined) {
      const problems = outcome.problems.length + outcome.omitted.problems;
      log("info", `${path}: reloaded, ${outcome.loaded} vehicles, ${problems} problems`);
      call("onReload", () => onReload?.(outcome));
    } else if (wasBroken) {
      log("info", `${path}: can be used again, and is as it was`);
    }
  };
}
