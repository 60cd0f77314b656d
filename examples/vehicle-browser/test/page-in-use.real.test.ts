import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { counted, firstTitle, measuredPair, realPage, shows } from "./real-page.js";

const { vehicles, onPage } = realPage();

/** Lets the page do all that it has at hand. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Holds back the answers to a search until the test ends. */
async function held(page: Page, text: string): Promise<void> {
  await page.route(`**/v2/vehicles?*q=${text}*`, () => {});
}

test("a search that is given up for another one is no outage", async () => {
  await onPage({}, async (page) => {
    await counted(page, "293 vehicles");
    await held(page, "tesla");
    await held(page, "renault");
    const first = page.waitForRequest(/q=tesla/);
    await page.locator("#search").fill("tesla");
    await first;
    const second = page.waitForRequest(/q=renault/);
    await page.locator("#search").fill("renault");
    await second;
    await settled(page);
    await expect.poll(() => page.locator("#count").textContent()).toBe("293 vehicles");
  });
});

test("Enter behind a text is meant for what is found for it, however long that takes", async () => {
  await onPage({}, async (page) => {
    await counted(page, "293 vehicles");
    const field = page.locator("#search");
    for (const [text, title] of [
      ["leaf", "Nissan Leaf"],
      ["zoe", "Renault Zoe"],
    ] as const) {
      let answer = () => {};
      await page.route(`**/v2/vehicles?*q=${text}*`, async (route) => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        await route.continue();
      });
      const asked = page.waitForRequest(new RegExp(`q=${text}`));
      await field.fill(text);
      await field.press("Enter");
      await asked;
      await settled(page);
      // Nothing is chosen out of the list before.
      expect(page.url()).not.toContain("vehicle=");
      answer();
      await page.locator("#detail h2").filter({ hasText: title }).waitFor();
      await firstTitle(page, title);
      await page.goto(page.url().replace(/#.*/, "#"));
      await counted(page, "293 vehicles");
    }
  });
});

test("the arrow keys go one option on or back, the page keys eight, and no further than there are", async () => {
  await onPage({}, async (page) => {
    await counted(page, "293 vehicles");
    const field = page.locator("#search");
    const steps = [
      ["PageDown", 7],
      ["PageDown", 15],
      ["PageUp", 7],
      ["ArrowUp", 6],
      ["ArrowDown", 7],
      ["PageUp", 0],
      ["PageUp", 0],
      ["ArrowUp", 0],
    ] as const;
    for (const [key, place] of steps) {
      await field.press(key);
      expect([key, await field.getAttribute("aria-activedescendant")]).toEqual([key, `result-${place}`]);
      await expect.poll(() => page.locator("[data-active]").count()).toBe(1);
    }
  });
});

test("the button for comparing keeps the focus, and says whether it is pressed", async () => {
  const [one] = measuredPair(vehicles);
  await onPage(
    {},
    async (page) => {
      await shows(page, one.id);
      await page.locator(".compare").focus();
      for (const pressed of ["true", "false"]) {
        await page.keyboard.press("Enter");
        await page.locator(`.compare:focus[aria-pressed=${pressed}]`).waitFor();
      }
    },
    `#${one.id}`,
  );
});

test("how many there are and what is shown is told to who does not see it", async () => {
  const [one] = measuredPair(vehicles);
  await onPage(
    {},
    async (page) => {
      await shows(page, one.id);
      await page
        .getByRole("status")
        .filter({ hasText: /^293 vehicles$/ })
        .waitFor();
      await page
        .getByRole("status")
        .filter({ hasText: `Showing ${one.manufacturer.name} ${one.model}` })
        .waitFor();
    },
    `#${one.id}`,
  );
});

for (const [phases, words] of [
  [1, "1 phase"],
  [3, "3 phases"],
] as const) {
  test(`power, phases and ports are told: ${words}`, async () => {
    const vehicle = vehicles.find(
      (one) => one.ac_phases === phases && one.ac_ports.join() === "type2" && one.dc_ports.join() === "ccs",
    );
    await onPage(
      {},
      async (page) => {
        await shows(page, vehicle?.id);
        const facts = await page.locator("dl > div").allInnerTexts();
        const told = facts.map((fact) => fact.replaceAll(/\s+/g, " "));
        expect(told).toContain(`AC ${vehicle?.ac_max_power} kW, ${words}, Type 2`);
        expect(told).toContain(`DC ${vehicle?.dc_max_power} kW, CCS`);
      },
      `#${vehicle?.id}`,
    );
  });
}

test("the span that is timed is shaded, from 10 to 80 %, and each point tells its values", async () => {
  const [one] = measuredPair(vehicles);
  await onPage(
    {},
    async (page) => {
      await shows(page, one.id);
      const drawn = await page.locator("figure svg").evaluate((plot) => {
        const places = (plot.querySelector(".span")?.getAttribute("points") ?? "")
          .split(" ")
          .map((point) => Number.parseFloat(point));
        const level = (text: string): number => {
          const labels = [...plot.querySelectorAll("g text[text-anchor=middle]")];
          return Number(labels.find((label) => label.textContent === text)?.getAttribute("x"));
        };
        return {
          span: [Math.min(...places), Math.max(...places)],
          ends: [level("0"), level("100"), level("80")],
          points: [...plot.querySelectorAll(".point title")].map((title) => title.textContent),
        };
      });
      const [zero = 0, hundred = 0, eighty = 0] = drawn.ends;
      expect(drawn.span[0]).toBeCloseTo(zero + (hundred - zero) / 10, 1);
      expect(drawn.span[1]).toBeCloseTo(eighty, 1);
      expect(drawn.points).toEqual(
        one.dc_charging_curve.map(({ percentage, power }) => `${percentage} %: ${power} kW`),
      );
    },
    `#${one.id}`,
  );
});

test("another order shows its beginning", async () => {
  await onPage({}, async (page) => {
    await counted(page, "293 vehicles");
    const results = page.locator("#results");
    await results.evaluate((list) => {
      list.scrollTop = 500;
    });
    const first = await page.locator("[role=option]").first().getAttribute("data-id");
    await page.getByLabel("Order").selectOption("battery");
    await page.locator(`[role=option]:first-child:not([data-id="${first}"])`).waitFor();
    expect(await results.evaluate((list) => list.scrollTop)).toBe(0);
  });
});

test("a long text beside a brand is searched as far as there is room", async () => {
  const brand = vehicles.find(({ manufacturer }) => manufacturer.name === "Zero Motorcycles")?.manufacturer;
  await onPage(
    {},
    async (page) => {
      await counted(page, "\\d+ vehicles of Zero Motorcycles");
      await page.locator("#search").fill("x".repeat(199));
      await page.locator("#count").filter({ hasText: /match/ }).waitFor();
      await page.locator("#search").fill("");
      await firstTitle(page, "Zero Motorcycles");
    },
    `#brand=${brand?.id}`,
  );
});
