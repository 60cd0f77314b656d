import { describe, expect, test } from "vitest";
import { jsonApiMediaType as api } from "../../protocol.js";
import { checkContentType, negotiateMediaType } from "./media-type.js";

const json = "application/json";
const refused = "NOT_ACCEPTABLE";

describe("the label of a document", () => {
  test.each([
    [undefined, api],
    [null, api],
    ["", api],
    [" ", api],
    ["*/*", api],
    ["application/*", api],
    [json, json],
    [`${json};charset=utf-8`, json],
    [`${json}, ${api}`, api],
    [`${json}, ${api};q=0.9`, json],
    [`${json};q=0.4, */*;q=0.5`, api],
    [`${json}, application/*;q=0.9, */*;q=0.1`, json],
    [`${api};q=0.1, ${json};q=0.5, ${api};q=0.9`, api],
    [`*/*, ${api};q=0`, json],
    [`*/*, ${json};q=0`, api],
    // What others may be like is none of our business.
    ["text/html;level=1, */*;q=0.8", api],
    [`text/html;level=1, ${json}`, json],
    [`${api};profile="https://a.example"`, api],
    [`${api};ext=""`, api],
    [`${api};ext=" ";profile=a`, api],
    [`${api};q=0.5`, api],
    [`${api};charset=utf-8, ${api}`, api],
    [`${api};charset=utf-8, ${json}, ${api};q=0.5`, json],
    [`${api};charset=utf-8`, refused],
    [`${api};ext="";charset=utf-8`, refused],
    [`${api};profile=a;charset=utf-8`, refused],
    [`${api};q=1;charset=utf-8`, refused],
    [`${api};ext=a`, refused],
    [`${api};charset=utf-8, ${json}, */*`, refused],
    ["text/html", refused],
    ["text/*", refused],
    ["*/*;q=0", refused],
  ])("for %j is %s", (accept, label) => {
    const chosen = negotiateMediaType(accept);
    expect(typeof chosen === "string" ? chosen : chosen.errors[0]?.code).toBe(label);
  });

  test("is refused with the header to blame, and with what is wrong with it", () => {
    const refusals = [`${api};a=b`, "text/html"].map((accept) => negotiateMediaType(accept));
    expect(refusals).toMatchObject([
      {
        status: 406,
        errors: [{ detail: expect.stringMatching(/without parameters/), source: { header: "Accept" } }],
      },
      { status: 406, errors: [{ detail: `There are ${api} and ${json}.`, source: { header: "Accept" } }] },
    ]);
  });
});

describe("the label of what is sent", () => {
  test.each([undefined, null, "", "text/html;charset=utf-8", api, `${api};profile=a`, `${api};ext=""`])(
    "%j is taken",
    (contentType) => {
      expect(checkContentType(contentType)).toBeUndefined();
    },
  );

  test.each([`${api};charset=utf-8`, `${api.toUpperCase()}; charset=utf-8`, `${api};ext=a`, `${api};q=1`])(
    "%j is refused",
    (contentType) => {
      expect(checkContentType(contentType)).toMatchObject({
        status: 415,
        errors: [{ code: "UNSUPPORTED_MEDIA_TYPE", source: { header: "Content-Type" } }],
      });
    },
  );
});
