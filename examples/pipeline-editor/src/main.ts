import { createServer } from "node:http";
import { createPipelineEditor } from "./pipeline-editor.js";

const edit = createPipelineEditor();
const server = createServer((request, response) =>
  edit(request, response, () => response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n")),
);
const port = Number(process.env.PORT ?? 8040);
server.on("error", (error) => {
  console.error(`The pipeline editor cannot start: ${error.message}`);
  process.exitCode = 1;
});
server.listen(port, "127.0.0.1", () => {
  console.log(`The pipeline editor is at http://127.0.0.1:${port}/ (Ctrl+C ends it)`);
});
