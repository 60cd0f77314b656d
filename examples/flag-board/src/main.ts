import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createFlagBoard, type FlagBoard } from "./flag-board.js";

let board: FlagBoard | undefined;

/** Says why, and lets the process end: what a board keeps running would keep it. */
function giveUp(error: unknown): void {
  console.error(`The flag board cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  void board?.close();
}

try {
  const file = process.argv[2];
  const { handler, close } = createFlagBoard({
    logger: console,
    ...(file === undefined ? {} : { flags: readFileSync(file, "utf8") }),
  });
  board = { handler, close };
  const server = createServer((request, response) =>
    handler(request, response, () =>
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n"),
    ),
  );
  const port = Number(process.env.PORT ?? 8040);
  server.on("error", giveUp);
  server.listen(port, "127.0.0.1", () => {
    console.log(`The flag board is at http://127.0.0.1:${port}/ (Ctrl+C ends it)`);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      server.close();
      void close().then(() => server.closeAllConnections());
    });
  }
} catch (error) {
  giveUp(error);
}
