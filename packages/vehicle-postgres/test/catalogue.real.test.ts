import { describeCatalogue } from "@wye/vehicle-catalogue/testing";
import { describe, test } from "vitest";
import { createDirectCatalogue, importVehicles } from "../src/index.js";
import { realDatabase, until } from "./real-database.js";

const database = realDatabase();

describeCatalogue(
  "a catalogue that follows a database",
  async (vehicles) => {
    const schema = await database.schemaWith(vehicles);
    const { connection } = database.server;
    const way = await database.way();
    const catalogue = database.follow(schema, {
      connection: { ...connection, port: way.port },
      leastShare: 0,
    });
    await catalogue.ready();
    return {
      catalogue,
      replace: async (others) => {
        await importVehicles(connection, others, { schema, leastShare: 0 });
        await catalogue.refresh();
      },
      interrupt: () => {
        way.cut();
        return async () => {
          way.restore();
          await until(() => catalogue.refresh());
        };
      },
    };
  },
  { describe, test },
);

describeCatalogue(
  "a catalogue that asks a database",
  async (vehicles) => {
    const schema = await database.schemaWith(vehicles);
    const { connection } = database.server;
    const way = await database.way();
    const catalogue = createDirectCatalogue({ connection: { ...connection, port: way.port }, schema });
    return {
      catalogue,
      close: catalogue.close,
      replace: async (others) => {
        await importVehicles(connection, others, { schema, leastShare: 0 });
      },
      interrupt: () => {
        way.cut();
        return way.restore;
      },
    };
  },
  { describe, test },
);
