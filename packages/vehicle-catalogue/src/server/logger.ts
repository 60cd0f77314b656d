/** Where long-lived things report to; `console` and pino have this form. Keys never go there. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const ignore = (): void => {};

/** Says nothing. */
export const silentLogger: Logger = { info: ignore, warn: ignore, error: ignore };
