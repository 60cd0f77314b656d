import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { type BinaryText, binaryText } from "./binary-text.js";
import { serializeBrand, serializeVehicle } from "./serialize-resource.js";

/** A vehicle with its JSON:API resource written out, so that answering a request only joins texts. */
export interface PreparedVehicle {
  /** The whole resource, and in front of it the comma that parts it from the one before. */
  readonly text: BinaryText;
  /**
   * Where its parts begin and end in the text: two numbers per attribute, in the order of their names, then two for
   * the relationships.
   */
  readonly offsets: readonly number[];
}

/** Writes out a vehicle. */
export function prepareVehicle(vehicle: Vehicle, names: readonly string[]): PreparedVehicle {
  const resource = serializeVehicle(vehicle);
  const offsets: number[] = [];
  const pieces: BinaryText[] = [];
  let length = 0;
  const add = (text: string): number => {
    const piece = binaryText(text);
    pieces.push(piece);
    length += piece.length;
    return length;
  };
  const addPart = (text: string): void => {
    offsets.push(length);
    offsets.push(add(text));
  };
  add(`,${identity(resource)},"attributes":{`);
  for (const [place, name] of names.entries()) {
    const value = JSON.stringify(resource.attributes[name]);
    if (value === undefined) throw new TypeError(`The vehicle ${vehicle.id} has no ${name}.`);
    if (place > 0) add(",");
    addPart(`"${name}":${value}`);
  }
  add("}");
  addPart(`,"relationships":${JSON.stringify(resource.relationships)}`);
  add("}");
  // Joined, and not added up: a sum of texts is only written out when it is read, here with every document.
  return { text: pieces.join(""), offsets };
}

/** Writes out a brand. */
export function prepareBrand(brand: Brand): BinaryText {
  const resource = serializeBrand(brand);
  return binaryText(`${identity(resource)},"attributes":${JSON.stringify(resource.attributes)}}`);
}

/** `{"type":…,"id":…` without the closing brace. */
export function identity(resource: { readonly type: string; readonly id: string }): string {
  return `{"type":${JSON.stringify(resource.type)},"id":${JSON.stringify(resource.id)}`;
}
