import type { Logger, ReadVehicles, RecordRepair } from "@wye/vehicle-catalogue/server";

/** So many attributes are told of, each once. */
const mostTold = 1000;

/** Tells of what rows have and no `extension` names: it cannot be shown, and whoever has forgotten the option should learn of it. */
export class LeftOutReport {
  readonly #told = new Set<string>();
  readonly #logger: Logger;
  readonly #schema: string;

  constructor(logger: Logger, schema: string) {
    this.#logger = logger;
    this.#schema = schema;
  }

  tell({ repairs }: Pick<ReadVehicles, "repairs">): void {
    for (const repair of repairs) {
      // The places of a list are not told apart.
      const field = repair.field.replaceAll(/\[\d+\]/g, "[]");
      if (!isLeftOut(repair) || this.#told.has(field) || this.#told.size >= mostTold) continue;
      this.#told.add(field);
      this.#logger.warn(
        `${this.#schema}: rows have ${field}, which is left out (id ${repair.id}, and maybe others): extension names what there is beyond the API`,
      );
    }
  }
}

/** Whether nothing was put in place of what was there. */
export function isLeftOut({ to }: RecordRepair): boolean {
  return to === undefined;
}
