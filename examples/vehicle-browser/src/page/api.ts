import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { pageKey } from "../page-key.js";
import { keepAccessible } from "./keep-accessible.js";

const api = document.querySelector("#api");
if (api) keepAccessible(api);

/** The description of the API as a page, in which it can be tried. Everything comes from this server. */
const viewer = SwaggerUI({
  dom_id: "#api",
  url: "v2/openapi.json",
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: ["get", "head", "options"],
  onComplete: () => viewer.preauthorizeApiKey("apiKey", pageKey),
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = (): boolean => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
