import { createServer } from "node:http";
import { answerMalformedRequest, watchCatalogueFile } from "@wye/vehicle-catalogue/server";
import { createVehicleBrowser, dataFile } from "./vehicle-browser.js";

try {
  const { catalogue } = await watchCatalogueFile(process.argv[2] ?? dataFile, { logger: console });
  const { loaded, problems, repairs } = catalogue.report;
  console.log(`${loaded} vehicles, ${problems.length} problems, ${repairs.length} repairs`);
  const browse = createVehicleBrowser({ catalogue, logger: console });
  const server = createServer({ maxHeaderSize: 32_768 }, (request, response) =>
    browse(request, response, () =>
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n"),
    ),
  );
  server.on("clientError", answerMalformedRequest);
  const port = Number(process.env.PORT ?? 8040);
  server.on("error", (error) => {
    console.error(`The vehicle browser cannot start: ${error.message}`);
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`The vehicle browser is at http://127.0.0.1:${port}/ (Ctrl+C ends it)`);
  });
} catch (error) {
  console.error(
    `The vehicle browser cannot start: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}
