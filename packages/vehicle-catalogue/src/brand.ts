import type { SchemaValue } from "./schema.js";

/** Every attribute of a brand, as JSON Schema. */
export const brandAttributes = {
  name: { type: "string", description: "Name of the brand.", minLength: 1, maxLength: 200 },
} as const;

/** The attributes of a brand as they stand on the wire. */
export type BrandAttributes = {
  readonly [Name in keyof typeof brandAttributes]: SchemaValue<(typeof brandAttributes)[Name]>;
};

/** What `fields[vehicle_brand]` may list. */
export type BrandAttributeName = keyof BrandAttributes;

/** A manufacturer. Ids are opaque: most are UUIDs, not all of them are valid ones. */
export interface Brand extends BrandAttributes {
  readonly id: string;
}
