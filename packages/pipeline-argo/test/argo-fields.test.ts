import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { argoFields } from "../src/gen/argo-fields.js";
import { fieldsOf } from "../src/patch/field-kinds.js";
import { patchSpec } from "../src/patch/patch-spec.js";
import type { JsonObject } from "../src/text/json.js";
import { cases, expectedWorkflow } from "./cases.js";

interface Definition {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly $ref?: string }>>;
}

const schema: { readonly definitions: Readonly<Record<string, Definition>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../testdata/argo/workflow.schema.json"), "utf8"),
);

/** The types of the schema that the specification of a workflow leads to, each with the name that it has here. */
function reachable(): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const visit = (id: string): void => {
    const definition = schema.definitions[id];
    const isArgo = id.startsWith("io.argoproj.");
    const short = id.split(".").at(-1) ?? "";
    const name = isArgo && short === "HTTPHeader" ? "ArgoHTTPHeader" : short;
    if (definition?.properties === undefined || found.has(name)) return;
    found.set(name, definition);
    for (const [ref = ""] of JSON.stringify(definition).matchAll(/io\.[\w.]+/g)) visit(ref);
  };
  visit("io.argoproj.workflow.v1alpha1.WorkflowSpec");
  return found;
}

const types = [...reachable()];

test("the schema of Argo leads to the types that are known, but for what is no type of its own in Go", () => {
  const names = types.map(([name]) => name);
  expect(names.filter((name) => argoFields[name] === undefined)).toEqual([]);
  expect(names.length).toBeGreaterThan(150);
});

describe("a type has all fields of the schema of Argo", () => {
  for (const [name, { properties = {} }] of types) {
    test(name, () => {
      const fields = fieldsOf(name);
      expect(Object.keys(properties).filter((field) => !fields.has(field))).toEqual([]);
      for (const [field, { type }] of Object.entries(properties)) {
        const form = fields.get(field)?.kind.form;
        expect([field, type === "array"]).toEqual([field, form === "list"]);
      }
    });
  }
});

describe("a workflow of the back end stays as it is", () => {
  for (const { name, workflow } of cases.flatMap(({ name, workflow }) =>
    workflow === undefined ? [] : [{ name, workflow }],
  )) {
    test(name, () => {
      const whole = expectedWorkflow(workflow);
      const spec = (isObject(whole) ? whole.spec : {}) as JsonObject;
      const patch = Object.fromEntries(Object.entries(spec).filter(([field]) => field !== "templates"));
      expect(patchSpec(spec, {})).toEqual({ spec, findings: [] });
      // Every field of it is one that is known.
      expect(patchSpec({}, patch)).toEqual({ spec: patch, findings: [] });
      for (const template of (spec.templates ?? []) as readonly JsonObject[])
        expect(patchSpec({}, { templateDefaults: template }).findings).toEqual([]);
    });
  }
});
