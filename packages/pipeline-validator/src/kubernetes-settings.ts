import { ownEntry, type PipelineGraph, pointer, readJson } from "@wye/pipeline-spec";
import { type KubernetesField, kubernetesMessages } from "./kubernetes-messages.js";
import { describeValue, isObject } from "./parameter-kind.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";
import { nearest } from "./suggest.js";

/** One message inside the settings of an executor. */
export interface KubernetesEntry {
  /** Name of the message: `SecretAsEnv`. */
  readonly message: string;
  readonly at: string;
  /** Its fields, by lower-camel name. */
  readonly fields: { readonly [name: string]: unknown };
  /** The executor. */
  readonly label: string;
}

/** All Kubernetes settings, and what is wrong with their form. */
export interface KubernetesSettings {
  readonly entries: readonly KubernetesEntry[];
  readonly misspelt: readonly Finding[];
  readonly unknown: readonly Finding[];
  readonly wrong: readonly Finding[];
}

/** Reads the settings of executors, which the specification carries as free objects. */
export function kubernetesSettings({ platform }: PipelineGraph): KubernetesSettings {
  const executors = ownEntry(platform?.platforms, "kubernetes")?.deploymentSpec?.executors ?? {};
  const reading = new SettingsReading();
  for (const [label, config] of Object.entries(executors)) {
    const at = pointer("/platforms/kubernetes/deploymentSpec/executors", label);
    if (config !== undefined) reading.message("KubernetesExecutorConfig", config, at, label);
  }
  return reading;
}

class SettingsReading implements KubernetesSettings {
  readonly entries: KubernetesEntry[] = [];
  readonly misspelt: Finding[] = [];
  readonly unknown: Finding[] = [];
  readonly wrong: Finding[] = [];

  message(message: string, value: unknown, at: string, label: string): undefined {
    if (!isObject(value)) return this.expected("an object", value, at);
    const shape = kubernetesMessages.get(message);
    const fields: { [name: string]: unknown } = {};
    for (const [key, content] of Object.entries(value)) {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const field = shape?.get(name);
      if (shape === undefined || field === undefined) {
        this.unknownField(message, key, pointer(at, key), shape?.keys() ?? []);
      } else if (content !== null) {
        fields[name] = content;
        this.field(field, content, pointer(at, key), label);
      }
    }
    this.entries.push({ message, at, fields, label });
  }

  private field({ type, isList }: KubernetesField, value: unknown, at: string, label: string): undefined {
    if (!isList) return this.value(type, value, at, label);
    if (!Array.isArray(value)) return this.expected("a list", value, at);
    for (const [position, item] of value.entries()) this.value(type, item, `${at}/${position}`, label);
  }

  private value(type: string, value: unknown, at: string, label: string): undefined {
    switch (type) {
      case "S":
        if (typeof value !== "string") this.expected("a text", value, at);
        return;
      case "B":
        if (typeof value !== "boolean") this.expected("true or false", value, at);
        return;
      case "I":
        if (!isInteger(value)) this.expected("an integer", value, at);
        return;
      case "M":
        if (!isObject(value)) return this.expected("an object", value, at);
        for (const [key, item] of Object.entries(value)) {
          if (typeof item !== "string") this.expected("a text", item, pointer(at, key));
        }
        return;
      case "P":
      case "O": {
        const result = readJson(type === "P" ? "InputParameterSpec" : "TaskOutputParameterSpec", value, {
          deprecations: false,
        });
        for (const { path, message, hint, severity } of result.problems) {
          if (severity === "error") this.wrong.push({ at: `${at}${path}`, message, hint });
        }
        return;
      }
      default:
        return this.message(type, value, at, label);
    }
  }

  private expected(what: string, value: unknown, at: string): undefined {
    this.wrong.push({ at, message: `expected ${what}, got ${describeValue(value)}` });
  }

  private unknownField(message: string, key: string, at: string, names: Iterable<string>): void {
    const meant = nearest(key, names);
    const text = `${message} has no field ${quote(key)}`;
    if (meant === undefined) this.unknown.push({ at, part: "key", message: text });
    else this.misspelt.push({ at, part: "key", message: text, hint: `did you mean ${quote(meant)}?` });
  }
}

/** An integer in JSON: a number, or a text of digits. */
function isInteger(value: unknown): boolean {
  return Number.isInteger(value) || (typeof value === "string" && /^-?\d{1,20}$/.test(value));
}
