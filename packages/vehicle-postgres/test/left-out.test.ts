import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, createPostgresCatalogue, exportVehicles } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";
import { collect } from "./real-database.js";

const extension = { attributes: { battery_voltage: { type: "number" } } } as const;

/** Vehicles of which some have what the API does not know; others have more to mend than a report lists. */
function withMore(mended: number): ReturnType<typeof fleet> {
  return fleet(400).map((one, at) => {
    const blanks =
      at < mended ? { model: ` ${one.model}`, variant: ` ${one.variant} x`, ev_type: " bev" as "bev" } : {};
    return { ...one, ...blanks, ...(at === 390 ? { battery_voltage: 400 } : {}) };
  });
}

function logging() {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const told = (): readonly string[] => lines.filter((line) => line.includes("battery_voltage"));
  return { told, logger: { info: log, warn: log, error: log } };
}

describe("attributes that no extension names", () => {
  for (const mended of [0, 390]) {
    test(`are not lost by an export, with ${mended} rows that are mended`, async () => {
      const { server } = await fakeDatabase({ vehicles: withMore(mended) });
      await expect(collect(exportVehicles(server.connection))).rejects.toMatchObject({
        code: "invalid_data",
        message: expect.stringMatching(/has battery_voltage, which would be lost.*extension/),
      });
      const exported = await collect(exportVehicles(server.connection, { extension }));
      expect(exported.filter((one) => "battery_voltage" in one && one.battery_voltage === 400)).toHaveLength(
        1,
      );
      const idsOf = (vehicles: readonly { readonly id: string }[]) => vehicles.map(({ id }) => id).sort();
      expect(idsOf(exported)).toEqual(idsOf(fleet(400)));
    });
  }

  test.each(["id", "type", "manufacturer"])(
    "are not lost by an export where they are called %s",
    async (name) => {
      const vehicles = fleet(3).map((one, at) => (at === 1 ? { ...one, hidden: { [name]: "x" } } : one));
      const { server } = await fakeDatabase({ vehicles });
      await expect(collect(exportVehicles(server.connection))).rejects.toMatchObject({
        code: "invalid_data",
        message: expect.stringContaining(`has ${name} among its attributes, which would be lost`),
      });
    },
  );

  test("are told of by an export after what is wrong with a row, with all of that", async () => {
    const vehicles = withMore(0).map((one, at) => (at < 2 ? { ...one, ac_phases: 7 as 3 } : one));
    const { server } = await fakeDatabase({ vehicles });
    const [first, second] = vehicles;
    await expect(collect(exportVehicles(server.connection))).rejects.toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(
        new RegExp(`^the vehicle ${first!.id} in the database is wrong: ac_phases must be `),
      ),
      problems: [first, second].map((one) => ({ id: one!.id, field: "ac_phases" })),
    });
  });

  test("are told of by who follows, once", async () => {
    const { server, state } = await fakeDatabase({ vehicles: withMore(0) });
    const { logger, told } = logging();
    const catalogue = createPostgresCatalogue({ connection: server.connection, logger });
    onTestFinished(() => catalogue.close());
    await catalogue.ready();
    expect(told()).toEqual([expect.stringMatching(/rows have battery_voltage, which is left out/)]);
    const vehicles = withMore(0).map((one) => ({ ...one, changedIn: 2 }));
    Object.assign(state, { number: 2, token: "two", vehicles });
    await catalogue.refresh();
    expect(told()).toHaveLength(1);
  });

  test("are told of by a catalogue without memory, once", async () => {
    const { server } = await fakeDatabase({ vehicles: withMore(0) });
    const { logger, told } = logging();
    const catalogue = createDirectCatalogue({ connection: server.connection, logger });
    onTestFinished(() => catalogue.close());
    const snapshot = await catalogue.snapshot();
    await snapshot.find({ offset: 0, limit: 500 });
    await snapshot.find({ offset: 0, limit: 500 });
    expect(told()).toHaveLength(1);
  });
});

test("what an extension names is shown also of vehicles that change later, however brands are spelled then", async () => {
  const vehicles = fleet(3).map((vehicle, at) => ({ ...vehicle, battery_voltage: at }));
  const { server, state } = await fakeDatabase({ vehicles });
  const catalogue = createPostgresCatalogue({ connection: server.connection, extension });
  onTestFinished(() => catalogue.close());
  await catalogue.ready();
  for (const [number, spelled] of [
    [2, (id: string) => id],
    [3, (id: string) => id.toUpperCase()],
  ] as const) {
    const changed = vehicles.map(({ manufacturer: { id, name }, ...vehicle }) => ({
      ...{ ...vehicle, manufacturer: { id: spelled(id), name } },
      ...{ battery_voltage: 10 * number + vehicle.battery_voltage, changedIn: number },
    }));
    Object.assign(state, { number, token: `${number}`, vehicles: changed });
    await catalogue.refresh();
    const found = await (await catalogue.snapshot()).find({ offset: 0, limit: 10 });
    const volts = found.vehicles.map((vehicle) => (vehicle as { battery_voltage?: number }).battery_voltage);
    expect(volts.toSorted()).toEqual([0, 1, 2].map((at) => 10 * number + at));
  }
});
