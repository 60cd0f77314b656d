import { isObject } from "@wye/pipeline-spec";
import type { Json } from "../text/json.js";
import { plainNumber } from "../text/plain-number.js";
import { canonicalQuantity } from "../text/quantity.js";

/** A value without fields, as the types of the back end read and print it. */
export interface Scalar {
  /** What it takes, in words. */
  readonly what: string;
  /** The value as it is printed; undefined for one that it does not take. */
  readonly read: (value: Json) => Json | undefined;
  /** What stands where nothing was given. */
  readonly zero: Json;
  /** True where that is left out as well when it was given. */
  readonly isEmpty?: true;
}

const only =
  (holds: (value: Json) => boolean): Scalar["read"] =>
  (value) =>
    holds(value) ? value : undefined;

const text = only((value) => typeof value === "string");

const whole = (least: number, above: number): Scalar["read"] =>
  only((value) => typeof value === "number" && Number.isInteger(value) && least <= value && value < above);

const int = whole(-(2 ** 31), 2 ** 31);

/** The kinds of values without fields. */
export const scalars: Readonly<Record<string, Scalar>> = {
  text: { what: "a text", read: text, zero: "", isEmpty: true },
  bool: {
    what: "true or false",
    read: only((value) => typeof value === "boolean"),
    zero: false,
    isEmpty: true,
  },
  int: { what: "a whole number of 32 bits", read: int, zero: 0, isEmpty: true },
  long: { what: "a whole number", read: whole(-(2 ** 63), 2 ** 63), zero: 0, isEmpty: true },
  ulong: { what: "a whole number from 0", read: whole(0, 2 ** 64), zero: 0, isEmpty: true },
  "any-text": { what: "a text, a number, or true or false", read: anyText, zero: "", isEmpty: true },
  "int-or-text": {
    what: "a text, or a whole number of 32 bits",
    read: (value) => text(value) ?? int(value),
    zero: 0,
  },
  quantity: { what: "an amount of Kubernetes, such as 500m or 2Gi", read: quantity, zero: "0" },
  time: { what: "a time such as 2026-01-02T15:04:05Z", read: time, zero: null },
  base64: {
    what: "bytes as base64",
    read: only(
      (value) =>
        typeof value === "string" &&
        /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
    ),
    zero: "",
    isEmpty: true,
  },
  plugin: {
    what: "an object with one member",
    read: only((value) => isObject(value) && Object.keys(value).length === 1),
    zero: null,
  },
  json: { what: "JSON", read: (value) => value, zero: null },
};

function anyText(value: Json): Json | undefined {
  if (typeof value === "number") return plainNumber(value);
  return typeof value === "boolean" ? String(value) : text(value);
}

function quantity(value: Json): Json | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return canonicalQuantity(String(value).trim());
}

function time(value: Json): Json | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value))
    return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
