export { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
export type { CatalogueUnderTest, Restore, TestRunner } from "./describe-catalogue.js";
export { describeCatalogue } from "./describe-catalogue.js";
