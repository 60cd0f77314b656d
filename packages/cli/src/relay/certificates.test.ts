import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyCertificate } from "../../test/certificate-files.js";
import { makeFolder } from "../../test/run-program.js";
import { type Certificate, readCertificate, watchCertificate } from "./certificates.js";

/** A folder with a pair, and where its files are. */
function folderWith(pair: "first" | "second") {
  const cwd = makeFolder();
  copyCertificate(cwd, pair, "certificate");
  copyCertificate(cwd, pair, "key");
  return { cwd, files: { cert: join(cwd, "certificate.pem"), key: join(cwd, "key.pem") } };
}

test("a certificate comes with its key", async () => {
  const { files } = folderWith("first");
  expect(await readCertificate(files)).toEqual({
    cert: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
    key: expect.stringMatching(/^-----BEGIN (EC )?PRIVATE KEY-----/),
  });
});

test.each<[what: string, spoil: (cwd: string) => void, message: RegExp]>([
  [
    "no certificate",
    (cwd) => rmSync(join(cwd, "certificate.pem")),
    /^cannot read .*certificate\.pem: ENOENT/,
  ],
  ["no key", (cwd) => rmSync(join(cwd, "key.pem")), /^cannot read .*key\.pem: ENOENT/],
  ["neither", (cwd) => rmSync(cwd, { recursive: true }), /^cannot read .*certificate\.pem: ENOENT/],
  [
    "an empty certificate",
    (cwd) => writeFileSync(join(cwd, "certificate.pem"), ""),
    /certificate\.pem has no certificate$/,
  ],
  ["an empty key", (cwd) => writeFileSync(join(cwd, "key.pem"), ""), /key\.pem has no private key$/],
  [
    "a key in the place of the certificate",
    (cwd) => writeFileSync(join(cwd, "certificate.pem"), "-----BEGIN PRIVATE KEY-----"),
    /certificate\.pem has no certificate$/,
  ],
  [
    "a certificate in the place of the key",
    (cwd) => writeFileSync(join(cwd, "key.pem"), "-----BEGIN CERTIFICATE-----"),
    /key\.pem has no private key$/,
  ],
  [
    "the key of another",
    (cwd) => copyCertificate(cwd, "second", "key"),
    /^the certificate .*certificate\.pem cannot be used with .*key\.pem: /,
  ],
  [
    "a certificate that is none",
    (cwd) => writeFileSync(join(cwd, "certificate.pem"), "-----BEGIN TRUSTED CERTIFICATE-----\nx\n"),
    /^the certificate .*certificate\.pem cannot be used with .*key\.pem: /,
  ],
])("%s is told with the file", async (_, spoil, message) => {
  const { cwd, files } = folderWith("first");
  spoil(cwd);
  await expect(readCertificate(files)).rejects.toThrow(message);
});

/** Looks at a pair when it is told to, or when time goes by. */
async function watched(everyMs = 1_000_000) {
  const { cwd, files } = folderWith("first");
  const told: (string | Certificate)[] = [];
  const watch = watchCertificate(files, {
    first: await readCertificate(files),
    everyMs,
    renewed: (certificate) => void told.push(certificate),
    failed: (message) => void told.push(message),
  });
  onTestFinished(() => watch.close());
  const look = async () => {
    await watch.look();
    return told.splice(0);
  };
  return { cwd, files, watch, told, look };
}

test("another certificate is handed out once, when its key is there too", async () => {
  const { cwd, files, look } = await watched();
  expect(await look()).toEqual([]);
  copyCertificate(cwd, "second", "certificate");
  expect(await look()).toEqual([expect.stringMatching(/cannot be used with/)]);
  expect(await look()).toEqual([]);
  copyCertificate(cwd, "second", "key");
  const second = await readCertificate(files);
  expect(await look()).toEqual([second]);
  expect(await look()).toEqual([]);
});

test("what is in the way is told once, and again when it was gone meanwhile or is something else", async () => {
  const { cwd, look } = await watched();
  const spoil = () => writeFileSync(join(cwd, "key.pem"), "");
  const none = [expect.stringMatching(/has no private key$/)];
  spoil();
  expect(await look()).toEqual(none);
  expect(await look()).toEqual([]);
  rmSync(join(cwd, "key.pem"));
  expect(await look()).toEqual([expect.stringMatching(/ENOENT/)]);
  spoil();
  expect(await look()).toEqual(none);
  copyCertificate(cwd, "first", "key");
  expect(await look()).toEqual([]);
  spoil();
  expect(await look()).toEqual(none);
});

test("another key alone is another certificate", async () => {
  const { files, look } = await watched();
  const { key } = await readCertificate(files);
  writeFileSync(files.key, `${key}\n`);
  expect(await look()).toEqual([expect.objectContaining({ key: `${key}\n` })]);
});

test("one look at a time is enough for all who ask", async () => {
  const { cwd, watch, told } = await watched();
  copyCertificate(cwd, "second", "certificate");
  const looks = [watch.look(), watch.look()];
  expect(looks[0]).toBe(looks[1]);
  await Promise.all(looks);
  expect(told).toHaveLength(1);
  expect(watch.look()).not.toBe(looks[0]);
});

test("it looks now and then, until it is closed", async () => {
  const timers = { set: vi.spyOn(globalThis, "setInterval"), clear: vi.spyOn(globalThis, "clearInterval") };
  onTestFinished(() => {
    for (const one of Object.values(timers)) one.mockRestore();
  });
  const { cwd, watch, told } = await watched(1);
  copyCertificate(cwd, "second", "certificate");
  await expect.poll(() => told).toHaveLength(1);
  const timer: NodeJS.Timeout = timers.set.mock.results[0]?.value;
  expect([timers.set.mock.calls[0]?.[1], timer.hasRef()]).toEqual([1, false]);
  expect(timers.clear).not.toHaveBeenCalledWith(timer);
  watch.close();
  expect(timers.clear).toHaveBeenCalledWith(timer);
});
