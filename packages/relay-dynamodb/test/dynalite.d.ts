declare module "dynalite" {
  import type { Server } from "node:http";

  /** Makes a server in pure JavaScript that speaks like DynamoDB and keeps everything in memory. */
  function dynalite(options: { readonly createTableMs: number }): Server;
  export = dynalite;
}
