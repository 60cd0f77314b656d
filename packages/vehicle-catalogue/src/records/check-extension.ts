import { vehicleAttributeNames } from "../vehicle-attributes.js";
import { checkSchema } from "./check-schema.js";
import { isRecord, show } from "./check-value.js";
import type { VehicleExtension } from "./vehicle-rules.js";

/** Throws a `TypeError` that names the place unless it is what an operator may add. */
export function checkExtension(extension: VehicleExtension): void {
  if (!isRecord(extension)) throw new TypeError(`extension must be an object; got ${show(extension)}.`);
  const { openValues = false, attributes = {}, ...others } = extension;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`An extension has no ${show(unknown)}.`);
  if (typeof openValues !== "boolean")
    throw new TypeError(`extension.openValues must be true or false; got ${show(openValues)}.`);
  if (!isRecord(attributes)) throw new TypeError("The attributes of an extension must be an object.");
  for (const [name, schema] of Object.entries(attributes)) {
    checkName(name);
    checkSchema(`attribute ${name}`, schema);
  }
}

function checkName(name: string): void {
  const taken = [...vehicleAttributeNames, "id", "type", "manufacturer"].includes(name);
  if (taken) throw new TypeError(`There is an attribute "${name}" already.`);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || name === "constructor") {
    throw new TypeError(`An attribute cannot be called "${name}": use letters, digits and underscores.`);
  }
}
