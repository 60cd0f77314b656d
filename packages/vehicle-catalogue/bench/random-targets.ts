import { fleet, openDataSize } from "./fleet.js";

const vehicles = fleet(openDataSize);

/** A small generator of numbers from 0 to 1: the same targets in every process. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(17);
const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
const names = [
  "model",
  "variant",
  "manufacturer",
  "release_year",
  "usable_battery_size",
  "dc_max_power",
  "ev_type",
];

const list = (): string =>
  `/v2/vehicles?page[size]=${pick([10, 20, 25, 50, 100])}&page[number]=${1 + Math.floor(random() * 6)}`;
const byIds = (): string => {
  const ids = Array.from({ length: 1 + Math.floor(random() * 30) }, () => pick(vehicles).id);
  return `/v2/vehicles?filter[id]=${ids}`;
};
const byBrand = (): string => `/v2/vehicles?filter[manufacturer.id]=${pick(vehicles).manufacturer.id}`;
const withFields = (): string => {
  const fields = names.filter(() => random() < 0.5);
  return `/v2/vehicles?page[number]=${pick([1, 2, 3])}&fields[car]=${fields}&fields[motorbike]=${fields}`;
};
const typed = (): string => {
  const { manufacturer, model } = pick(vehicles);
  const text = `${manufacturer.name} ${model}`;
  return `/v2/vehicles?q=${encodeURIComponent(text.slice(0, 2 + Math.floor(random() * text.length)))}&page[size]=8`;
};

/** What an app asks for, without searches: 20 lists to 25 lists of ids, 10 brands and 10 sparse fieldsets. */
export const mixedTargets: readonly string[] = Array.from({ length: 3000 }, () => {
  const what = random() * 65;
  return what < 20 ? list() : what < 45 ? byIds() : what < 55 ? byBrand() : withFields();
});

/** What somebody types, letter by letter. */
export const searchTargets: readonly string[] = Array.from({ length: 1000 }, typed);
