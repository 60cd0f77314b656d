import { readFileSync } from "node:fs";

/** The bit of SIGHUP in a mask of signals. */
const hangUp = 1n;

/**
 * Whether this program was started to go on when its terminal is closed: by `nohup`, or by a script that ignores SIGHUP. Node resets
 * signals that are ignored, so that only whoever started it can tell: the shell, which names the program in `_`, or the parent.
 */
export function outlivesTerminal(): boolean {
  if (/(?:^|\/)nohup$/.test(process.env._ ?? "")) return true;
  try {
    const [, mask = "0"] =
      /^SigIgn:\s*([0-9a-f]+)$/im.exec(readFileSync(`/proc/${process.ppid}/status`, "utf8")) ?? [];
    return (BigInt(`0x${mask}`) & hangUp) !== 0n;
  } catch {
    // Other systems have no such file, and a parent may be gone.
    return false;
  }
}
