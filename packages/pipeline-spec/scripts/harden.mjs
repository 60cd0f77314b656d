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
  const hardened = source
    .replace(/^(\s*)(message\.\w+)\[(entry\d+)\.key\] = \3\.value;$/gm, "$1setEntry($2, $3.key, $3.value);")
    .replace(/^(\s*)acc\[key\] = (.+);$/gm, "$1setEntry(acc, key, $2);")
    .replace(/^(\s*)(struct\.fields|object)\[key\] = (.+);$/gm, "$1setEntry($2, key, $3);")
    .replace(/(previousRecursionDepth >= )100\b/g, `$1${maxDecodeDepth}`)
    // `create` would drop a constant that is null, which is a value.
    .replace(
      /(case "constant": \{\s*if \()(object\.value\?\.value !== undefined) && object\.value\?\.value !== null\)/g,
      "$1$2)",
    );
  const left = /^.*\w\[[^\]]*\] = .*$/m.exec(hardened);
  if (left)
    throw new Error(`the generated code writes an entry in a way that is not known to be safe: ${left[0]}`);
  const depths = hardened.match(/previousRecursionDepth >= \d+/g) ?? [];
  if (depths.length === 0 || depths.some((text) => !text.endsWith(` ${maxDecodeDepth}`))) {
    throw new Error("the generated code limits its depth in a way that is not known");
  }
  if (!hardened.includes("setEntry(")) return hardened;
  return hardened.replace(/^import \{ BinaryReader.*$/m, `$&\nimport { setEntry } from "${setEntryPath}";`);
}
