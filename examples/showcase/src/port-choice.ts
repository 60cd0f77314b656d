import type { PortChoice } from "./listen.js";

const firstPort = 8040;

/**
 * Reads `--port 3000`, `--port=3000` or, without one, `PORT` from the environment. Without any of them the first free
 * port from 8040 will do; 0 lets the system choose.
 */
export function portChoice(args: readonly string[], env: { readonly PORT?: string | undefined }): PortChoice {
  const asked = portArgument(args) ?? (env.PORT === undefined || env.PORT === "" ? undefined : env.PORT);
  if (asked === undefined) return { from: firstPort };
  const port = Number(asked);
  if (!/^\d{1,5}$/.test(asked) || port > 65_535)
    throw new Error(`"${asked}" is not a port: give a number from 0 to 65535`);
  return { exactly: port };
}

function portArgument(args: readonly string[]): string | undefined {
  let port: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--port") port = args[++i] ?? "";
    else if (arg.startsWith("--port=")) port = arg.slice("--port=".length);
    else throw new Error(`unknown argument "${arg}"; the only one is --port`);
  }
  return port;
}
