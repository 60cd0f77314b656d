import { InvalidArgumentError } from "commander";

/** A port of the command line; 0 takes any that is free. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("It is a number up to 65535; 0 takes any free port.");
  return port;
}
