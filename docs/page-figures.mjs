// `npm run figures`: loads pages of the built site and the showcase in Chromium (WYE_CHROMIUM) with nothing kept, and writes what
// each of them costs to docs/figures.md, with the date and the kind of machine.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { siteServer } from "./serve.mjs";

const turns = 5;
const pages = {
  site: ["/", "/start", "/pipelines/", "/pipelines/rules", "/relay/hosts", "/reference/relay-redis/"],
  showcase: [
    "/",
    "/pipelines/",
    "/pipelines/run/",
    "/pipelines/follow/",
    "/vehicles/",
    "/vehicles/api.html",
    "/relay/",
  ],
};

/** @param {string} path */
const inside = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const executablePath = process.env.WYE_CHROMIUM;
if (!executablePath) throw new Error("WYE_CHROMIUM must name a Chromium");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

/** One visit of somebody who was never there. The page is ready when it has loaded and its thread has nothing to do for half a second. */
async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let [bytes, requests] = [0, 0];
  session.on(
    "Network.requestWillBeSent",
    ({ request }) => (requests += request.url.startsWith("http") ? 1 : 0),
  );
  session.on("Network.dataReceived", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(() => {
    window.lastBusy = 0;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.lastBusy = startTime + duration;
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(address, { waitUntil: "load" });
  const readyMs = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const loaded = performance.getEntriesByType("navigation")[0].loadEventStart;
        const look = () => {
          const ready = Math.max(loaded, window.lastBusy);
          if (performance.now() - ready > 500) resolve(ready);
          else setTimeout(look, 50);
        };
        look();
      }),
  );
  const { metrics } = await session.send("Performance.getMetrics");
  const cpuMs = 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  await context.close();
  return { bytes, requests, readyMs, cpuMs };
}

async function rowOf(origin, path) {
  const visits = [];
  for (let turn = 0; turn < turns; turn++) visits.push(await visit(origin + path));
  const of = (key) => median(visits.map((one) => one[key]));
  return `| \`${path}\` | ${of("requests")} | ${Math.round(of("bytes") / 1000)} kB | ${Math.round(of("cpuMs"))} ms | ${Math.round(of("readyMs"))} ms |`;
}

const site = siteServer(inside("docs/.vitepress/dist"));
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const showcase = spawn(process.execPath, [inside("examples/showcase/dist/main.js")], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const address = await new Promise((resolve) => {
  showcase.stdout.setEncoding("utf8").on("data", (text) => resolve(/http:\S+(?=\/)/.exec(text)?.[0]));
});
const origins = { site: `http://127.0.0.1:${site.address().port}`, showcase: address };

const tables = { site: [], showcase: [] };
for (const [where, paths] of Object.entries(pages)) {
  for (const path of paths) tables[where].push(await rowOf(origins[where], path));
}
const version = browser.version().split(".")[0];
await browser.close();
showcase.kill("SIGTERM");
site.closeAllConnections();
site.close();

const heading = "| page | requests | bytes | CPU | ready after |\n|---|---:|---:|---:|---:|";
const file = inside("docs/figures.md");
const date = new Date().toLocaleDateString("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const load = loadavg()[1].toFixed(0);
const measured = `Measured on ${date}: Chromium ${version}, Node ${process.versions.node.split(".")[0]}, a shared machine with ${cpus().length} cores and a load of ${load}; median of ${turns} visits with nothing kept, from the same machine.`;
const start = "<!-- measured: npm run figures -->";
const [before] = readFileSync(file, "utf8").split(start);
writeFileSync(
  file,
  `${before}${start}\n\n${measured}\n\n### The site\n\n${heading}\n${tables.site.join("\n")}\n\n### The showcase\n\n${heading}\n${tables.showcase.join("\n")}\n`,
);
console.log(readFileSync(file, "utf8"));
