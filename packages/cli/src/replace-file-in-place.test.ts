import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import files, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../test/run-program.js";
import { replaceFile } from "./replace-file.js";

// Other owners, mounts and full disks need rights that whoever runs the tests may not have: here the system is made to refuse.
const system = { open: files.open, rename: files.rename };

/** Has the system answer in another way until the test is over. */
function whileTested(answers: Partial<typeof system>): void {
  const answer = (all: Partial<typeof system>): void => {
    Object.assign(files, all);
    syncBuiltinESMExports();
  };
  answer(answers);
  onTestFinished(() => answer(system));
}

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

/** Has handles of files that are opened from now on changed before they are used. */
function whenOpened(change: (file: FileHandle, path: string) => void): void {
  whileTested({
    open: async (path, ...how) => {
      const file = await system.open(path, ...how);
      change(file, String(path));
      return file;
    },
  });
}

/** A file with a text, in a folder of its own. */
function fileWith(text: string): { folder: string; path: string } {
  const folder = makeFolder();
  const path = join(folder, "cars.json");
  writeFileSync(path, text);
  return { folder, path };
}

/** What a file is to everybody but its readers. */
const identity = (path: string): readonly number[] => {
  const { ino, uid, gid, mode } = statSync(path);
  return [ino, uid, gid, mode];
};

const obstacles: readonly (readonly [name: string, arrange: (path: string) => void])[] = [
  ["has a second name", (path) => linkSync(path, `${path}.second`)],
  ["is a mount of its own", () => whileTested({ rename: () => Promise.reject(refusal("EBUSY")) })],
  [
    "is in a folder that takes no other",
    () =>
      whileTested({
        open: (path, flags, mode) =>
          flags === "wx" ? Promise.reject(refusal("EACCES")) : system.open(path, flags, mode),
      }),
  ],
  [
    "cannot pass on its mode",
    () =>
      whenOpened((file) => {
        file.chmod = () => Promise.reject(refusal("EPERM"));
      }),
  ],
];

describe("a file that is written in place", () => {
  for (const [name, arrange] of obstacles) {
    for (const text of ["longer than before", "short", ""]) {
      it(`${name}, and gets ${JSON.stringify(text)}`, async () => {
        const { folder, path } = fileWith("of the old text");
        chmodSync(path, 0o640);
        arrange(path);
        const before = [identity(path), readdirSync(folder)];
        await replaceFile(path, text);
        expect(readFileSync(path, "utf8")).toBe(text);
        expect([identity(path), readdirSync(folder)]).toEqual(before);
      });
    }
  }

  it("belongs to somebody else, whom only the system's manager could give it to", async () => {
    const { folder, path } = fileWith("old");
    const before = identity(path);
    const asked: number[][] = [];
    whenOpened((file, opened) => {
      if (opened === path) return;
      const { stat } = file;
      file.stat = (async () => Object.assign(await stat.call(file), { uid: 4321, gid: 1234 })) as typeof stat;
      file.chown = (...owner) => {
        asked.push(owner);
        return Promise.reject(refusal("EPERM"));
      };
    });
    await replaceFile(path, "new");
    expect(asked).toEqual([[process.getuid?.(), statSync(path).gid]]);
    expect([readFileSync(path, "utf8"), identity(path), readdirSync(folder)]).toEqual([
      "new",
      before,
      ["cars.json"],
    ]);
  });

  it.each([
    { text: "much longer than the old text", afterBytes: 20 },
    { text: "much longer than the old text", afterBytes: 3 },
    { text: "short", afterBytes: 3 },
    { text: "short", afterBytes: 0 },
  ])("has the old text again when the disk is full after $afterBytes bytes", async ({ text, afterBytes }) => {
    const { path } = fileWith("the old text");
    linkSync(path, `${path}.second`);
    let left = afterBytes;
    let isFull = false;
    whenOpened((file) => {
      const write: FileHandle["write"] = file.write.bind(file);
      const writeBytes = async (bytes: Uint8Array, at: number, length: number, position: number) => {
        if (left === 0 && !isFull) {
          isFull = true;
          throw refusal("ENOSPC");
        }
        // What was there before has room again.
        const part = isFull ? length : Math.min(left, length);
        left -= part;
        return write(bytes, at, part, position);
      };
      file.write = writeBytes as FileHandle["write"];
    });
    await expect(replaceFile(path, text)).rejects.toThrow("ENOSPC");
    expect(readFileSync(path, "utf8")).toBe("the old text");
  });

  it("is written to beyond its end first: without room there nothing is written over", async () => {
    const { path } = fileWith("the old text");
    linkSync(path, `${path}.second`);
    const places: number[] = [];
    whenOpened((file) => {
      file.write = ((_: Uint8Array, _at: number, _length: number, position: number) => {
        places.push(position);
        return Promise.reject(refusal("ENOSPC"));
      }) as FileHandle["write"];
    });
    await expect(replaceFile(path, "much longer than the old text")).rejects.toThrow("ENOSPC");
    expect(places[0]).toBe("the old text".length);
    expect(readFileSync(path, "utf8")).toBe("the old text");
  });

  it("is not there: what cannot be put in its place leaves nothing", async () => {
    const folder = makeFolder();
    whileTested({ rename: () => Promise.reject(refusal("EBUSY")) });
    await expect(replaceFile(join(folder, "cars.json"), "new")).rejects.toThrow("EBUSY");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("whatever becomes of a file", () => {
  const full = (file: FileHandle): void => {
    file.write = () => Promise.reject(refusal("ENOSPC"));
  };
  it.each<{
    what: string;
    arrange?: (path: string) => void;
    spoil?: (file: FileHandle) => void;
    steps: string[];
  }>([
    { what: "it is replaced", steps: ["another is safe", "another is closed", "another takes its place"] },
    {
      what: "it has a second name",
      arrange: (path) => linkSync(path, `${path}.second`),
      steps: ["it is safe", "it is closed"],
    },
    {
      what: "another cannot have its mode",
      spoil: (file) => {
        file.chmod = () => Promise.reject(refusal("EPERM"));
      },
      steps: ["another is closed", "it is safe", "it is closed"],
    },
    {
      what: "another has no room",
      spoil: (file) => {
        file.writeFile = () => Promise.reject(refusal("ENOSPC"));
      },
      steps: ["another is closed"],
    },
    {
      what: "neither the new text nor the old one has room",
      arrange: (path) => linkSync(path, `${path}.second`),
      spoil: full,
      steps: ["it is closed"],
    },
  ])("all that was opened is closed, and safe before it counts: $what", async ({ arrange, spoil, steps }) => {
    const { path } = fileWith("old");
    const seen: string[] = [];
    arrange?.(path);
    whileTested({
      rename: (...names) => {
        seen.push("another takes its place");
        return system.rename(...names);
      },
    });
    whenOpened((file, opened) => {
      const which = opened === path ? "it" : "another";
      const [sync, close] = [file.sync.bind(file), file.close.bind(file)];
      file.sync = () => sync().then(() => void seen.push(`${which} is safe`));
      file.close = () => close().then(() => void seen.push(`${which} is closed`));
      spoil?.(file);
    });
    await replaceFile(path, "new").catch((error: unknown) => expect(String(error)).toContain("ENOSPC"));
    expect(seen).toEqual(steps);
  });

  it.each(["much longer than the old text", "short", ""])(
    "%j is written in as many parts as the system takes",
    async (text) => {
      const { path } = fileWith("the old text");
      linkSync(path, `${path}.second`);
      whenOpened((file) => {
        const write: FileHandle["write"] = file.write.bind(file);
        file.write = ((bytes: Uint8Array, at: number, length: number, position: number) =>
          write(bytes, at, Math.min(length, 3), position)) as FileHandle["write"];
      });
      await replaceFile(path, text);
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );
});

describe("a file that is replaced", () => {
  it.each([{ uid: 4321 }, { gid: 4321 }])(
    "goes on belonging to whom it belongs, and is nobody else's, before it has a text: %j",
    async (others) => {
      const { path } = fileWith("old");
      const steps: unknown[] = [];
      whenOpened((file, opened) => {
        if (opened === path) return;
        steps.push(["open", statSync(opened).mode & 0o777]);
        const { stat, writeFile } = file;
        file.stat = (async () => Object.assign(await stat.call(file), others)) as typeof stat;
        file.chown = async (...owner) => void steps.push(["chown", ...owner]);
        file.chmod = async (mode) => void steps.push(["chmod", Number(mode) & 0o777]);
        file.writeFile = async (...text) => {
          steps.push("text");
          await writeFile.apply(file, text);
        };
      });
      chmodSync(path, 0o640);
      const { uid, gid } = statSync(path);
      await replaceFile(path, "new");
      expect(steps).toEqual([["open", 0o600], ["chown", uid, gid], ["chmod", 0o640], "text"]);
      expect(readFileSync(path, "utf8")).toBe("new");
    },
  );

  it("may be named by links to where there is nothing yet", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "there", "deep"), { recursive: true });
    symlinkSync(join(folder, "there", "deep"), join(folder, "short"));
    // From within `there/deep`, although it is named by `short`.
    symlinkSync("../second.json", join(folder, "there", "deep", "first.json"));
    symlinkSync("cars.json", join(folder, "there", "second.json"));
    await replaceFile(join(folder, "short", "first.json"), "new");
    expect(readFileSync(join(folder, "there", "cars.json"), "utf8")).toBe("new");
    expect(readFileSync(join(folder, "there", "deep", "first.json"), "utf8")).toBe("new");
    expect(readdirSync(join(folder, "there"))).toEqual(["cars.json", "deep", "second.json"]);
  });

  it("is none where links lead in a circle", async () => {
    const folder = makeFolder();
    symlinkSync("b", join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    await expect(replaceFile(join(folder, "a"), "new")).rejects.toThrow("ELOOP");
  });

  it("may have a name as long as names can be", async () => {
    const path = join(makeFolder(), `${"ü".repeat(125)}.json`);
    await replaceFile(path, "1");
    await replaceFile(path, "2");
    expect(readFileSync(path, "utf8")).toBe("2");
  });
});
