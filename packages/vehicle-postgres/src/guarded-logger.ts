import type { Logger } from "@wye/vehicle-catalogue/server";

/** A logger that may throw without anyone being harmed, and gets single lines; it says nothing when there is none. */
export function guardedLogger(logger: Logger | undefined): Logger {
  const guarded = (level: keyof Logger) => (message: string) => {
    try {
      // It may be asynchronous without saying so.
      Promise.resolve(logger?.[level](message.replaceAll(/[\r\n\u2028\u2029]+/g, " "))).catch(() => {});
    } catch {
      // There is nobody left to tell.
    }
  };
  return { info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}
