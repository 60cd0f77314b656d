/** A parsed semantic version; digits stay text, so that no number is too large. Build metadata is not kept. */
export interface Version {
  /** Major, minor and patch. */
  readonly core: readonly [string, string, string];
  /** The identifiers of the pre-release; empty for a release. */
  readonly prerelease: readonly string[];
}

const VERSION =
  /^(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const DIGITS = /^\d+$/;

/** Reads a version by the rules of semver 2.0.0, except that minor and patch may be missing: `2`, `2.1`, `2-rc1`. */
export function parseVersion(text: string): Version | undefined {
  const found = VERSION.exec(text);
  if (found === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", prerelease, build] = found;
  const identifiers = prerelease === undefined ? [] : prerelease.split(".");
  if (identifiers.includes("") || identifiers.some(hasLeadingZero)) return undefined;
  if (build?.split(".").includes("")) return undefined;
  return { core: [major, minor, patch], prerelease: identifiers };
}

/** Orders versions by precedence: negative when `a` comes first, 0 when neither does. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.core[0], b.core[0]) ||
    compareNumbers(a.core[1], b.core[1]) ||
    compareNumbers(a.core[2], b.core[2]) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

const hasLeadingZero = (identifier: string): boolean => /^0\d+$/.test(identifier);

/** Numbers without leading zeros: the longer one is greater. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const aIsNumber = DIGITS.test(a);
  if (aIsNumber !== DIGITS.test(b)) return aIsNumber ? -1 : 1;
  return aIsNumber ? compareNumbers(a, b) : compareTexts(a, b);
}
