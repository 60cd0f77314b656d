import { expect, test } from "vitest";
import { vehicleRules } from "../../records/vehicle-rules.js";
import { brandParameters, vehicleParametersFor } from "./parameter-table.js";

const documented = vehicleParametersFor(vehicleRules());

test("each parameter has the words and the example that tell it from the others", () => {
  expect(documented.map(({ name, description, example }) => `${name}=${example}: ${description}`)).toEqual([
    "filter[id]=72475a6a-aae2-da13-1d17-94cc07e5104f: Only vehicles with these ids, separated by commas. Unknown ids select nothing.",
    "filter[manufacturer.id]=a43d2607-eead-46c2-9fd5-2ebd3c49d895: Only vehicles of the brands with these ids, separated by commas.",
    "fields[car]=model,variant,manufacturer: Only these fields of cars, separated by commas; just id and type for an empty value.",
    "fields[motorbike]=model,variant,manufacturer: Only these fields of motorbikes, separated by commas; just id and type for an empty value.",
    "fields[vehicle_brand]=name: Only these fields of brands, separated by commas; none for an empty value.",
    "page[size]=50: Most vehicles in the answer.",
    "page[number]=1: Which page; beyond the last one there are no vehicles.",
    "q=VW ID3: Fuzzy search over brand, model and variant, best first, at most 25 results. Not together with a filter.",
    "include=manufacturer: Brands are included anyway; an empty value leaves them out.",
  ]);
});

test("brands have the parameter of their fields alone", () => {
  expect(brandParameters).toEqual([documented.find(({ name }) => name === "fields[vehicle_brand]")]);
});
