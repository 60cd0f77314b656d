import { expect, test } from "vitest";
import { brandAliases, fillerWords } from "./vocabulary.js";

test("each short name stands for the brand that people mean by it", () => {
  expect(Object.fromEntries(brandAliases)).toEqual({
    vw: "volkswagen",
    merc: "mercedes benz",
    mercedes: "mercedes benz",
    mb: "mercedes benz",
    benz: "mercedes benz",
    zero: "zero motorcycles",
    chevy: "chevrolet",
    mitsu: "mitsubishi",
    jag: "jaguar",
    harley: "harley davidson",
    landrover: "land rover",
    bimmer: "bmw",
  });
});

test("what every vehicle of the catalogue is, in the languages of its users, tells nothing apart", () => {
  expect([...fillerWords].sort()).toEqual([
    ...["bev", "electric", "electrico", "electrique", "elektrisch", "elektro", "elettrica", "ev"],
  ]);
});
