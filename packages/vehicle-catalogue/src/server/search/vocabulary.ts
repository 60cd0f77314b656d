/** What people call brands, by the folded word they type. */
export const brandAliases: ReadonlyMap<string, string> = new Map([
  ["vw", "volkswagen"],
  ["merc", "mercedes benz"],
  ["mercedes", "mercedes benz"],
  ["mb", "mercedes benz"],
  ["benz", "mercedes benz"],
  ["zero", "zero motorcycles"],
  ["chevy", "chevrolet"],
  ["mitsu", "mitsubishi"],
  ["jag", "jaguar"],
  ["harley", "harley davidson"],
  ["landrover", "land rover"],
  ["bimmer", "bmw"],
]);

/** Words that tell nothing apart in a catalogue of electric vehicles. They count, but little, beside other words. */
export const fillerWords: ReadonlySet<string> = new Set([
  "electric",
  "elektro",
  "elektrisch",
  "electrique",
  "electrico",
  "elettrica",
  "ev",
  "bev",
]);
