import http from "node:http";
import { expect, test } from "vitest";
import { ask, listening, openCatalogue, openEvDataFile, openRouter } from "./listening.js";

/** The data file with every battery set to one size, by which a vehicle shows the version that it is of. */
function versionOf(file: ReturnType<typeof openEvDataFile>, size: number, keep: number): object {
  return {
    ...file,
    data: file.data.slice(0, keep).map((entry) => ({ ...entry, usable_battery_size: size })),
  };
}

const rows = [
  { name: "values change", keep: () => 293 },
  {
    name: "values change and vehicles come and go",
    keep: (version: number) => (version % 2 === 0 ? 293 : 200),
  },
];
for (const { name, keep } of rows) {
  test(`while ${name}, 8 paging clients see one version in every page and lose no vehicle`, {
    timeout: 300_000,
  }, async () => {
    const file = openEvDataFile();
    const catalogue = openCatalogue();
    const install = (version: number): Promise<unknown> =>
      catalogue.replace(versionOf(file, version, keep(version)));
    await install(2);
    const server = await listening(http.createServer(openRouter({ catalogue }).node));
    const faults: string[] = [];
    const seenVersions = new Set<number>();
    let pages = 0;
    let running = true;

    /** One walk over all pages: which vehicles it met, and in how many versions of the catalogue. */
    const walk = async (size: number, headers: http.OutgoingHttpHeaders) => {
      const met: string[] = [];
      const tags = new Set<string>();
      let expected = 0;
      for (let number = 1; ; number++) {
        const target = `/v2/vehicles?page[size]=${size}&page[number]=${number}`;
        const { json, status, headers: answered } = await ask(server.origin, target, { headers });
        pages++;
        tags.add(answered.etag?.split("-", 1)[0] ?? "");
        expected = json.meta.overall_count;
        const versions = new Set(json.data.map(({ attributes }) => Number(attributes.usable_battery_size)));
        const linked = new Set(json.data.map(({ relationships }) => relationships.manufacturer.data.id));
        if (status !== 200) faults.push(`status ${status}`);
        if (versions.size > 1) faults.push(`mixed page: ${[...versions]}`);
        if (linked.size !== json.included.length) faults.push("brands of another version");
        for (const version of versions) {
          seenVersions.add(version);
          if (expected !== keep(version)) faults.push("count of another version");
        }
        met.push(...json.data.map(({ id }) => id));
        if (json.data.length === 0 || number * size >= expected)
          return { met, versions: tags.size, expected };
      }
    };
    const client = async (number: number): Promise<void> => {
      const size = [7, 20, 33, 50, 64, 80, 99, 100][number] ?? 100;
      const headers = number % 2 === 0 ? {} : { "accept-encoding": "identity" };
      while (running) {
        const { met, versions, expected } = await walk(size, headers);
        // Where only values change, even a walk through several versions meets everything, once.
        if (versions > 1 && keep(2) !== keep(3)) continue;
        if (new Set(met).size !== expected || met.length !== expected)
          faults.push(`met ${met.length} of ${expected}`);
      }
    };
    const clients = Array.from({ length: 8 }, (_, number) => client(number));
    for (let version = 3; version < 43; version++) {
      await install(version);
      // Lets the clients come through until there was something to be mixed up.
      const until = pages + 20;
      while (pages < until) await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
    await Promise.all(clients);
    await server.close();
    expect(faults).toEqual([]);
    expect(seenVersions.size).toBeGreaterThan(20);
    expect(pages).toBeGreaterThan(800);
  });
}
