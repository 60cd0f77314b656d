import type { FakeRequest } from "./fake-request.js";

/** The file of an upload. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Takes the part `uploadfile` out of a form; undefined when there is none. */
export function uploadedFile({ headers, body }: FakeRequest): UploadedFile | undefined {
  const boundary = /^multipart\/form-data\b.*\bboundary="?([^";]+)"?/i.exec(
    headers["content-type"] ?? "",
  )?.[1];
  if (boundary === undefined) return undefined;
  // A byte is a character.
  const text = new TextDecoder("latin1").decode(body);
  const mark = `--${boundary}`;
  let at = text.indexOf(mark);
  while (at >= 0) {
    const head = text.indexOf("\r\n\r\n", at);
    const end = text.indexOf(`\r\n${mark}`, at + mark.length);
    if (head < 0 || end < 0) return undefined;
    // Nothing is between the head and the end of an empty file.
    const from = Math.min(head + 4, end);
    const names = text.slice(at, from);
    if (/\bname="?uploadfile"?[;\r]/i.test(names)) {
      return { name: /\bfilename="([^"]*)"/i.exec(names)?.[1] ?? "", bytes: body.slice(from, end) };
    }
    at = end + 2;
  }
  return undefined;
}
