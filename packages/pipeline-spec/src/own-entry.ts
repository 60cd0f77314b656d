/** The entry of a map of a specification; names such as `constructor` are data, not inherited. */
export function ownEntry<T>(map: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return map !== undefined && map !== null && Object.hasOwn(map, name) ? map[name] : undefined;
}
