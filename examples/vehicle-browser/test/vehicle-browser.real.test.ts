import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { comeToRest, devices } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { counted, firstTitle, measuredPair, realPage, shows, titles } from "./real-page.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
mkdirSync(screenshots, { recursive: true });
const real = realPage();
const { vehicles, onPage } = real;

for (const { name, ...device } of devices) {
  test(`typing finds a car, and its charging curve is drawn, on ${name}`, async () => {
    await onPage(device, async (page) => {
      await page
        .getByRole("combobox", { name: "Brand, model or variant" })
        .pressSequentially("porsche taycan 4s");
      await firstTitle(page, "Porsche Taycan");
      await page.getByRole("option", { name: /^Porsche Taycan 4S · 2020/ }).click();
      await page.locator("figure svg .curve").waitFor();
      const boxes = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        plot: document.querySelector("figure svg")?.getBoundingClientRect().width ?? 0,
      }));
      expect(boxes.overflow).toBeLessThanOrEqual(0);
      expect(boxes.plot).toBeGreaterThan(250);
      await expect.poll(() => page.locator("#detail h2").textContent()).toBe("Porsche Taycan");
      await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });
    });
  });
}

describe("the page", () => {
  test("draws every point of the curve where the axes say it is", async () => {
    const vehicle = vehicles.find((one) => one.dc_charging_curve.length > 8);
    await onPage(
      {},
      async (page) => {
        await page.locator("figure svg .point").first().waitFor();
        const drawn = await page.locator("figure svg").evaluate((plot) => {
          const number = (element: Element, name: string): number => Number(element.getAttribute(name));
          const marks = (selector: string, position: string) =>
            [...plot.querySelectorAll("g")].flatMap((group) => {
              const line = group.querySelector("line");
              const label = group.querySelector("text");
              const across =
                line !== null && number(line, selector) !== number(line, selector.replace("1", "2"));
              return line === null || label === null || across
                ? []
                : [{ at: number(line, position), value: Number(label.textContent) }];
            });
          return {
            x: marks("x1", "x1"),
            y: marks("y1", "y1"),
            points: [...plot.querySelectorAll(".point")].map((point) => ({
              x: number(point, "cx"),
              y: number(point, "cy"),
            })),
          };
        });
        // Reads the values back by the labels of the axes, as a person would.
        const read = (marks: readonly { at: number; value: number }[], at: number): number => {
          const [first, last] = [marks[0]!, marks.at(-1)!];
          return first.value + ((last.value - first.value) * (at - first.at)) / (last.at - first.at);
        };
        expect(drawn.points).toHaveLength(vehicle!.dc_charging_curve.length);
        for (const [place, { percentage, power }] of vehicle!.dc_charging_curve.entries()) {
          expect(read(drawn.x, drawn.points[place]!.x)).toBeCloseTo(percentage, 1);
          expect(read(drawn.y, drawn.points[place]!.y)).toBeCloseTo(power, 1);
        }
        await expect.poll(() => page.locator("figcaption").textContent()).toBe("Measured curve");
      },
      `#${vehicle?.id}`,
    );
  });

  test("marks a default curve as such, in the drawing and in words", async () => {
    const vehicle = vehicles.find((one) => one.dc_default_charging_curve);
    await onPage(
      { colorScheme: "light" },
      async (page) => {
        await page.locator("figcaption.assumed").filter({ hasText: "Default curve" }).waitFor();
        const dashes = await page
          .locator("figure svg .curve")
          .evaluate((line) => getComputedStyle(line).strokeDasharray);
        expect(dashes).not.toBe("none");
        await page.screenshot({ path: `${screenshots}default-curve.png`, fullPage: true });
      },
      `#${vehicle?.id}`,
    );
  });

  test("tells charging times, and of a vehicle without DC that there is no curve", async () => {
    const vehicle = vehicles.find(({ model }) => model === "e-Golf");
    const without = vehicles.find((one) => one.dc_max_power === null);
    await onPage(
      {},
      async (page) => {
        await page.locator(".times tr").first().waitFor();
        const battery = vehicle!.usable_battery_size;
        const power = vehicle!.ac_power_per_charging_point["3.7"]!;
        const minutes = Math.round((battery * 0.7 * 60) / power);
        const row = page.locator(".times tr").filter({ hasText: "AC station of 3.7 kW" });
        await expect.poll(() => row.locator("td").textContent()).toContain(`${Math.floor(minutes / 60)} h`);
        await expect.poll(() => page.locator(".times caption").textContent()).toContain("from 10 to 80 %");
      },
      `#${vehicle?.id}`,
    );
    await onPage(
      {},
      async (page) => {
        await page.locator(".no-plot").waitFor();
        expect(await page.locator("figure").count()).toBe(0);
        expect(await page.locator(".times tr").filter({ hasText: "DC" }).count()).toBe(0);
      },
      `#${without?.id}`,
    );
  });

  test("is used with the keyboard alone", async () => {
    await onPage({}, async (page) => {
      await page.keyboard.press("Tab");
      const answered = page.waitForResponse(/q=vw\+id3/i);
      await page.keyboard.type("vw id3");
      await answered;
      await counted(page, "\\d+ match(es)?");
      await firstTitle(page, "Volkswagen ID.3");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const field = page.locator("#search");
      await expect.poll(() => field.getAttribute("aria-activedescendant")).toBe("result-1");
      await page.keyboard.press("Enter");
      await page.locator("#detail h2").filter({ hasText: "Volkswagen ID.3" }).waitFor();
      await expect.poll(() => page.locator("#detail .variant").textContent()).toBe("58 kWh");
      await expect.poll(() => page.locator("[role=option][aria-selected=true]").count()).toBe(1);
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press("Tab");
      await page.locator("#brand:focus").waitFor();
    });
  });

  test("shows the vehicles of one brand with their true count, and searches within it", async () => {
    const hyundais = vehicles.filter(({ manufacturer }) => manufacturer.name === "Hyundai");
    await onPage({}, async (page) => {
      await page.getByLabel("Only this brand").selectOption({ label: `Hyundai (${hyundais.length})` });
      await firstTitle(page, "Hyundai");
      await counted(page, `${hyundais.length} vehicles of Hyundai`);
      await expect.poll(() => titles(page)).toHaveLength(hyundais.length);
      expect((await titles(page)).filter((title) => !title.startsWith("Hyundai "))).toEqual([]);
      await page.locator("#search").fill("kona");
      await counted(page, `4 matches among ${hyundais.length} vehicles of Hyundai`);
      expect(new Set(await titles(page))).toEqual(new Set(["Hyundai Kona"]));
    });
  });

  test("says what is cut: of a brand with more vehicles than a search answers, too", async () => {
    const counts = new Map<string, number>();
    for (const { manufacturer } of vehicles) {
      counts.set(manufacturer.name, (counts.get(manufacturer.name) ?? 0) + 1);
    }
    const [brand, count] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
    expect(count).toBeGreaterThan(25);
    await onPage({}, async (page) => {
      await page.getByLabel("Only this brand").selectOption({ label: `${brand} (${count})` });
      await counted(page, `${count} vehicles of ${brand}`);
      await page.locator("#search").fill(brand);
      await counted(page, `the 25 best matches among ${count} vehicles of ${brand}`);
    });
  });

  test("shows the answer to what was typed last, whatever comes first", async () => {
    await onPage({}, async (page) => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const answered = new Promise<void>((resolve) => {
        void page.route("**/v2/vehicles?*q=tesla*", async (route) => {
          await held;
          // The page has given its request up by now, which is no failure of this test.
          await route.continue().catch(() => {});
          resolve();
        });
      });
      const asked = page.waitForRequest(/q=tesla/);
      await page.locator("#search").fill("tesla");
      await asked;
      await page.locator("#search").fill("renault zoe");
      await firstTitle(page, "Renault Zoe");
      release();
      await answered;
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      expect((await titles(page)).filter((title) => title.startsWith("Tesla"))).toEqual([]);
    });
  });

  test("begins with a vehicle whose curve was measured, and leaves the address alone", async () => {
    await onPage({}, async (page) => {
      await page.locator("figcaption.measured").waitFor();
      expect(new URL(page.url()).hash).toBe("");
    });
  });

  const addresses = [
    { hash: "#%", expected: "[role=alert]" },
    { hash: "#%E0%A4%A", expected: "[role=alert]" },
    { hash: "#no-such-vehicle", expected: "[role=alert]" },
    { hash: "#vehicle=%&with=%&order=constructor&brand=x", expected: "[role=alert]" },
    { hash: "#=&=&", expected: "#detail h2" },
  ];
  for (const { hash, expected } of addresses) {
    test(`is of use with the address ${hash}`, async () => {
      await onPage(
        {},
        async (page) => {
          await counted(page, "293 vehicles");
          await page.locator(expected).waitFor();
          await page.locator("[role=option]").nth(3).click();
          await page.locator("figure, .no-plot").first().waitFor();
        },
        hash,
      );
    });
  }

  test("lists all vehicles, and orders them", async () => {
    const farthest = [...vehicles].sort(
      (a, b) =>
        b.usable_battery_size / b.energy_consumption.average_consumption -
        a.usable_battery_size / a.energy_consumption.average_consumption,
    )[0]!;
    await onPage({}, async (page) => {
      await counted(page, "293 vehicles");
      await expect.poll(() => page.locator("[role=option]").count()).toBe(293);
      await page.getByLabel("Order").selectOption("range");
      await firstTitle(page, `${farthest.manufacturer.name} ${farthest.model}`);
      const kilometres = (await page.locator("[role=option] .figure").allTextContents()).map((text) =>
        text === "range unknown" ? 0 : Number.parseInt(text, 10),
      );
      expect(kilometres).toEqual([...kilometres].sort((a, b) => b - a));
      expect(new URL(page.url()).hash).toBe("#order=range");
      await page.reload();
      await firstTitle(page, `${farthest.manufacturer.name} ${farthest.model}`);
    });
  });

  test("goes back and forward, and follows an address that is typed", async () => {
    const [one, other] = measuredPair(vehicles);
    await onPage({}, async (page) => {
      await counted(page, "293 vehicles");
      const options = page.locator("[role=option]");
      const ids = [
        await options.nth(1).getAttribute("data-id"),
        await options.nth(4).getAttribute("data-id"),
      ];
      await options.nth(1).click();
      await shows(page, ids[0]!);
      await options.nth(4).click();
      await shows(page, ids[1]!);
      await page.goBack();
      await shows(page, ids[0]!);
      await page.goForward();
      await shows(page, ids[1]!);
      await expect
        .poll(() => page.locator("[role=option][aria-selected=true]").getAttribute("data-id"))
        .toBe(ids[1]);
      await page.evaluate(`location.hash = "#vehicle=${one.id}&with=${other.id}"`);
      await shows(page, one.id, other.id);
      await page.evaluate(`location.hash = "#${other.id}"`);
      await shows(page, other.id);
      await page.goBack();
      await shows(page, one.id, other.id);
    });
  });

  test("shows the second vehicle alone when it is chosen, and the next one without it", async () => {
    const [one, other] = measuredPair(vehicles);
    await onPage(
      {},
      async (page) => {
        await shows(page, one.id, other.id);
        await counted(page, "293 vehicles");
        await page.locator(`[role=option][data-id="${other.id}"]`).click();
        await shows(page, other.id);
        await page.locator(`[role=option][data-id="${one.id}"]`).click();
        await shows(page, one.id);
      },
      `#vehicle=${one.id}&with=${other.id}`,
    );
  });

  test("puts the controls where the address says they are", async () => {
    await onPage(
      {},
      async (page) => {
        await page.evaluate("location.hash = '#q=taycan'");
        await firstTitle(page, "Porsche Taycan");
        await expect.poll(() => page.locator("#search").inputValue()).toBe("taycan");
        await page.goBack();
        await firstTitle(page, "Renault Zoe");
        await expect.poll(() => page.locator("#search").inputValue()).toBe("zoe");
        await expect.poll(() => page.locator("#order").inputValue()).toBe("battery");
      },
      "#q=zoe&order=battery",
    );
  });

  test("puts two curves side by side, on one scale, with the keyboard alone", async () => {
    const [one] = measuredPair(vehicles);
    await onPage(
      { viewport: { width: 1280, height: 900 } },
      async (page) => {
        await shows(page, one.id);
        await page.getByRole("button", { name: "Compare with another vehicle" }).focus();
        await page.keyboard.press("Enter");
        await page.locator("[role=status]").filter({ hasText: "Choose the second one" }).waitFor();
        await page.locator("#search").fill("porsche taycan");
        await firstTitle(page, "Porsche Taycan");
        await page.locator("#search").press("Enter");
        await page.locator(".card").nth(1).waitFor();
        const cards = await page.locator(".card").evaluateAll((found) =>
          found.map((card) => {
            const { left, top, right } = card.getBoundingClientRect();
            const marks = [...card.querySelectorAll("figure text[text-anchor=end]")].map(
              (mark) => mark.textContent,
            );
            return { left, top, right, marks: marks.filter((mark) => mark?.endsWith("0")) };
          }),
        );
        expect(cards).toHaveLength(2);
        expect(await page.locator("#results[data-picking]").count()).toBe(0);
        expect(cards[0]!.right).toBeLessThanOrEqual(cards[1]!.left);
        expect(cards[0]!.top).toBe(cards[1]!.top);
        expect(cards[0]!.marks.at(-1)).toBe(cards[1]!.marks.at(-1));
        await page.screenshot({ path: `${screenshots}side-by-side.png`, fullPage: true });
        await page.getByRole("button", { name: /^Remove Porsche/ }).click();
        await shows(page, one.id);
      },
      `#${one.id}`,
    );
  });

  test("tells every value of a curve, and the range", async () => {
    const [one] = measuredPair(vehicles);
    await onPage(
      {},
      async (page) => {
        await shows(page, one.id);
        const labels = await page.locator("figure .value").allTextContents();
        const peak = Math.max(...one.dc_charging_curve.map(({ power }) => power));
        expect(labels).toContain(String(peak));
        await page.getByText(`The ${one.dc_charging_curve.length} values of the curve`).click();
        const rows = await page.locator(".values tbody tr").allInnerTexts();
        expect(rows.map((row) => row.split(/\s+/).map(Number.parseFloat).filter(Number.isFinite))).toEqual(
          one.dc_charging_curve.map(({ percentage, power }) => [percentage, power]),
        );
        const range = Math.round(
          (100 * one.usable_battery_size) / one.energy_consumption.average_consumption,
        );
        await page
          .locator("dd")
          .filter({ hasText: `${range} km` })
          .waitFor();
      },
      `#${one.id}`,
    );
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      test(`has nothing that axe complains of, ${colorScheme} and ${width} wide`, async () => {
        const [one, other] = measuredPair(vehicles);
        await onPage(
          { colorScheme, viewport: { width, height: 844 } },
          async (page) => {
            await shows(page, one.id, other.id);
            await counted(page, "293 vehicles");
            await comeToRest(page);
            await page.evaluate(axe.source);
            const problems = await page.evaluate(async () => {
              const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
            });
            expect(problems).toEqual([]);
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - window.innerWidth,
            );
            expect(overflow).toBeLessThanOrEqual(0);
            await page.screenshot({ path: `${screenshots}${colorScheme}-${width}.png`, fullPage: true });
          },
          `#vehicle=${one.id}&with=${other.id}`,
        );
      });
    }
  }

  test("leaves what is being typed alone, blanks at its end too", async () => {
    await onPage({}, async (page) => {
      const field = page.locator("#search");
      const steps = await page.evaluate("history.length");
      await field.pressSequentially("vw ");
      await page.waitForURL(/#q=vw$/);
      // Nor is it a step that the back button would take back.
      expect([await field.inputValue(), await page.evaluate("history.length")]).toEqual(["vw ", steps]);
      await field.pressSequentially("id3");
      await firstTitle(page, "Volkswagen ID.3");
    });
  });

  test("says so when nothing is found, and keeps names as text", async () => {
    await onPage({}, async (page) => {
      await page.locator("#search").fill("<img src=x onerror=alert(1)> zzzzqqq");
      await page.locator(".empty").filter({ hasText: "Nothing like it" }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
    });
  });

  test("says so when the catalogue does not answer, and goes on when it does", async () => {
    const page = await real.newPage();
    await page.route("**/v2/**", (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/vnd.api+json",
        body: '{"errors":[{"status":"403","code":"FORBIDDEN","title":"x"}]}',
      }),
    );
    await page.goto(real.address);
    await page.locator("#count").filter({ hasText: "does not answer (forbidden)" }).waitFor();
    // And goes on when it does again.
    await page.unroute("**/v2/**");
    await page.locator("#search").fill("renault zoe");
    await firstTitle(page, "Renault Zoe");
    await page.locator("#search").fill("");
    await counted(page, "293 vehicles");
    const orders = await page.locator("#order option").allTextContents();
    expect([orders.length, new Set(orders).size]).toEqual([6, 6]);
    await page.close();
  });
});
