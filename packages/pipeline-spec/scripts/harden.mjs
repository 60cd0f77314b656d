// @ts-check
// ts-proto 2.18 stores map entries with `map[key] = value`, where the key `__proto__` would set the prototype of the
// map instead of an entry. All such places are rewritten, and generation fails when one is left.

/** One level of a Struct is three messages deep (Value, Struct, entry), and JSON may nest 100 levels. */
const maxDecodeDepth = 400;

/**
 * Makes a generated file fit for hostile input.
 *
 * @param {string} source
 * @param {string} setEntryPath  where the file imports `setEntry` from
 */
export function harden(source, setEntryPath) {
  const withNumbers = numericMaps(source);
  const lines = source.split("\n").map((line) => hardenLine(line, withNumbers));
  const hardened = lines
    .join("\n")
    // `create` would drop a constant that is null, which is a value.
    .replace(
      /(case "constant": \{\s*if \()(object\.\w+\?\.value !== undefined) && object\.\w+\?\.value !== null\)/g,
      "$1$2)",
    )
    .replace(/(previousRecursionDepth >= )100\b/g, `$1${maxDecodeDepth}`);
  const depths = hardened.match(/previousRecursionDepth >= \d+/g) ?? [];
  if (depths.length === 0 || depths.some((text) => !text.endsWith(` ${maxDecodeDepth}`))) {
    throw new Error("the generated code limits its depth in a way that is not known");
  }
  if (!hardened.includes("setEntry(")) return hardened;
  return hardened.replace(/^import \{ BinaryReader.*$/m, `$&\nimport { setEntry } from "${setEntryPath}";`);
}

/** Maps whose keys are numbers, which are harmless. */
function numericMaps(/** @type {string} */ source) {
  return new Set([...source.matchAll(/(\w+): \{ \[key: number\]/g)].map(([, name]) => `message.${name}`));
}

function hardenLine(/** @type {string} */ line, /** @type {Set<string>} */ withNumbers) {
  const [, indent, map = "", key = "", value] = /^(\s*)([\w.]+)\[(.+?)\] = (.+);$/.exec(line) ?? [];
  if (indent === undefined) {
    if (/\w\[.*\] = /.test(line))
      throw new Error(`the generated code writes an entry in an unknown way: ${line}`);
    return line;
  }
  if (withNumbers.has(map) || key === "globalThis.Number(key)") return line;
  return `${indent}setEntry(${map}, ${key}, ${value});`;
}
