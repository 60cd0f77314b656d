import { serveChecks } from "../check/serve-checks.js";

serveChecks(self);
