import type { InputParameterSpec, MessagePlace } from "@wye/pipeline-spec";

/** A constant that names an object of Kubernetes in the settings of an executor. */
export interface NamedObject {
  readonly at: string;
  readonly value: unknown;
  /** True when the back end makes a volume of it, and calls that the same. */
  readonly isVolume: boolean;
}

/** The object that a message names by a constant; undefined when it names none, or takes the name from the pipeline. */
export function namedObject({ name, message, path }: MessagePlace): NamedObject | undefined {
  switch (name) {
    case "SecretAsVolume":
    case "SecretAsEnv":
    case "ImagePullSecret": {
      const { secretNameParameter: today, secretName: old } = message;
      return object({ path, field: "secretName", today, old }, name === "SecretAsVolume");
    }
    case "ConfigMapAsVolume":
    case "ConfigMapAsEnv": {
      const { configMapNameParameter: today, configMapName: old } = message;
      return object({ path, field: "configMapName", today, old }, name === "ConfigMapAsVolume");
    }
    case "PvcMount": {
      const { pvcNameParameter: today, pvcReference } = message;
      if (today !== undefined) return object({ path, field: "pvcName", today, old: "" }, true);
      if (pvcReference?.$case !== "constant") return undefined;
      return { at: `${path}/constant`, value: pvcReference.value, isVolume: true };
    }
    default:
      return undefined;
  }
}

/** The two fields for a name, of which the old one counts only where the other is not. */
interface NameFields {
  readonly path: string;
  readonly field: string;
  readonly today: InputParameterSpec | undefined;
  readonly old: string;
}

function object({ path, field, today, old }: NameFields, isVolume: boolean): NamedObject | undefined {
  if (today === undefined) return { at: `${path}/${field}`, value: old, isVolume };
  const { kind } = today;
  const value = kind?.$case === "runtimeValue" ? kind.value.value : undefined;
  if (value?.$case !== "constant") return undefined;
  return { at: `${path}/${field}Parameter/runtimeValue/constant`, value: value.value, isVolume };
}
