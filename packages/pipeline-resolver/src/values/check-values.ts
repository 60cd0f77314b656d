import { checkArguments, describeValue, isObject } from "@wye/pipeline-spec";

// What surrounds a task comes from programs, not from files: what is no such thing is a mistake of theirs.

/** Refuses what is no Map of outputs by task, such as the object that callers without types hand over. */
export function checkOutputs(caller: string, outputs: unknown): void {
  const isMap = isObject(outputs) && "get" in outputs && "has" in outputs;
  if (!isMap) {
    throw new TypeError(
      `${caller} takes a Map from task to outputs as its outputs, not ${describeValue(outputs)}`,
    );
  }
}

/** Refuses what is no inputs of a task. */
export function checkInputs(caller: string, inputs: unknown): void {
  checkArguments(caller, "object", { inputs });
  if (!isObject(inputs)) return;
  const { parameters, artifacts } = inputs;
  checkArguments(caller, "object", { "inputs.parameters": parameters, "inputs.artifacts": artifacts });
}

/** Refuses what is no scope of a task. */
export function checkScope(caller: string, scope: unknown): void {
  checkArguments(caller, "object", { scope });
  if (!isObject(scope)) return;
  const { parameters, artifacts, outputs } = scope;
  checkOutputs(caller, outputs);
  checkArguments(caller, "object", { "scope.parameters": parameters, "scope.artifacts": artifacts });
}
