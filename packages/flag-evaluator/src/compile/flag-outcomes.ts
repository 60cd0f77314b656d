import { asciiJson } from "../json.js";
import type { FlagModel } from "../read/flag-model.js";
import { createOutcome, type EvaluationReason, type FlagHead, type Outcome } from "./outcome.js";

const malformedReason: EvaluationReason = { kind: "ERROR", errorKind: "MALFORMED_FLAG" };

/** Makes the outcomes that one flag can have. */
export class FlagOutcomes {
  readonly head: FlagHead;
  readonly #offVariation: number | undefined;

  constructor(key: string, model: FlagModel) {
    this.head = {
      key,
      version: model.version,
      trackEvents: model.trackEvents,
      debugEventsUntilDate: Math.trunc(model.debugEventsUntilDate),
      prerequisites: model.prerequisites.map((prerequisite) => prerequisite.key),
      variations: model.variations.map(asciiJson),
    };
    this.#offVariation = model.offVariation;
  }

  /** A variation after all prerequisites were met. */
  met(variation: number, reason: EvaluationReason, experiment = false): Outcome {
    return this.#variation(variation, reason, this.head.prerequisites.length, experiment);
  }

  /** The off variation, after that many prerequisites. */
  off(reason: EvaluationReason, prerequisites: number): Outcome {
    const flag = this.head;
    return this.#offVariation === undefined
      ? createOutcome({ flag, variation: -1, reason, prerequisites })
      : this.#variation(this.#offVariation, reason, prerequisites, false);
  }

  /** An error that no evaluation which meets it survives. */
  fatal(prerequisites: number = this.head.prerequisites.length): Outcome {
    return this.#malformed(prerequisites, true);
  }

  /** An error of the flag's result alone: for other flags it is a flag without a variation. */
  malformed(): Outcome {
    return this.#malformed(this.head.prerequisites.length, false);
  }

  #variation(
    variation: number,
    reason: EvaluationReason,
    prerequisites: number,
    experiment: boolean,
  ): Outcome {
    return variation < 0 || variation >= this.head.variations.length
      ? this.#malformed(prerequisites, false)
      : createOutcome({ flag: this.head, variation, reason, prerequisites, experiment });
  }

  #malformed(prerequisites: number, fatal: boolean): Outcome {
    return createOutcome({ flag: this.head, variation: -1, reason: malformedReason, prerequisites, fatal });
  }
}
