/** What the program has of the world, so that it can be run in tests and by other programs. */
export interface Host {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly out: Output;
  readonly err: Output;
  /** All of the standard input, or `undefined` when that is more than `maxBytes`. */
  readonly readInput: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Aborted when the user interrupts the program. Only commands that then have something to tidy up look at it. */
  readonly interrupted: AbortSignal;
  /** Called by what serves others: an output that cannot be written any more does not end it, and lines are lost. */
  readonly outliveOutput?: () => void;
  /** Called by what has given up somebody who does not answer: what a library still waits for then does not keep the program. */
  readonly leaveBehind?: () => void;
  /** Calls `listener` whenever the program is asked to read its configuration again, until the returned function is called. */
  readonly onReload?: (listener: () => void) => () => void;
}

/** Where text goes. */
export interface Output {
  /** `done`, if it is called, is called when the text has been taken. */
  write(text: string, done?: (error?: Error | null) => void): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Whether an output is coloured: a terminal, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. */
export function isColored({ env }: Pick<Host, "env">, output: Output): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return output.isTTY === true && env.TERM !== "dumb";
}
