import { argoFields } from "../gen/argo-fields.js";
import { type Scalar, scalars } from "./scalars.js";

/** What the value of a field is. */
export type FieldKind =
  | { readonly form: "scalar"; readonly scalar: Scalar }
  | { readonly form: "object"; readonly type: string }
  /** With a key, a list whose items are merged one by one. */
  | { readonly form: "list"; readonly of: FieldKind; readonly key: string | undefined }
  | { readonly form: "map"; readonly of: FieldKind };

/** A field of a type of Argo or Kubernetes. */
export interface Field {
  readonly kind: FieldKind;
  /** What is printed where it is not there, if anything is. */
  readonly otherwise: "zero" | "null" | undefined;
  /** Whether it is printed when it is empty. */
  readonly isKept: boolean;
}

const read = new Map<string, ReadonlyMap<string, Field>>();

/** The fields of a type. */
export function fieldsOf(type: string): ReadonlyMap<string, Field> {
  let fields = read.get(type);
  if (fields === undefined) {
    const texts = (argoFields[type] ?? "").split(" ").filter((text) => text !== "");
    fields = new Map(texts.map(readField));
    read.set(type, fields);
  }
  return fields;
}

function readField(text: string): [name: string, field: Field] {
  const [, name = "", kind = "text", flag = ""] = /^([^:!?*]+)(?::([^!?*]+))?(.?)$/.exec(text) ?? [];
  const otherwise = flag === "!" ? "zero" : flag === "?" ? "null" : undefined;
  return [name, { kind: readKind(kind), otherwise, isKept: flag !== "" }];
}

function readKind(text: string): FieldKind {
  const [, of = "", suffix = "", key = ""] = /^(.*?)(\[(\w*)\]|\{\})?$/.exec(text) ?? [];
  if (suffix === "{}") return { form: "map", of: readKind(of) };
  if (suffix !== "") return { form: "list", of: readKind(of), key: key === "" ? undefined : key };
  if (/^[A-Z]/.test(of)) return { form: "object", type: of };
  const scalar = scalars[of];
  if (scalar === undefined) throw new Error(`there is no kind ${text}`);
  return { form: "scalar", scalar };
}
