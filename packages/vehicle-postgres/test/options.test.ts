import { expect, test } from "vitest";
import {
  createDirectCatalogue,
  createPostgresCatalogue,
  exportVehicles,
  importVehicles,
  migrate,
} from "../src/index.js";

/** No call gets as far as a connection. */
const connection = { host: "127.0.0.1", port: 1 };

/** What a program without types passes. */
type Rough = never;

test.each<[string, (options: Rough) => unknown, object, RegExp]>([
  [
    "createPostgresCatalogue",
    createPostgresCatalogue,
    { pollms: 1 },
    /^createPostgresCatalogue has no "pollms"\. .*pollMs/,
  ],
  [
    "createDirectCatalogue",
    createDirectCatalogue,
    { poolSize: 1 },
    /^createDirectCatalogue has no "poolSize"\. .*connections/,
  ],
  [
    "migrate",
    (options) => migrate(connection, options),
    { trigram: true },
    /^migrate has no "trigram"\. .*trigrams/,
  ],
  [
    "importVehicles",
    (options) => importVehicles(connection, [], options),
    { merge: true },
    /^importVehicles has no "merge"\. .*mode/,
  ],
  [
    "exportVehicles",
    (options) => exportVehicles(connection, options).next(),
    { scheme: "s" },
    /^exportVehicles has no "scheme"\. .*schema/,
  ],
])(
  "%s refuses what it does not know, by name and with the names that there are",
  async (_, call, change, problem) => {
    const options = change as Rough;
    await expect((async () => call(options))()).rejects.toThrow(TypeError);
    await expect((async () => call(options))()).rejects.toThrow(problem);
  },
);

const functions: readonly [string, (options: Rough) => unknown][] = [
  ["createPostgresCatalogue", createPostgresCatalogue],
  ["createDirectCatalogue", createDirectCatalogue],
  ["migrate", (options) => migrate(connection, options)],
  ["importVehicles", (options) => importVehicles(connection, [], options)],
  ["exportVehicles", (options) => exportVehicles(connection, options).next()],
];

test.each(functions)("%s refuses options that are none", async (name, call) => {
  for (const options of [null, 5, "schema"]) {
    await expect((async () => call(options as Rough))()).rejects.toThrow(
      `${name} needs options that are an object`,
    );
  }
});

test.each(functions)("%s refuses a schema that would have to be quoted", async (name, call) => {
  for (const schema of ["a-b", "A", "select", 5]) {
    const options: object = { ...(name.startsWith("create") && { connection }), schema };
    const refused = (async () => call(options as Rough))();
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(/schema must/);
  }
});

test.each([0, 1, 2])("migrate refuses trigrams of a schema that ends with migration %d", async (upTo) => {
  const migrating = migrate(connection, { trigrams: true, upTo });
  await expect(migrating).rejects.toThrow(TypeError);
  await expect(migrating).rejects.toThrow(/trigrams are of what migration 3 adds: upTo must be at least/);
});

test.each([0, 0.5, 1])("a least share of %d can be meant", async (leastShare) => {
  await createPostgresCatalogue({ connection, leastShare }).close();
  expect(() => createPostgresCatalogue({ connection, leastShare: leastShare + 1.01 })).toThrow(
    /leastShare must be/,
  );
});

test("what every object inherits is no option", () => {
  for (const options of [{ constructor: 1 }, JSON.parse('{"__proto__": 1}')]) {
    expect(() => createPostgresCatalogue(options as Rough)).toThrow(/^createPostgresCatalogue has no "/);
  }
});

test.each([
  "admin:secret@db/prod",
  "postgres:/u:secret@h/x",
  "//u:secret@x",
  "jdbc:postgresql://127.0.0.1:1/x?user=u&password=secret",
  "secret",
  "db.example.org/prod",
  "host=h password=secret",
  "mysql://u:secret@h/x",
  "http://u:secret@h/x",
  "DATABASE_URL=postgres://u:secret@h/x",
  "postgres://u:secret@h:99999/x",
  "postgres:///u:secret@h/x",
  "postgres://u:12/secret@h/x",
  "postgres://u:12#secret@h/x",
  "postgres://h/x?user=u&password=12#secret",
  "/u:secret@h",
  "socket:/u:secret@h/x",
  "",
])("the text %j is no URL of a database, and is not repeated", async (connectionString) => {
  const refused = migrate({ connectionString });
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toThrow(/^connection\.connectionString (?:must be|is no|has) /);
  await expect(refused).rejects.not.toThrow(/secret|example/);
});

test.each([
  "postgres://u:s%40@127.0.0.1:1/a%40b",
  "postgres://u:s@t@127.0.0.1:1/x",
  "postgres://%2Fnowhere/x?application_name=a@b",
  "postgresql://u:s@/x?host=/nowhere/a@b",
  "socket://u:s@/nowhere/?db=x",
  "/nowhere/a@b x",
])("the URL %j is one, which nobody answers", async (connectionString) => {
  await expect(migrate({ connectionString })).rejects.toMatchObject({ code: "unavailable" });
});

test.each(["host", "user", "database", "password"])("the character NUL in %s is refused", async (name) => {
  const refused = migrate({ ...connection, [name]: "a\u0000options\u0000-c x=y" });
  await expect(refused).rejects.toThrow(`connection: ${name} must not have the character NUL`);
});

test.each([
  [{ user: "u" }, /give user in connectionString/],
  [{ database: "d", host: undefined }, /give database in connectionString/],
  [{ connectionString: "postgres://h/x?sslmode=require", ssl: { ca: "c" } }, /would replace ssl/],
  [{ connectionString: "postgres://h/x?a=b&ssl=true", ssl: true }, /would replace ssl/],
])("what a URL would replace is refused: %j", async (beside, message) => {
  const refused = migrate({ connectionString: "postgres://h/x", ...(beside as object) });
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toThrow(message);
});

test("a refresh refuses what it does not know", async () => {
  const catalogue = createPostgresCatalogue({ connection });
  await expect(catalogue.refresh({ leastshare: 0 } as Rough)).rejects.toThrow(/^refresh has no "leastshare"/);
  await catalogue.close();
});

test("an import reads no data where nobody knows where to write them", async () => {
  let read = 0;
  const data = {
    get vehicles() {
      read++;
      return [];
    },
  };
  await expect(importVehicles({ ...connection, port: 0 }, data)).rejects.toThrow(/port must be a whole/);
  await expect(importVehicles(connection, data, { leastShare: 2 })).rejects.toThrow(/leastShare must/);
  expect(read).toBe(0);
});
