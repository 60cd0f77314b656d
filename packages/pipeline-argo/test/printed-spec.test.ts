import { expect, test } from "vitest";
import { patchSpec } from "../src/patch/patch-spec.js";
import type { JsonObject } from "../src/text/json.js";

// What the types of the back end print of a specification, with a patch laid over it or none.

const made = { inputs: {}, metadata: {}, outputs: {} };
const claim = { metadata: {}, spec: { resources: {} }, status: {} };

test.each<readonly [spec: JsonObject, printed: JsonObject]>([
  [{}, { arguments: {} }],
  // Left out when they are empty.
  [{ entrypoint: "", volumes: [], nodeSelector: {}, templates: [] }, { arguments: {} }],
  // Kept all the same.
  [
    { priority: 0, hostNetwork: false, ttlStrategy: {}, nodeSelector: { a: "" } },
    { priority: 0, hostNetwork: false, ttlStrategy: {}, nodeSelector: { a: "" }, arguments: {} },
  ],
  [{ podDisruptionBudget: { minAvailable: 0 } }, { podDisruptionBudget: { minAvailable: 0 }, arguments: {} }],
  [{ templates: [{ steps: [[]] }] }, { templates: [{ steps: [[]], ...made }], arguments: {} }],
  [
    { templateDefaults: { activeDeadlineSeconds: 0 } },
    { templateDefaults: { activeDeadlineSeconds: 0, ...made }, arguments: {} },
  ],
  // Printed although nobody has given them.
  [{ templates: [{}] }, { templates: [made], arguments: {} }],
  [{ volumeClaimTemplates: [{}] }, { volumeClaimTemplates: [claim], arguments: {} }],
  // What is not known, or has another form, stays as it is.
  [
    { volumeClaimTemplates: [{ spec: { other: { a: [] }, accessModes: [] } }] },
    { volumeClaimTemplates: [{ ...claim, spec: { other: { a: [] }, resources: {} } }], arguments: {} },
  ],
  [
    { zzz: 1, yyy: [] },
    { zzz: 1, yyy: [], arguments: {} },
  ],
  [
    { volumes: "x", nodeSelector: "x" },
    { volumes: "x", nodeSelector: "x", arguments: {} },
  ],
  [
    { volumes: [5, null], onExit: null },
    { volumes: [5, null], onExit: null, arguments: {} },
  ],
  [{ arguments: 5 }, { arguments: 5 }],
  [
    { entrypoint: undefined, arguments: undefined, nodeSelector: { a: undefined, b: "c" } },
    { arguments: {}, nodeSelector: { b: "c" } },
  ],
])("%j is printed as %j", (spec, printed) => {
  expect(patchSpec(spec, {})).toEqual({ spec: printed, findings: [] });
});
