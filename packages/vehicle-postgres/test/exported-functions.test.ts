import { describe, expect, test } from "vitest";
import { type Callable, type Place, wrongCalls } from "../../../scripts/nonsense-calls.js";
import * as exported from "../src/index.js";
import { createDirectCatalogue, type PostgresConnection } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

const objects = "object bare date";
const flag = { takes: "nothing true" };
const object = { takes: `nothing ${objects}` };
const schema = { takes: "nothing text" };
/** Nobody could answer within that. */
const timeoutMs = { takes: "nothing", untried: "number" };

const reading = { schema, extension: object, timeoutMs };

/** What is left out of a connection comes from the environment, where there may be a database. */
const wrongConnection: Omit<Place, "right"> = { named: /connection/, takes: "", untried: objects };

/** What is made does not connect here: that it was made is enough. */
const catalogueOptions = (right: PostgresConnection, members: Place["members"]): Place => ({
  named: /needs options|connection must/,
  takes: "",
  right: { connection: right },
  members: { connection: { takes: "", untried: objects }, ...reading, logger: object, ...members },
});

/** Every function that the package exports, with a database for it. */
const functionsOf = (right: PostgresConnection): Readonly<Record<string, Callable>> => {
  const connection: Place = { ...wrongConnection, right };
  return {
    createPostgresCatalogue: {
      call: exported.createPostgresCatalogue,
      places: [
        catalogueOptions(right, {
          pollMs: { takes: "nothing number" },
          brandAliases: object,
          leastShare: { takes: "nothing" },
        }),
      ],
    },
    createDirectCatalogue: {
      call: exported.createDirectCatalogue,
      places: [catalogueOptions(right, { connections: { takes: "nothing number" } })],
    },
    // It connects when it is asked, and so tells what is wrong with a connection without one.
    "createDirectCatalogue with a connection": {
      call: (connection: PostgresConnection) => createDirectCatalogue({ connection }),
      places: [
        {
          ...connection,
          untried: "",
          takes: objects,
          members: {
            connectionString: { takes: "" },
            host: { takes: "nothing empty text" },
            port: { takes: "nothing number" },
            database: { takes: "nothing empty text" },
            user: { takes: "nothing empty text" },
            password: { takes: "nothing empty text function" },
            ssl: { takes: `nothing true ${objects}` },
          },
        },
      ],
    },
    migrate: {
      call: (...given: Parameters<typeof exported.migrate>) => exported.migrate(...given),
      places: [
        connection,
        {
          named: /options/,
          takes: `nothing ${objects}`,
          right: {},
          members: { schema, trigrams: flag, upTo: { takes: "nothing number" }, timeoutMs },
        },
      ],
    },
    importVehicles: {
      call: exported.importVehicles,
      places: [
        connection,
        { named: /not a catalogue/, takes: "list nulls", right: fleet(2) },
        {
          named: /options/,
          takes: `nothing ${objects}`,
          right: { leastShare: 0 },
          members: {
            ...reading,
            mode: { takes: "nothing" },
            strict: flag,
            leastShare: { takes: "nothing" },
          },
        },
      ],
    },
    exportVehicles: {
      call: exported.exportVehicles,
      places: [connection, { named: /options/, takes: `nothing ${objects}`, right: {}, members: reading }],
    },
  };
};

describe("the functions of the package", () => {
  const names = Object.entries(exported).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );

  test("are all in the table", () => {
    expect(Object.keys(functionsOf({}))).toEqual(expect.arrayContaining(names));
  });

  test.each(Object.keys(functionsOf({})))(
    "%s refuses nonsense by name, and takes what is none",
    async (name) => {
      const { server } = await fakeDatabase({ vehicles: fleet(2) });
      expect(await wrongCalls(functionsOf(server.connection)[name] as Callable)).toEqual([]);
    },
  );
});
