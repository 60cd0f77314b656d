import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** What is waited for comes when it comes: a test that waits in vain ends by its own limit. */
const patienceMs = 500_000;

/** Starts the Chromium that the environment names, for tests; it asks nobody for anything by itself. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.WYE_CHROMIUM;
  if (executablePath === undefined) throw new Error("WYE_CHROMIUM must name a Chromium; .ci/run sets it");
  const browser = await chromium.launch({
    executablePath,
    timeout: patienceMs,
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
  return browser.on("context", (context) => context.setDefaultTimeout(patienceMs));
}

/** The looks that every page is shown in, as options of a browser context. */
export const devices = [
  { name: "desktop-light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "desktop-dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "phone-light", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "phone-dark", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;

/** Collects what pages write to the console, and the errors that they do not catch: usually nothing. */
export function listenForComplaints(context: BrowserContext): readonly string[] {
  const complaints: string[] = [];
  context.on("console", (message) => complaints.push(message.text()));
  context.on("weberror", (error) => complaints.push(String(error.error())));
  return complaints;
}

/**
 * Waits for what a page does by itself: programs hear of another colour scheme two frames later, and what they change, or what is pointed at,
 * comes slowly. What is judged is what it comes to.
 */
export function comeToRest(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // A transition that ends may begin others, in what inherits from it.
    for (let frame = 0; frame < 5; frame++) {
      await new Promise(requestAnimationFrame);
      for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
    }
  });
}
