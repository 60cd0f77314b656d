import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCertificate, subjectAt, tlsLines } from "./certificate-files.js";
import { eventually, fakeUpstream, mainSection, writeConfig } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import { type Crew, replaceOne, startWorkers } from "./start-workers.js";

/** Two workers that speak TLS, and believe an authority whose file is that of their own certificate. */
async function startTwo() {
  const upstream = await fakeUpstream("sdk-a");
  const cwd = makeFolder();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
  const trust = "[Proxy]\ncaCertFiles = certificate.pem\n";
  writeConfig(cwd, `${mainSection(upstream, ...tlsLines)}${trust}[Environment "a"]\nsdkKey = sdk-a\n`);
  return { cwd, crew: await startWorkers(cwd, "--config", "relay.conf", "--workers", "2") };
}

/** Which certificates are seen on many new connections, which go to all workers in turn. */
async function subjectsOf({ base }: Crew): Promise<readonly string[]> {
  const seen = await Promise.all(Array.from({ length: 12 }, () => subjectAt(base)));
  return [...new Set(seen)];
}

/** Waits until all workers have this certificate. */
const everywhere = (crew: Crew, subject: string) =>
  eventually(
    () => subjectsOf(crew),
    (seen) => seen.length === 1 && seen[0] === subject,
  );

test("a worker that takes the place of another has the certificate of the others while a new one is put there", async () => {
  const { cwd, crew } = await startTwo();
  await everywhere(crew, "first.example");
  // The key is still to come.
  copyCertificate(cwd, "second", "certificate");
  await replaceOne(crew);
  await everywhere(crew, "first.example");
  copyCertificate(cwd, "second", "key");
  crew.child.kill("SIGHUP");
  await everywhere(crew, "second.example");
  // The authority is in the same file, which is read once more for it.
  await crew.until(/WARN: \[Proxy\] caCertFiles has other certificates in it; they need a restart/);
  for (const what of ["certificate", "key"]) rmSync(join(cwd, `${what}.pem`));
  await replaceOne(crew);
  await everywhere(crew, "second.example");
  expect(crew.printed().match(/the certificate was read again/g)).toHaveLength(1);
});
