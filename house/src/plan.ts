/** What a package may be and do, beyond what its `package.json` says. */
export interface PackagePlan {
  /** The other packages that it may depend on, peers included. */
  readonly mayImport: readonly string[];
  /** The entry points that run in a browser: no `node:` module below them, and their size is watched. */
  readonly pure: readonly string[];
}

/** Every package of the suite. The arrows of the design, as data: a package that is not here cannot be added unseen. */
export const plan: Readonly<Record<string, PackagePlan>> = {
  "pipeline-spec": { mayImport: [], pure: ["."] },
  "pipeline-resolver": { mayImport: ["pipeline-spec"], pure: ["."] },
  "pipeline-validator": { mayImport: ["pipeline-spec", "pipeline-resolver"], pure: ["."] },
  "pipeline-runner": {
    mayImport: ["pipeline-spec", "pipeline-resolver", "pipeline-validator"],
    pure: [".", "./report"],
  },
  "pipeline-argo": { mayImport: ["pipeline-spec", "pipeline-resolver", "pipeline-validator"], pure: ["."] },
  "pipeline-client": {
    mayImport: ["pipeline-spec", "pipeline-resolver", "pipeline-validator"],
    pure: [".", "./vertex"],
  },
  "vehicle-catalogue": { mayImport: [], pure: [".", "./client", "./open-ev-data"] },
  "vehicle-postgres": { mayImport: ["vehicle-catalogue"], pure: [] },
  "flag-evaluator": { mayImport: [], pure: ["."] },
  relay: { mayImport: ["flag-evaluator"], pure: [] },
  "relay-redis": { mayImport: ["relay"], pure: [] },
  "relay-dynamodb": { mayImport: ["relay"], pure: [] },
  "relay-consul": { mayImport: ["relay"], pure: [] },
  cli: {
    mayImport: [
      "pipeline-spec",
      "pipeline-resolver",
      "pipeline-validator",
      "pipeline-runner",
      "pipeline-argo",
      "pipeline-client",
      "vehicle-catalogue",
      "vehicle-postgres",
      "flag-evaluator",
      "relay",
      "relay-redis",
      "relay-dynamodb",
      "relay-consul",
    ],
    pure: [],
  },
};
