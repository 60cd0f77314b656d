import type { Logger } from "@wye/relay";
import type { Host } from "../host.js";
import type { Config } from "./config/config.js";
import type { LogFormat, LogLevel } from "./config/value-types.js";

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, none: 4 };

/** Which lines of a log are written, and how. */
export interface LogRules {
  readonly format: LogFormat;
  readonly level: LogLevel;
  /** Levels of environments that have their own. */
  readonly levels: ReadonlyMap<string, LogLevel>;
}

/** The rules that a configuration has. */
export function logRules(config: Config): LogRules {
  const levels = config.namesOf("Environment").flatMap((name) => {
    const { logLevel } = config.of("Environment", name);
    return logLevel === undefined ? [] : [[name, logLevel] as const];
  });
  return { format: config.of("Wye").logFormat, level: config.of("Main").logLevel, levels: new Map(levels) };
}

/** A log that may be told other rules while it runs. */
export interface Log extends Logger {
  follow(rules: LogRules): void;
}

/** A log on the outputs of the program: errors go to that of errors, as with ld-relay. Lines of a worker have its number. */
export function createLog(
  host: Pick<Host, "out" | "err">,
  first: LogRules,
  now: () => Date,
  worker?: number,
): Log {
  let rules = first;

  function write(level: keyof Logger, message: string): void {
    const [, environment] = /^\[([^\]]*)\] /.exec(message) ?? [];
    if (ranks[level] < ranks[levelOf(environment, rules)]) return;
    const line =
      rules.format === "json"
        ? jsonLine(now(), level, message, worker)
        : textLine(now(), worker === undefined ? level : `[${worker}] ${level}`, message);
    (level === "error" ? host.err : host.out).write(`${line}\n`);
  }

  return {
    debug: (message) => write("debug", message),
    info: (message) => write("info", message),
    warn: (message) => write("warn", message),
    error: (message) => write("error", message),
    follow(next) {
      rules = next;
    },
  };
}

/** Lines about a payload filter are lines about its environment. */
function levelOf(environment: string | undefined, { level, levels }: LogRules): LogLevel {
  if (environment === undefined || levels.size === 0) return level;
  return levels.get(environment) ?? levels.get(environment.replace(/\/[^/]*$/, "")) ?? level;
}

/** `2026/01/31 13:05:59.123000 INFO: message`, in local time. */
function textLine(now: Date, level: string, message: string): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
  const micros = `${String(now.getMilliseconds()).padStart(3, "0")}000`;
  return `${day} ${time}.${micros} ${level.toUpperCase()}: ${message}`;
}

function jsonLine(now: Date, level: string, message: string, worker: number | undefined): string {
  return JSON.stringify({ time: now.toISOString(), worker, level, message });
}
