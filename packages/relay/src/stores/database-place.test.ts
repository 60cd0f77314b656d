import { expect, test } from "vitest";
import { RelayError } from "../error.js";
import { createStoreContext } from "../testing/store-context.js";
import { fillPlace, fillPrefix, type PlaceTemplate } from "./database-place.js";

const given = ({ environment, filter }: { environment: string; filter: string | undefined }) =>
  `${environment}+${filter}`;

test.each<
  [PlaceTemplate, envId: string | undefined, filter: string | undefined, place: string, prefix: string]
>([
  ["ld", "id", undefined, "ld", "ld"],
  ["ld", "id", "web", "ld", "ld/web"],
  ["", undefined, undefined, "", ""],
  ["", undefined, "web", "", "web"],
  ["ld-$CID", "id", undefined, "ld-id", "ld-id"],
  ["ld-$CID", "id", "web", "ld-id.web", "ld-id.web"],
  ["ld-$CID", undefined, undefined, "ld-prod", "ld-prod"],
  ["$CID/$CID", "id", "web", "id.web/id.web", "id.web/id.web"],
  ["ld-$CID", "$&$$", "$`", "ld-$&$$.$`", "ld-$&$$.$`"],
  [given, "id", undefined, "prod+undefined", "prod+undefined"],
  [given, "id", "web", "prod+web", "prod+web"],
  [() => "$CID", "id", "web", "$CID", "$CID"],
])(
  "%s with the ID %s and the filter %s is %j as a place and %j as a prefix",
  (template, envId, filter, place, prefix) => {
    const context = createStoreContext({ environment: "prod", envId, filter });
    expect(fillPlace(template, context)).toBe(place);
    expect(fillPrefix(template, context)).toBe(prefix);
  },
);

test("an environment without an ID goes by its name, which has its filter already", () => {
  const context = createStoreContext({ environment: "prod/web", filter: "web" });
  expect(fillPlace("ld-$CID", context)).toBe("ld-prod/web");
});

test.each<[() => unknown, string]>([
  [async () => "x", "must give text, not a promise"],
  [() => null, "must give text, not null"],
  [() => 5, "must give text, not number"],
  [
    () => {
      throw new Error("no tenant");
    },
    "has thrown",
  ],
])("a function of the host that gives no text is told so: %s", (template, problem) => {
  const fill = () => fillPlace(template as () => string, createStoreContext({ environment: "prod" }));
  expect(fill).toThrow(RelayError);
  expect(fill).toThrow(`the function for "prod" that names a place in the database ${problem}`);
});

test("what a function of the host has thrown is the cause", () => {
  const cause = new Error("no tenant");
  const fill = () =>
    fillPlace(() => {
      throw cause;
    }, createStoreContext());
  expect(fill).toThrow(expect.objectContaining({ code: "invalid_options", cause }));
});
