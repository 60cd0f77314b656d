/**
 * Where a relay reports what it does. `console` and a `pino` logger fit as they are. Each message is one line, whatever
 * clients put into what it quotes; a logger that throws harms nobody.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const levels = ["debug", "info", "warn", "error"] as const;

/** A logger made of one function for all levels. */
export function loggerFrom(write: (level: keyof Logger, message: string) => void): Logger {
  const [debug, info, warn, error] = levels.map((level) => (message: string) => write(level, message));
  // There are as many functions as levels.
  return { debug, info, warn, error } as Logger;
}

/** The logger of a relay that was given none. */
export const silentLogger: Logger = loggerFrom(() => {});

/** A logger that says before each message what it is about. */
export function prefixedLogger(logger: Logger, prefix: string): Logger {
  return loggerFrom((level, message) => logger[level](`${prefix} ${message}`));
}

const longestLine = 4000;
/** What begins a new line or a control sequence, turns the direction of text, or is half a character. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** A message as one line in which every character is what it looks like. */
export function oneLine(message: string): string {
  const short = message.length > longestLine ? `${message.slice(0, longestLine)}…` : message;
  return short.replaceAll(unprintable, (character) => {
    if (character === "\n") return "\\n";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
