import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyCertificate, tlsLines } from "../../test/certificate-files.js";
import { makeFolder } from "../../test/run-program.js";
import { loadConfig } from "./config/load-config.js";
import { followCertificate, readCredentials, tellChangedAuthorities } from "./credentials.js";

/** A folder with a pair, and the configuration of a relay there. */
async function folderWith(...lines: readonly string[]) {
  const cwd = makeFolder();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
  const { config } = await loadConfig({ cwd, file: "f", readText: async () => lines.join("\n") });
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const log = { debug() {}, info: print, warn: print, error: print, follow() {} };
  const textOf = (what: string) => readFileSync(join(cwd, `${what}.pem`), "utf8");
  return { cwd, config, log, printed, textOf };
}

const tls = ["[Main]", ...tlsLines];
const authorities = ["[Proxy]", "caCertFiles = certificate.pem"];

test("what a relay has of certificates is read where its configuration says so", async () => {
  const { cwd, config, textOf } = await folderWith(...tls, ...authorities);
  const [cert, key] = [textOf("certificate"), textOf("key")];
  expect(await readCredentials(config, cwd)).toEqual({ certificate: { cert, key }, authorities: [cert] });
});

test.each([
  ["without TLS", tls.map((line) => line.replace("= true", "= false"))],
  ["without its certificate", tls.filter((line) => !line.startsWith("tlsCert"))],
  ["without its key", tls.filter((line) => !line.startsWith("tlsKey"))],
])("%s there is nothing to read, and nothing to follow", async (_, lines) => {
  const { cwd, config, log, printed } = await folderWith(...lines);
  rmSync(join(cwd, "key.pem"));
  expect(await readCredentials(config, cwd)).toEqual({ certificate: undefined, authorities: [] });
  const watch = followCertificate({ config, cwd, first: undefined, log }, () => expect.unreachable());
  await watch.look();
  watch.close();
  expect(printed).toEqual([]);
});

test.each([
  ["key", tls, /^TLS: cannot read .*key\.pem: ENOENT/],
  ["certificate", tls, /^TLS: cannot read .*certificate\.pem: ENOENT/],
  [
    "certificate",
    authorities,
    /^Unable to create relay: cannot read the CA certificate file .*certificate\.pem: ENOENT/,
  ],
])("a relay without its %s does not start, and says what it was for", async (file, lines, message) => {
  const { cwd, config } = await folderWith(...lines);
  rmSync(join(cwd, `${file}.pem`));
  await expect(readCredentials(config, cwd)).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(message),
  });
});

test("a certificate that takes the place of the first is handed out and told, and what is wrong with one is told", async () => {
  const { cwd, config, log, printed, textOf } = await folderWith(...tls);
  const { certificate: first } = await readCredentials(config, cwd);
  const renewed: unknown[] = [];
  const watch = followCertificate({ config, cwd, first, log }, (next) => void renewed.push(next));
  await watch.look();
  copyCertificate(cwd, "second", "key");
  await watch.look();
  expect([renewed, printed]).toEqual([
    [],
    [expect.stringMatching(/^the certificate stays as it was: .* cannot be used with /)],
  ]);
  copyCertificate(cwd, "second", "certificate");
  await watch.look();
  watch.close();
  expect(renewed).toEqual([{ cert: textOf("certificate"), key: textOf("key") }]);
  expect(printed.slice(1)).toEqual(["the certificate was read again: new connections get the new one"]);
});

test("other authorities than at the start are told each time, and those that cannot be read are not", async () => {
  const { cwd, config, log, printed } = await folderWith(...authorities);
  const credentials = await readCredentials(config, cwd);
  const tell = async () => {
    await tellChangedAuthorities(credentials, { config, cwd, log });
    return printed.splice(0);
  };
  expect(await tell()).toEqual([]);
  writeFileSync(join(cwd, "certificate.pem"), "");
  expect(await tell()).toEqual([]);
  copyCertificate(cwd, "second", "certificate");
  const told = ["[Proxy] caCertFiles has other certificates in it; they need a restart"];
  expect(await tell()).toEqual(told);
  expect(await tell()).toEqual(told);
  copyCertificate(cwd, "first", "certificate");
  expect(await tell()).toEqual([]);
});

test("a relay that speaks TLS and has no certificate yet follows none", async () => {
  const { cwd, config, log, printed } = await folderWith(...tls);
  const watch = followCertificate({ config, cwd, first: undefined, log }, () => expect.unreachable());
  copyCertificate(cwd, "second", "key");
  await watch.look();
  watch.close();
  expect(printed).toEqual([]);
});

test("a certificate is looked at every ten seconds", async () => {
  const timers = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => timers.mockRestore());
  const { cwd, config, log } = await folderWith(...tls);
  const { certificate: first } = await readCredentials(config, cwd);
  followCertificate({ config, cwd, first, log }, () => expect.unreachable()).close();
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([10_000]);
});
