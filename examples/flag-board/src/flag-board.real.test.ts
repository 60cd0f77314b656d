import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { RelayStatus } from "@wye/relay";
import { devices, launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFlagBoard, type FlagBoard } from "./flag-board.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
let board: FlagBoard;
let server: Server;
let address: string;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  server = createServer((request, response) =>
    board.handler(request, response, () => response.writeHead(404).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/relay/`;
  browser = await launchChromium();
});
beforeEach(() => {
  board = createFlagBoard({ publicFolder, prefix: "/relay" });
  return () => board.close();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Opens the page until the SDK is connected; at the end fails if anything was written to the console or asked elsewhere. */
async function onBoard(
  options: BrowserContextOptions,
  use: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const complaints = listenForComplaints(context);
  const elsewhere: string[] = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(address)) elsewhere.push(request.url());
  });
  await use(await opened(context), context);
  await context.close();
  expect(complaints).toEqual([]);
  expect(elsewhere).toEqual([]);
}

async function opened(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.locator("html[data-ready=complete]").waitFor();
  return page;
}

const card = (page: Page, key: string): Locator => page.getByRole("article", { name: key });
const row = (page: Page, key: string): Locator => page.locator(`tr[data-key="${key}"]`);
const banner = (page: Page, text: string): Promise<void> =>
  page.locator("#banner").filter({ hasText: text }).waitFor();
const logged = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator("#log li").filter({ hasText: text }).first().waitFor();
const buyButton = (page: Page, name: string): Locator => page.locator("#buy").getByRole("button", { name });

for (const { name, ...device } of devices) {
  test(`a switch flips the shop live on ${name}`, async () => {
    await onBoard(device, async (page) => {
      await page.locator("#delivery").filter({ hasText: "free from € 50" }).waitFor();
      await page.getByRole("switch", { name: "free-delivery-from is on" }).click();
      await page.locator("#delivery").filter({ hasText: "free from € 25" }).waitFor();
      await logged(page, /free-delivery-from: 50 → 25\d+ ms after the edit/);
      await row(page, "free-delivery-from").getByRole("button", { name: "everybody else" }).waitFor();
      await page.locator("#environments article").first().waitFor();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });
    });
  });
}

test("on a phone the shop is in sight wherever a flag is flipped, and covers none", async () => {
  await onBoard({ viewport: { width: 390, height: 844 } }, async (page) => {
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: -1, width: 0, height: 0 };
    const switches = await page.getByRole("switch").all();
    expect(switches.length).toBe(4);
    for (const one of switches) {
      await one.focus();
      const [flip, shop] = [await boxOf(one), await boxOf(page.locator("#shop"))];
      expect(shop.y).toBeGreaterThanOrEqual(0);
      expect(shop.y + shop.height).toBeLessThanOrEqual(Math.min(flip.y, 844));
      expect(flip.y + flip.height).toBeLessThanOrEqual(844);
    }
    await page.screenshot({ path: `${screenshots}phone-in-use.png` });
  });
});

describe("the flags", () => {
  test("what everybody gets is chosen, and the SDK says why", async () => {
    await onBoard({}, async (page) => {
      await banner(page, "Welcome to the tea shop");
      await card(page, "banner")
        .getByLabel("Everybody else gets")
        .selectOption({ label: "Everything 20 % off today" });
      await banner(page, "Everything 20 % off today");
      await card(page, "banner")
        .locator(".now")
        .filter({ hasText: "alice gets Everything 20 % off today" })
        .waitFor();
      await expect
        .poll(() => row(page, "banner").locator("td").allTextContents())
        .toEqual(['"Everything 20 % off today"', "1", "everybody else"]);
    });
  });

  test("the slider moves visitors from one variation to the other while it moves", async () => {
    await onBoard({}, async (page) => {
      const slider = card(page, "button-colour").getByRole("slider");
      await slider.fill("0");
      await page.locator(".buy.violet").waitFor();
      await slider.fill("100");
      await page.locator(".buy.green").waitFor();
      await slider.press("ArrowLeft");
      await expect
        .poll(() => card(page, "button-colour").locator("output").allTextContents())
        .toEqual(["99 %", "1 %"]);
      await card(page, "button-colour")
        .getByLabel("first variation of the split")
        .selectOption({ label: "amber" });
      await page.locator(".buy.amber").waitFor();
    });
  });

  test("a rule is written, changed and taken away", async () => {
    await onBoard({}, async (page) => {
      const flag = card(page, "free-delivery-from");
      await flag.getByRole("switch").click();
      await flag.getByRole("checkbox", { name: "A rule for some" }).check();
      await flag.getByLabel("attribute of the rule").selectOption("country");
      await flag.getByLabel("values of the rule").fill("fr, de");
      await flag.getByLabel("values of the rule").press("Enter");
      await page
        .locator("#delivery")
        .filter({ hasText: /^Free delivery$/ })
        .waitFor();
      await row(page, "free-delivery-from").getByRole("button", { name: "rule 1 (of-the-board)" }).click();
      await page
        .locator("#steps-free-delivery-from")
        .filter({ hasText: 'user country in ["fr","de"]' })
        .waitFor();
      await flag.getByRole("checkbox", { name: "A rule for some" }).uncheck();
      await page.locator("#delivery").filter({ hasText: "free from € 25" }).waitFor();
    });
  });

  test("the JSON is edited; a mistake is named with its place, and the cursor goes there", async () => {
    await onBoard({}, async (page) => {
      const flag = card(page, "banner");
      await flag.getByText("JSON", { exact: true }).click();
      const area = flag.getByRole("textbox", { name: "All of banner" });
      const text = await area.inputValue();
      const save = flag.getByRole("button", { name: "Save" });
      expect(await save.isDisabled()).toBe(true);

      await area.fill('{\n  "key": "banner",\n  "on": tru\n}');
      await save.click();
      const alert = flag.getByRole("alert");
      await expect.poll(() => alert.textContent()).toContain('Line 3, column 9: expected a value, got "t"');
      await alert.getByRole("button", { name: "Line 3, column 9" }).click();
      const cursor = await area.evaluate((element) =>
        element instanceof HTMLTextAreaElement && element === document.activeElement
          ? element.value.slice(element.selectionStart, element.selectionStart + 3)
          : "not there",
      );
      expect(cursor).toBe("tru");

      await area.fill(text.replace('"variation": 2', '"variation": 9'));
      await save.click();
      await alert
        .filter({ hasText: "/rules/0/variation: there is no variation 9; the last one is 2" })
        .waitFor();
      await banner(page, "Welcome to the tea shop");

      await area.fill(text.replace("Welcome to the tea shop", "<b>Tea & biscuits</b>"));
      await save.click();
      await banner(page, "<b>Tea & biscuits</b>");
      expect(await alert.textContent()).toBe("");
      await expect.poll(() => area.inputValue()).toContain('"version": 2');
      expect(await page.locator("#banner b").count()).toBe(0);

      await area.fill("nonsense");
      await flag.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => area.inputValue()).toContain("Tea & biscuits");
    });
  });

  test("everything is reset", async () => {
    await onBoard({}, async (page) => {
      await card(page, "express-checkout").getByLabel("Everybody else gets").selectOption({ label: "true" });
      await buyButton(page, "Buy now").waitFor();
      await page.getByRole("button", { name: "Reset all" }).click();
      await buyButton(page, "Buy now").waitFor({ state: "detached" });
      await logged(page, /express-checkout: true → false\d+ ms after the edit/);
      await expect
        .poll(() => card(page, "express-checkout").getByLabel("Everybody else gets").inputValue())
        .toBe("1");
    });
  });

  test("the keyboard alone is enough", async () => {
    await onBoard({}, async (page) => {
      await page.getByRole("button", { name: "Reset all" }).focus();
      await page.keyboard.press("Tab");
      await page
        .getByRole("switch", { name: "express-checkout is on" })
        .and(page.locator(":focus"))
        .waitFor();
      await page.keyboard.press("Space");
      await row(page, "express-checkout").getByRole("button", { name: "the flag is off" }).waitFor();
      await expect
        .poll(() => page.getByRole("switch", { name: "express-checkout is on" }).isChecked())
        .toBe(false);
    });
  });
});

test("a file of one's own is shown, also flags that browsers do not see, and the shop goes on without its flags", async () => {
  const flag = { version: 1, on: true, variations: [{ seats: 4 }, null], fallthrough: { variation: 0 } };
  const flags = {
    "for-pages": { ...flag, key: "for-pages", clientSideAvailability: { usingEnvironmentId: true } },
    "for-servers": { ...flag, key: "for-servers" },
  };
  await board.close();
  board = createFlagBoard({ publicFolder, prefix: "/relay", flags: JSON.stringify({ flags }) });
  await onBoard({}, async (page) => {
    await expect
      .poll(() => row(page, "for-pages").locator("td").allTextContents())
      .toEqual(['{"seats":4}', "0", "everybody else"]);
    await expect
      .poll(() => row(page, "for-servers").locator("td").allTextContents())
      .toEqual(["not for browsers", "–", "no value"]);
    await buyButton(page, "Add to basket").waitFor();
    await page.getByRole("switch", { name: "for-pages is on" }).click();
    await row(page, "for-pages").getByRole("button", { name: "the flag is off" }).waitFor();
    expect(await page.locator("#log").textContent()).not.toContain("The SDK says");
  });
});

describe("the visitor", () => {
  test("another plan and another country mean other flags", async () => {
    await onBoard({}, async (page) => {
      expect(await buyButton(page, "Buy now").count()).toBe(0);
      await page.getByLabel("Plan").selectOption("pro");
      await buyButton(page, "Buy now").waitFor();
      await row(page, "express-checkout")
        .getByRole("button", { name: "rule 1 (paying-customers)" })
        .waitFor();
      await page.getByLabel("Country").selectOption("ch");
      await banner(page, "New: first flush Darjeeling");
      await logged(page, "Now visiting: alice, plan pro, country ch");
      await logged(page, "banner: Welcome to the tea shop → New: first flush Darjeeling");
      // A flip still arrives: the stream is that of the new visitor.
      await card(page, "banner").getByRole("checkbox", { name: "A rule for some" }).uncheck();
      await banner(page, "Welcome to the tea shop");
    });
  });

  test("half of all others see the other button", async () => {
    await onBoard({}, async (page) => {
      const seen = new Set<string | null>();
      for (let visitor = 0; visitor < 60 && seen.size < 2; visitor++) {
        const key = `somebody-${visitor}`;
        await page.getByLabel("Visitor", { exact: true }).fill(key);
        await page.getByLabel("Visitor", { exact: true }).press("Enter");
        await card(page, "button-colour")
          .locator(".now")
          .filter({ hasText: `${key} gets` })
          .waitFor();
        seen.add(await page.locator("#buy button").first().getAttribute("class"));
      }
      expect([...seen].sort()).toEqual(["buy green", "buy violet"]);
      await page.getByRole("button", { name: "Somebody else" }).click();
      await logged(page, /Now visiting: visitor-\d+/);
    });
  });

  test("what the visitor does reaches the relay as an event", async () => {
    await onBoard({}, async (page) => {
      const posted = page.waitForRequest((request) => (request.postData() ?? "").includes('"bought"'));
      await buyButton(page, "Add to basket").click();
      const response = await (await posted).response();
      expect(response?.status()).toBe(202);
      await page.getByText("Thank you.").waitFor();
    });
  });
});

test("two pages that are open at once both flip, and both show the edit", async () => {
  await onBoard({}, async (first, context) => {
    const second = await opened(context);
    await card(first, "banner")
      .getByLabel("Everybody else gets")
      .selectOption({ label: "Everything 20 % off today" });
    await Promise.all([first, second].map((page) => banner(page, "Everything 20 % off today")));
    await logged(second, "banner: Welcome to the tea shop → Everything 20 % off today, edited elsewhere");
    const elsewhere = card(second, "banner").getByLabel("Everybody else gets");
    await second.waitForFunction(
      (select) => select instanceof HTMLSelectElement && select.value === "1",
      await elsewhere.elementHandle(),
    );
    // And the other way round, from the version that the first page has left.
    await card(second, "banner").getByRole("switch").click();
    await Promise.all([first, second].map((page) => banner(page, "Welcome to the tea shop")));
    await first.getByRole("switch", { name: "banner is on", checked: false }).waitFor();
    const streams = first.locator("#environments dl > div").filter({ hasText: "Open streams" });
    await streams.filter({ hasText: /2$/ }).waitFor();
  });
});

describe("the status", () => {
  test("is drawn as the document says, and updated after edits", async () => {
    await onBoard({}, async (page) => {
      const overall = page.locator("#overall");
      await overall.filter({ hasText: "Healthy" }).waitFor();
      const section = page.getByRole("region", { name: "Status of the relay" });
      const environment = section.locator("article").first();
      await expect.poll(() => environment.getAttribute("data-state")).toBe("VALID");
      await expect.poll(() => environment.locator("h3").textContent()).toBe("Environment demo");
      await expect
        .poll(() => environment.locator(".verdict").textContent())
        .toBe("ConnectedFlags arrive from their source.");
      await expect
        .poll(() => environment.locator("dd").allTextContents())
        .toEqual(
          expect.arrayContaining(["****-***-key", "****-*****e-key", "demo-environment", "valid, in memory"]),
        );
      await section.getByText("1 (0 edits since the start)").waitFor();
      await page.getByRole("switch", { name: "banner is on" }).click();
      await section.getByText("2 (1 edit since the start)").waitFor();
      await section.getByText("The document").click();
      const document = JSON.parse((await page.locator("#status-json").textContent()) ?? "") as RelayStatus;
      expect(document).toMatchObject({ status: "healthy", environments: { demo: { status: "connected" } } });
    });
  });

  const states = [
    { state: "INTERRUPTED", title: "Interrupted", sign: "trouble" },
    { state: "OFF", title: "Off", sign: "failed" },
    { state: "INITIALIZING", title: "Starting", sign: "waiting" },
  ];
  for (const { state, title, sign } of states) {
    test(`${state} is drawn with words and a sign of its own`, async () => {
      await onBoard({}, async (page) => {
        await page.route("**/relay/status", async (route) => {
          const response = await route.fetch();
          const document = (await response.json()) as RelayStatus;
          const demo = document.environments.demo;
          await route.fulfill({
            json: {
              ...document,
              status: "degraded",
              environments: {
                demo: {
                  ...demo,
                  connectionStatus: { state, stateSince: 0, lastError: { kind: "NETWORK_ERROR", time: 0 } },
                },
              },
            },
          });
        });
        await page.getByRole("switch", { name: "banner is on" }).click();
        await page.locator("#overall").filter({ hasText: "Degraded" }).waitFor();
        const verdict = page.locator("#environments .verdict");
        await verdict.filter({ hasText: title }).waitFor();
        await expect.poll(() => verdict.locator(`.sign.${sign}`).count()).toBe(1);
        await page
          .locator("#environments")
          .getByText(/^NETWORK_ERROR, /)
          .waitFor();
        await page.locator("#status").screenshot({ path: `${screenshots}status-${sign}.png` });
      });
    });
  }
});

test("says so when the server is gone, and goes on when it is back", async () => {
  const context = await browser.newContext();
  const page = await opened(context);
  await context.setOffline(true);
  await page.getByRole("switch", { name: "banner is on" }).click();
  await card(page, "banner").getByRole("alert").filter({ hasText: "the server does not answer" }).waitFor();
  await page.locator("#overall").filter({ hasText: "No answer" }).waitFor();
  await page.getByRole("switch", { name: "banner is on", checked: true }).waitFor();
  await context.setOffline(false);
  await page.getByRole("switch", { name: "banner is on" }).click();
  await page.getByRole("switch", { name: "banner is on", checked: false }).waitFor();
  await page.locator("#overall").filter({ hasText: "Healthy" }).waitFor();
  await context.close();
});

test("the SDK finds the relay again after the server was restarted, and the page shows the flags of the new one", async () => {
  const context = await browser.newContext();
  const page = await opened(context);
  await card(page, "banner")
    .getByLabel("Everybody else gets")
    .selectOption({ label: "Everything 20 % off today" });
  await banner(page, "Everything 20 % off today");
  const old = board;
  board = createFlagBoard({ publicFolder, prefix: "/relay" });
  await old.close();
  await banner(page, "Welcome to the tea shop");
  await page.getByRole("switch", { name: "banner is on" }).click();
  await page.getByRole("switch", { name: "banner is on", checked: false }).waitFor();
  await context.close();
});
