const multiRegions: ReadonlySet<string> = new Set(["us", "eu"]);

/** Where Vertex AI answers for a location: a region, one of its parts of the earth, or `global`. */
export function vertexHost(location: string): string {
  if (location === "global") return "https://aiplatform.googleapis.com";
  if (multiRegions.has(location)) return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}
