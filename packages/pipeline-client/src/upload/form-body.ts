import { joined } from "../http/read-body.js";

/** A form with one file, as it is sent. */
export interface FormBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/**
 * The form of an upload. It is put together here so that it is the same bytes in every runtime, and again when it is sent again.
 *
 * @param random  numbers from 0 to 1, for the boundary
 */
export function formBody(file: Uint8Array, fileName: string, random: () => number): FormBody {
  const encoder = new TextEncoder();
  const boundary = freeBoundary(file, random);
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="uploadfile"; filename="${fileName.replaceAll(/["\r\n]/g, "_")}"`,
    "Content-Type: application/octet-stream",
    "",
    "",
  ].join("\r\n");
  const body = joined([encoder.encode(head), file, encoder.encode(`\r\n--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

/** A boundary that the file does not hold, by chance or by design. */
function freeBoundary(file: Uint8Array, random: () => number): string {
  // Bytes as characters, one for one.
  const text = new TextDecoder("latin1").decode(file);
  for (let attempt = 0; ; attempt++) {
    const number = Math.floor(random() * 2 ** 52).toString(36);
    const boundary = `wye-${number}-${attempt}`;
    if (!text.includes(boundary)) return boundary;
  }
}
