import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** How many bytes the heap has more after something was done, garbage not counted. */
export function heapGrowth(run: () => unknown): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = run();
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  // Was not garbage until here.
  return kept === undefined ? grown : grown;
}

/** How many milliseconds of processor time something takes. */
export function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
