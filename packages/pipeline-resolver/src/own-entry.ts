/** The entry of a map whose keys are data: what every object inherits is not in it. */
export function ownEntry<T>(map: { readonly [key: string]: T } | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}
