/** All flags: one, which greets. */
export function greeting(text: string, version: number): string {
  const flag = {
    key: "greeting",
    version,
    on: true,
    prerequisites: [],
    targets: [],
    rules: [],
    fallthrough: { variation: 0 },
    offVariation: 0,
    variations: [text],
    salt: "greeting",
  };
  return JSON.stringify({ flags: { greeting: flag }, segments: {} });
}
