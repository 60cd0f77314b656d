import type { Server } from "node:net";

/**
 * How many connections of SDKs a process that may open so many files can have. A tenth of them, and some more, are not for SDKs: event
 * posts, upstream, databases, certificates, logs and operators need them.
 */
export function mostConnections(files: number = openFilesLimit()): number {
  return Math.max(1, Math.floor((files * 9) / 10 - Math.min(keptFree, files / 3)));
}

/** 64 are for event posts, as many as a relay makes at a time. */
const keptFree = 96;

/** What `ulimit -n` says; on systems without it, no limit. */
function openFilesLimit(): number {
  // Node types the report as an object of which nothing is known.
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}

/**
 * Closes connections above a number, and says so when it is reached. A process that has used up its files can do nothing any more, and
 * a worker could not even be handed the connections that it is to close: the supervisor would keep them for ever. Node's own
 * `maxConnections` has workers hand them to each other instead.
 */
export function limitConnections(server: Server, most: number, reached: () => void): void {
  let open = 0;
  let wasTold = false;
  server.on("connection", (socket) => {
    if (open >= most) {
      socket.destroy();
      if (!wasTold) reached();
      wasTold = true;
      return;
    }
    open++;
    socket.once("close", () => {
      open--;
      if (open < most / 2) wasTold = false;
    });
  });
}
