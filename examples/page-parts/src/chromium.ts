import { type Browser, chromium } from "playwright-core";

/** Starts the Chromium that the environment names, for tests; it asks nobody for anything by itself. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.WYE_CHROMIUM;
  if (executablePath === undefined) throw new Error("WYE_CHROMIUM must name a Chromium; .ci/run sets it");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
