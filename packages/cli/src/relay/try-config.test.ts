import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { copyCertificate } from "../../test/certificate-files.js";
import { makeFolder } from "../../test/run-program.js";
import { readConfig } from "./config/load-config.js";
import { type Trial, tryConfig } from "./try-config.js";

/** What shows when a configuration is used in a folder: one that has a pair, the key of another, and some files. */
async function tried(text: string, trial: Partial<Trial> = {}): Promise<readonly string[]> {
  const cwd = makeFolder();
  copyCertificate(cwd, "second", "key");
  for (const [name, contents] of Object.entries({
    "other.pem": "nothing",
    "flags.json": '{"flagValues":{"a":true}}',
    "named.json": '{"environments":{"e":{"sdkKey":"k"}},"flagValues":{"a":true}}',
  }))
    writeFileSync(join(cwd, name), contents);
  copyCertificate(cwd, "first", "certificate");
  const { config } = readConfig({ file: { text, name: "f" } }, didYouMean);
  const problems = await tryConfig(config, { cwd, env: {}, isDev: false, isWorker: false, ...trial });
  return problems.map(({ at = "nowhere", message }) => `${at}: ${message.replaceAll(`${cwd}/`, "")}`);
}

const environment = (name: string, ...lines: readonly string[]) =>
  `[Environment "${name}"]\nsdkKey = sdk-${name}\n${lines.map((line) => `${line}\n`).join("")}`;
const tls = (cert: string, key: string) =>
  `${environment("a")}[Main]\ntlsEnabled = true\ntlsCert = ${cert}\ntlsKey = ${key}\n`;

test.each<[cert: string, key: string, ...said: RegExp[]]>([
  ["none.pem", "key.pem", /^f:5: cannot read none\.pem: ENOENT/],
  ["certificate.pem", "none.pem", /^f:6: cannot read none\.pem: ENOENT/],
  ["none.pem", "void.pem", /^f:5: cannot read none\.pem/, /^f:6: cannot read void\.pem/],
  ["other.pem", "key.pem", /^f:5: other\.pem has no certificate$/],
  ["certificate.pem", "other.pem", /^f:6: other\.pem has no private key$/],
  [
    "certificate.pem",
    "key.pem",
    /^f:5, f:6: the certificate certificate\.pem cannot be used with key\.pem: /,
  ],
])("certificate %s with key %s", async (cert, key, ...said) => {
  expect(await tried(tls(cert, key))).toEqual(said.map((one) => expect.stringMatching(one)));
  // A worker is given them by whoever has tried them.
  expect(await tried(tls(cert, key), { isWorker: true })).toEqual([]);
  expect(await tried(tls(cert, key).replace("true", "false"))).toEqual([]);
});

test("further authorities are read each, but by workers", async () => {
  const text = `${environment("a")}[Proxy]\ncaCertFiles = none.pem, other.pem ,certificate.pem\n`;
  expect(await tried(text)).toEqual([
    expect.stringMatching(/^f:4: cannot read the CA certificate file none\.pem: ENOENT/),
    "f:4: the CA certificate file other.pem has no certificate in it",
  ]);
  expect(await tried(text, { isWorker: true })).toEqual([]);
});

test("a proxy that is none is told where it stands", async () => {
  const proxy = "is not the address of a proxy, such as http://proxy.example:3128";
  const env = { HTTPS_PROXY: "http://" };
  expect(await tried(environment("a"), { env })).toEqual([`nowhere: HTTPS_PROXY ${proxy}`]);
  expect(await tried(`${environment("a")}[Proxy]\nurl = http://p:1\n`, { env })).toEqual([]);
});

test("a file of flags is read, but by workers", async () => {
  const offline = (name: string) => `[OfflineMode]\nfileDataSource = ${name}\n`;
  expect(await tried(offline("named.json"))).toEqual([]);
  expect(await tried(offline("none.json"))).toEqual([expect.stringMatching(/none\.json/)]);
  expect(await tried(offline("none.json"), { isWorker: true })).toEqual([]);
  expect(await tried(offline("flags.json"))).toEqual([expect.stringMatching(/names no environments/)]);
  expect(await tried(offline("flags.json"), { isDev: true })).toEqual([]);
});

test("a mistake of the program is none of the configuration", async () => {
  const offline = "[OfflineMode]\nfileDataSource = named.json\n";
  await expect(tried(offline, { cwd: 0 as never })).rejects.toThrow(TypeError);
});

test("what the relay refuses is told where it was set", async () => {
  const same = environment("a") + environment("b").replace("sdk-b", "sdk-a");
  expect(await tried(same)).toEqual(['f:2, f:4: environments "a" and "b" have the same sdkKey']);
  const ids = environment("a", "envId = x") + environment("b", "envId = x", "mobileKey = m");
  expect(await tried(ids)).toEqual(['f:3, f:6: environments "a" and "b" have the same envId']);
});

test("places of flags that others have, or that are none, are told with all else", async () => {
  const redis = "[Redis]\nhost = h\n";
  const two = environment("a", "prefix = p") + environment("b", "prefix = p");
  expect(await tried(redis + two)).toEqual([expect.stringMatching(/^f:8: "b" and "a" would overwrite /)]);
  const consul = "[Consul]\nhost = h\n";
  expect(await tried(consul + environment("a", "prefix = p//") + environment("b", "prefix = q//"))).toEqual([
    expect.stringMatching(/^f:5: "a" cannot be kept: consulStore: prefix must/),
    expect.stringMatching(/^f:8: "b" cannot be kept: consulStore: prefix must/),
  ]);
  // Of those that are missing, and of what could not be read whole, nothing more is said.
  expect(await tried(redis + environment("a") + environment("b"))).toEqual([]);
  expect(await tried(`${redis}${two}[Main\n`)).toEqual([]);
});
