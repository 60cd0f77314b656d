/** `map[key] = value` for keys that are data: `__proto__` becomes an entry like any other. */
export function setEntry<T>(map: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[key] = value;
  }
}
