export { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
export type { CatalogueUnderTest, TestRunner } from "./describe-catalogue.js";
export { describeCatalogue } from "./describe-catalogue.js";
