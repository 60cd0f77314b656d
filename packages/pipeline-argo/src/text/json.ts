/** What JSON can hold. */
export type Json = string | number | boolean | null | JsonArray | JsonObject;

/** A list of what JSON can hold. */
export type JsonArray = readonly Json[];

/** An object of what JSON can hold; members that are undefined are not there. */
export type JsonObject = { readonly [name: string]: Json | undefined };
