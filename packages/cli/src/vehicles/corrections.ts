import { resolve } from "node:path";
import {
  catalogueFromVehicles,
  type LoadReport,
  type MemoryCatalogueOptions,
} from "@wye/vehicle-catalogue/server";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";
import { readText } from "../read-text.js";

/** How a file is loaded with the corrections of another one; as it is where none is named. */
export async function readCorrections(
  file: string | undefined,
  { cwd }: Pick<Host, "cwd">,
): Promise<Pick<MemoryCatalogueOptions, "corrections">> {
  if (file === undefined) return {};
  try {
    const options = { corrections: JSON.parse(await readText(resolve(cwd, file))) };
    // What they must be like is known where they are made.
    catalogueFromVehicles([], options);
    return options;
  } catch (error) {
    throw new UsageError(`the corrections of ${printable(file)}: ${messageOf(error)}`);
  }
}

/** What to say of corrections that no longer apply, if there are such. */
export function staleHint({ staleCorrections = [], omitted }: LoadReport): string | undefined {
  const count = staleCorrections.length + omitted.staleCorrections;
  if (count === 0) return undefined;
  const said = count === 1 ? "1 correction does" : `${count} corrections do`;
  return `${said} not apply (any more): \`wye vehicles check\` with the same --corrections tells them`;
}
