// @ts-check
// Turns a buf image into the table that the JSON reader, the JSON writer and the check of binary input walk. The format
// is explained where it is read: src/message-table.ts.
import { publicNames } from "./names.mjs";

/** Well-known types with a JSON form of their own that the reader knows; any other is refused here. */
/** @type {Record<string, string>} */
const wellKnown = {
  ".google.protobuf.Value": "V",
  ".google.protobuf.Struct": "S",
  ".google.protobuf.ListValue": "L",
  ".google.protobuf.NullValue": "N",
  ".google.protobuf.Duration": "D",
  ".google.protobuf.Any": "A",
};

/** @type {Record<string, string>} */
const scalars = {
  TYPE_DOUBLE: "d",
  TYPE_FLOAT: "f",
  TYPE_INT32: "i",
  TYPE_SINT32: "i",
  TYPE_SFIXED32: "i",
  TYPE_UINT32: "u",
  TYPE_FIXED32: "u",
  TYPE_INT64: "l",
  TYPE_SINT64: "l",
  TYPE_SFIXED64: "l",
  TYPE_UINT64: "w",
  TYPE_FIXED64: "w",
  TYPE_BOOL: "b",
  TYPE_STRING: "s",
  TYPE_BYTES: "y",
};

const camelCase = (/** @type {string} */ name) =>
  name.replace(/_+(\w?)/g, (_, letter) => letter.toUpperCase());

/**
 * @typedef {{ start?: number, end?: number }} NumberRange
 * @typedef {{ name: string, value?: { name: string, number?: number }[] }} EnumDescriptor
 * @typedef {{ name: string, number: number, label: string, type: string, typeName?: string, jsonName?: string,
 *   oneofIndex?: number, proto3Optional?: boolean, options?: { deprecated?: boolean } }} FieldDescriptor
 * @typedef {{ name: string, field?: FieldDescriptor[], enumType?: EnumDescriptor[], nestedType?: MessageDescriptor[],
 *   oneofDecl?: { name: string }[], reservedRange?: NumberRange[], options?: { mapEntry?: boolean } }} MessageDescriptor
 * @typedef {{ name: string, package: string, syntax?: string, messageType?: MessageDescriptor[], enumType?: EnumDescriptor[],
 *   sourceCodeInfo?: { location?: { path?: number[], leadingComments?: string }[] } }} FileDescriptor
 */

/** What a field is replaced by, as its comment says it: "Deprecated: use x." or "Deprecated: use x or y." */
function replacement(/** @type {string | undefined} */ comment) {
  const found = /Deprecated: use ([\w ]+)\./.exec(comment?.replace(/\s+/g, " ") ?? "");
  return found?.[1] === undefined ? "" : found[1].split(" or ").join("/");
}

/** Numbers are written only where they do not follow the one before. */
function counter(/** @type {number} */ next) {
  return (/** @type {number} */ number) => {
    const text = number === next ? "" : `=${number}`;
    next = number + 1;
    return text;
  };
}

/**
 * @param {{ file: FileDescriptor[] }} image
 * @returns {{ table: string, messages: Map<string, string> }}  the table, and the file of each of its messages
 */
export function table(image) {
  const files = image.file.filter((file) => file.package !== "google.protobuf");
  const names = publicNames(.../** @type {any[]} */ (files));
  /** @type {string[]} */
  const lines = [];
  /** @type {Set<string>} */
  const used = new Set();
  /** @type {Map<string, string>} */
  const messages = new Map();

  const typeCode = (/** @type {FieldDescriptor} */ field) => {
    if (field.typeName === undefined) {
      const code = scalars[field.type];
      if (code === undefined) throw new Error(`${field.name}: ${field.type} is not known to the JSON reader`);
      return code;
    }
    const code = wellKnown[field.typeName] ?? names.get(field.typeName.slice(1));
    if (code === undefined)
      throw new Error(`${field.name}: ${field.typeName} is not known to the JSON reader`);
    used.add(code);
    return code;
  };

  const enumLine = (/** @type {string} */ fullName, /** @type {EnumDescriptor} */ descriptor) => {
    const number = counter(0);
    lines.push(
      [
        `${names.get(fullName)}=`,
        ...(descriptor.value ?? []).map((v) => v.name + number(v.number ?? 0)),
      ].join(" "),
    );
  };

  const messageLine = (
    /** @type {string} */ fullName,
    /** @type {MessageDescriptor} */ message,
    /** @type {(field: number) => string | undefined} */ commentOf,
  ) => {
    const number = counter(1);
    const entries = new Map(
      (message.nestedType ?? []).map((nested) => [`.${fullName}.${nested.name}`, nested]),
    );
    const fields = (message.field ?? []).map((field, index) => ({ field, index }));
    fields.sort((a, b) => a.field.number - b.field.number);
    const tokens = fields.map(({ field, index }) => {
      const entry = entries.get(field.typeName ?? "");
      const [key, value] = entry?.options?.mapEntry ? (entry.field ?? []) : [];
      const repeated = field.label === "LABEL_REPEATED" ? "*" : field.proto3Optional ? "?" : "";
      const type = key && value ? `{${typeCode(key)}}${typeCode(value)}` : repeated + typeCode(field);
      const json = field.jsonName === camelCase(field.name) ? "" : `~${field.jsonName}`;
      const inOneof = field.oneofIndex !== undefined && !field.proto3Optional;
      const oneof = inOneof ? `@${camelCase(message.oneofDecl?.[field.oneofIndex ?? 0]?.name ?? "")}` : "";
      const deprecated = field.options?.deprecated ? `!${replacement(commentOf(index))}` : "";
      return `${field.name}${number(field.number)}${json}:${type}${oneof}${deprecated}`;
    });
    const reserved = (message.reservedRange ?? []).map(({ start = 0, end = 0 }) => `-${start}-${end - 1}`);
    lines.push([names.get(fullName), ...tokens, ...reserved].join(" "));
  };

  for (const file of files) {
    if (file.syntax !== "proto3") throw new Error(`${file.package}: only proto3 is known to the JSON reader`);
    const comments = new Map(
      file.sourceCodeInfo?.location?.map((l) => [l.path?.join("."), l.leadingComments]),
    );
    const visit = (
      /** @type {MessageDescriptor} */ message,
      /** @type {string} */ scope,
      /** @type {string} */ path,
    ) => {
      if (message.options?.mapEntry) return;
      const fullName = `${scope}.${message.name}`;
      for (const descriptor of message.enumType ?? []) enumLine(`${fullName}.${descriptor.name}`, descriptor);
      // A message without fields that holds enums is only their scope.
      const isScope = (message.field ?? []).length === 0 && (message.enumType ?? []).length > 0;
      if (!isScope) messages.set(names.get(fullName) ?? "", file.name);
      if (!isScope) messageLine(fullName, message, (index) => comments.get(`${path}.2.${index}`));
      message.nestedType?.forEach((nested, index) => void visit(nested, fullName, `${path}.3.${index}`));
    };
    for (const descriptor of file.enumType ?? []) enumLine(`${file.package}.${descriptor.name}`, descriptor);
    file.messageType?.forEach((message, index) => void visit(message, file.package, `4.${index}`));
  }
  // An enum that no field has would only make the table longer.
  const needed = lines.filter((line) => !/^\w+=/.test(line) || used.has(line.slice(0, line.indexOf("="))));
  return { table: needed.join("\n"), messages };
}
