// Writes src/gen/sha1-block.ts: the 80 rounds of SHA-1 one by one, with the sixteen words of the schedule in variables of
// their own. Written as loops over an array the same arithmetic takes twice as long (bench/sha1.bench.ts).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** The mixing function and constant of each twenty rounds. */
const phases = [
  ["(b & (c ^ d)) ^ d", "0x5a827999"],
  ["b ^ c ^ d", "0x6ed9eba1"],
  ["(b & c) | (d & (b | c))", "-0x70e44324"],
  ["b ^ c ^ d", "-0x359d3e2a"],
];

/**
 * Instead of moving five values along after each round, the rounds take turns with the names.
 * @param {string} code @param {number} round
 */
const turned = (code, round) =>
  code.replace(/\b[a-e]\b/g, (name) => "abcde"[("abcde".indexOf(name) + 4 * round) % 5] ?? name);

const rounds = Array.from({ length: 80 }, (_, round) => {
  const [mix, constant] = phases[Math.floor(round / 20)] ?? [];
  /** @param {number} back */
  const word = (back) => `w${(round - back) % 16}`;
  const extend = `t = ${word(3)} ^ ${word(8)} ^ ${word(14)} ^ ${word(16)};\n  ${word(16)} = (t << 1) | (t >>> 31);`;
  const lines = [
    ...(round < 16 ? [] : [extend]),
    turned(`e = (((a << 5) | (a >>> 27)) + (${mix}) + e + ${word(0)} + ${constant}) | 0;`, round),
    turned("b = (b << 30) | (b >>> 2);", round),
  ];
  return lines.map((line) => `  ${line}`).join("\n");
});

const source = `// Written by scripts/generate-sha1.mjs; change that and run \`npm run gen\`.

/** Takes the sixteen words of a block into the five chaining values. */
export function compress(state: Int32Array, words: Int32Array): void {
  let t = 0;
${Array.from({ length: 16 }, (_, i) => `  let w${i} = words[${i}] ?? 0;`).join("\n")}
${[..."abcde"].map((name, i) => `  let ${name} = state[${i}] ?? 0;`).join("\n")}
${rounds.join("\n")}
${[..."abcde"].map((name, i) => `  state[${i}] = (state[${i}] ?? 0) + ${name};`).join("\n")}
}
`;

const file = new URL("../src/gen/sha1-block.ts", import.meta.url);
if (!process.argv.includes("--check")) {
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, source);
} else if (readFileSync(file, "utf8") !== source) {
  console.error("src/gen/sha1-block.ts is not what scripts/generate-sha1.mjs writes: run `npm run gen`");
  process.exitCode = 1;
}
