import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { serializeBrand, serializeVehicle } from "./serialize-resource.js";

/** A vehicle with its JSON:API resource written out, so that answering a request only copies bytes. */
export interface PreparedVehicle {
  /** The whole resource, in UTF-8. */
  readonly bytes: Uint8Array;
  /**
   * Where its parts begin and end in `bytes`: two numbers per attribute, in the order of their names, then two for
   * the relationships.
   */
  readonly offsets: Uint32Array;
}

const encoder = new TextEncoder();

/** Writes out a vehicle. */
export function prepareVehicle(vehicle: Vehicle, names: readonly string[]): PreparedVehicle {
  const resource = serializeVehicle(vehicle);
  const offsets = new Uint32Array(2 * names.length + 2);
  const writer = new PartWriter(offsets);
  writer.text(`${identity(resource)},"attributes":{`);
  for (const [place, name] of names.entries()) {
    const value = JSON.stringify(resource.attributes[name]);
    if (value === undefined) throw new TypeError(`The vehicle ${vehicle.id} has no ${name}.`);
    if (place > 0) writer.text(",");
    writer.part(`"${name}":${value}`);
  }
  writer.text("}");
  writer.part(`,"relationships":${JSON.stringify(resource.relationships)}`);
  writer.text("}");
  return { bytes: writer.finish(), offsets };
}

/** Writes out a brand. */
export function prepareBrand(brand: Brand): Uint8Array {
  const resource = serializeBrand(brand);
  const text = `${identity(resource)},"attributes":${JSON.stringify(resource.attributes)}}`;
  return encoder.encode(text);
}

/** `{"type":…,"id":…` without the closing brace. */
export function identity(resource: { readonly type: string; readonly id: string }): string {
  return `{"type":${JSON.stringify(resource.type)},"id":${JSON.stringify(resource.id)}`;
}

/** Collects text and notes where parts of it begin and end, in bytes. */
class PartWriter {
  readonly #offsets: Uint32Array;
  #text = "";
  #noted = 0;
  /** Bytes that the text has beyond its characters. */
  #wide = 0;

  constructor(offsets: Uint32Array) {
    this.#offsets = offsets;
  }

  text(text: string): void {
    this.#text += text;
    this.#wide += wideBytes(text);
  }

  part(text: string): void {
    this.#offsets[this.#noted++] = this.#text.length + this.#wide;
    this.text(text);
    this.#offsets[this.#noted++] = this.#text.length + this.#wide;
  }

  finish(): Uint8Array {
    return encoder.encode(this.#text);
  }
}

/** How many bytes more than characters a text takes in UTF-8; most texts of a catalogue are ASCII. */
function wideBytes(text: string): number {
  let extra = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A pair of surrogates takes four bytes for two characters, which is one more for each.
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) extra += 2;
    else if (code >= 0x80) extra += 1;
  }
  return extra;
}
