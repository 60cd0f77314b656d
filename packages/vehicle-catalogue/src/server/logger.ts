/** Where long-lived things report to; `console` and pino have this form. Keys never go there. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const ignore = (): void => {};

/** Says nothing. */
export const silentLogger: Logger = { info: ignore, warn: ignore, error: ignore };

/** The same logger, but one that fails takes nothing else with it. */
export function harmlessLogger(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (message: string): void => {
      try {
        // A logger may be asynchronous without saying so.
        Promise.resolve(logger[level](message)).catch(ignore);
      } catch {
        // There is no one left to tell.
      }
    };
  return { info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}
