/** Where a relay reports what it does. `console` and a `pino` logger fit as they are. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The logger of a relay that was given none. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A logger that says before each message what it is about. */
export function prefixedLogger(logger: Logger, prefix: string): Logger {
  return {
    debug: (message) => logger.debug(`${prefix} ${message}`),
    info: (message) => logger.info(`${prefix} ${message}`),
    warn: (message) => logger.warn(`${prefix} ${message}`),
    error: (message) => logger.error(`${prefix} ${message}`),
  };
}
