import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Vehicle } from "@wye/vehicle-catalogue";
import { catalogueFromOpenEvData } from "@wye/vehicle-catalogue/server";
import { launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createVehicleBrowser } from "../src/vehicle-browser.js";

/** The page in Chromium, for the tests of a file. */
export interface RealPage {
  readonly vehicles: readonly Vehicle[];
  /** Opens the page, and fails at the end if anything was written to the console. */
  onPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>, hash?: string): Promise<void>;
  /** A page that is not opened yet. */
  newPage(): Promise<Page>;
  readonly address: string;
}

/** Serves the page as it was built, and starts a browser before the tests. */
export function realPage(): RealPage {
  const catalogue = catalogueFromOpenEvData(
    JSON.parse(readFileSync(new URL("../data/ev-data.json", import.meta.url), "utf8")),
  );
  let server: Server | undefined;
  let browser: Browser | undefined;
  let address = "";
  beforeAll(async () => {
    const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
    const browse = createVehicleBrowser({ catalogue, publicFolder, prefix: "/cars" });
    const made = createServer((request, response) =>
      browse(request, response, () => response.writeHead(404).end()),
    );
    server = made;
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(made.address() as AddressInfo).port}/cars/`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  const open = async (options: BrowserContextOptions): Promise<Page> => {
    if (browser === undefined) throw new Error("the browser is not started yet");
    return browser.newPage(options);
  };
  return {
    vehicles: catalogue.vehicles(),
    get address() {
      return address;
    },
    newPage: () => open({}),
    async onPage(options, use, hash = "") {
      const page = await open(options);
      const complaints = listenForComplaints(page.context());
      await page.goto(address + hash);
      await page.locator("[role=option]").first().waitFor();
      await use(page);
      expect(complaints).toEqual([]);
      await page.close();
    },
  };
}

/** The titles that are listed. */
export const titles = (page: Page): Promise<string[]> =>
  page.locator("[role=option] .title").allTextContents();

export const firstTitle = (page: Page, text: string): Promise<void> =>
  page.locator("[role=option] .title").first().filter({ hasText: text }).waitFor();

/** Waits until the line above the list says exactly this. */
export const counted = (page: Page, text: string): Promise<void> =>
  page
    .locator("#count")
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor();

/** Waits until these vehicles are shown. */
export const shows = (page: Page, ...ids: readonly (string | undefined)[]): Promise<void> =>
  page.locator(`#detail[data-shown="${ids.join(" ")}"]`).waitFor();

/** Two vehicles with measured curves of their own. */
export function measuredPair(vehicles: readonly Vehicle[]): readonly [Vehicle, Vehicle] {
  const [one, other] = vehicles.filter(
    (vehicle) => !vehicle.dc_default_charging_curve && vehicle.dc_charging_curve.length > 3,
  );
  return [one!, other!];
}
