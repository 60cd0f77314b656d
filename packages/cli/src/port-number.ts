import { InvalidArgumentError } from "commander";

/** A port of the command line; 0 takes any that is free. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || text.trim() === "")
    throw new InvalidArgumentError("It is a number up to 65535; 0 takes any free port.");
  return port;
}
