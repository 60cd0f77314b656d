import { describe, expect, test } from "vitest";
import { clientConfig, type PostgresConnection } from "./client-config.js";

const always = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 250,
  connectionTimeoutMillis: 250,
  query_timeout: 250,
  fallback_application_name: "@wye/vehicle-postgres",
};
const place = { host: "h", port: 1, database: "d", user: "u" };
const refusalOf = (connection: unknown): unknown => {
  try {
    return clientConfig(connection as PostgresConnection, 250);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
};

describe("the driver is told", () => {
  test.each<readonly [given: PostgresConnection, told: object]>([
    [{}, {}],
    [place, place],
    [
      { ...place, port: 65_535 },
      { ...place, port: 65_535 },
    ],
    [{ connectionString: "postgres://h/x" }, { connectionString: "postgres://h/x" }],
    [{ password: "p" }, { password: "p" }],
    [{ password: "" }, { password: "" }],
    [{ password: "p\n" }, { password: "p" }],
    [{ password: "p\r\n" }, { password: "p" }],
    [{ password: "p\n\n" }, { password: "p\n" }],
    [{ password: "p\nq" }, { password: "p\nq" }],
    [{ ssl: true }, { ssl: true }],
    [{ ssl: false }, { ssl: false }],
    [{ ssl: { ca: "c" } }, { ssl: { ca: "c" } }],
  ])("%j", (given, told) => expect(clientConfig(given, 250)).toEqual({ ...always, ...told }));

  test("what is left out is not said, and what is given for TLS is copied", () => {
    expect(Object.keys(clientConfig({}, 250))).toEqual(Object.keys(always));
    const ssl = { ca: "c" };
    expect(clientConfig({ ssl }, 250).ssl).not.toBe(ssl);
  });

  test.each([
    [1, 1],
    [2 ** 31, 2 ** 31 - 1],
    [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
  ])("to wait %d ms as timers can", (timeoutMs, ms) => {
    expect(clientConfig({}, timeoutMs)).toMatchObject({ query_timeout: ms, connectionTimeoutMillis: ms });
  });

  test.each([0, 0.9, -1, Number.NaN])("no time of %d ms", (timeoutMs) => {
    expect(() => clientConfig({}, timeoutMs)).toThrow(
      new TypeError(`timeoutMs must be a number of milliseconds from 1; got ${timeoutMs}`),
    );
  });
});

describe("a password that is asked for", () => {
  const asked = async (password: () => unknown): Promise<unknown> => {
    const config = clientConfig({ password: password as () => string }, 250);
    return typeof config.password === "function" ? config.password() : expect.unreachable("it is asked for");
  };

  test("is a text, at once or later, without the line break at its end", async () => {
    expect([await asked(() => "p\n"), await asked(async () => "q\r\n"), await asked(() => "")]).toEqual([
      "p",
      "q",
      "",
    ]);
  });

  test("is away when the function fails", async () => {
    const cause = new Error("locked");
    await expect(asked(() => Promise.reject(cause))).rejects.toMatchObject({
      code: "unavailable",
      message: "connection.password() has given no password: locked",
      cause,
    });
    await expect(
      asked(() => {
        throw cause;
      }),
    ).rejects.toMatchObject({ code: "unavailable", cause });
  });

  test.each<readonly [given: unknown, shown: string]>([
    [undefined, "nothing"],
    [null, "null"],
    [5, "5"],
    [["p"], "a list"],
    [{}, "an object"],
    [() => "p", "a function"],
  ])("is none when it is %o", async (given, shown) => {
    await expect(asked(() => given)).rejects.toThrow(
      new TypeError(`connection.password() must give a text; got ${shown}`),
    );
  });
});

describe("a connection that cannot be meant is refused:", () => {
  const object =
    'connection must be an object: { connectionString: "postgres://…" }, or { host, user, … }; got';
  const port = "connection: port must be a whole number from 1 to 65535; got";
  const both =
    "connection: connectionString says something of TLS, which would replace ssl: take it out of the URL, or leave ssl out (sslrootcert=FILE is what ca is)";
  const url = "postgres://h/x";
  test.each<readonly [connection: unknown, message: string]>([
    ["postgres://secret", `${object} a text`],
    [undefined, `${object} nothing`],
    [null, `${object} null`],
    [[], `${object} a list`],
    [5, `${object} 5`],
    [
      { hots: "h" },
      'connection has no "hots". Known are connectionString, host, port, database, user, password, ssl.',
    ],
    [{ host: 5 }, "connection: host must be a text; got 5"],
    [{ database: null }, "connection: database must be a text; got null"],
    [{ user: ["u"] }, "connection: user must be a text; got a list"],
    ...[0, 65_536, 1.5, -1].map((given) => [{ port: given }, `${port} ${given}`] as const),
    [{ port: "5432" }, `${port} "5432"`],
    [{ password: 5 }, "connection: password must be a text, or a function that gives one"],
    [{ password: { p: 1 } }, "connection: password must be a text, or a function that gives one"],
    [{ ssl: "yes" }, 'connection: ssl must be true, false or an object; got "yes"'],
    [{ ssl: [] }, "connection: ssl must be true, false or an object; got a list"],
    [
      { connectionString: undefined },
      "connection.connectionString must be a text; leave it out for what the environment says",
    ],
    ...["host", "database", "user", "password"].map(
      (name) =>
        [
          { connectionString: url, [name]: "x" },
          `connection: give ${name} in connectionString, or everything beside it`,
        ] as const,
    ),
    [
      { connectionString: url, port: 1 },
      "connection: give port in connectionString, or everything beside it",
    ],
    ...["?ssl=true", "?sslmode=require", "?a=b&sslrootcert=f"].map(
      (query) => [{ connectionString: url + query, ssl: true }, both] as const,
    ),
  ])("%j", (connection, message) => expect(refusalOf(connection)).toBe(message));

  test.each<object>([
    { connectionString: url, host: undefined, port: undefined, user: undefined, ssl: undefined },
    { connectionString: url, ssl: true },
    { connectionString: `${url}?nossl=1`, ssl: true },
    { connectionString: `${url}?sslmode=require` },
    { connectionString: `${url}?sslmode=require`, ssl: undefined },
    { connectionString: `${url}?sslrootcert=/nowhere/ca.pem` },
  ])("but not %j", (connection) => expect(refusalOf(connection)).toEqual({ ...always, ...connection }));
});
