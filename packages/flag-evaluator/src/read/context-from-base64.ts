import { describeType } from "../json.js";
import { failure } from "./context-failure.js";
import { type ContextResult, type ParseContextOptions, parseContext } from "./parse-context.js";

// A byte order mark is kept, so that the JSON parser refuses it as the reference does.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads a context from base64 text, as it stands in the path of evaluation requests: of the URL-safe or the standard
 * alphabet, padded or not, line breaks ignored. Failures with code `base64` mean the encoding, others the context.
 */
export function contextFromBase64(text: string, options: ParseContextOptions = {}): ContextResult {
  // Programs without types pass what they like.
  if (typeof text !== "string") return failure("base64", "", `expected text, got ${describeType(text)}`);
  const json = decodeBase64(text);
  return json === undefined
    ? failure("base64", "", "the text is not base64 (URL-safe or standard alphabet, padded or not)")
    : parseContext(json, options);
}

function decodeBase64(text: string): string | undefined {
  const joined = text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]/g, "") : text;
  // What `atob` takes beside the alphabets.
  if (joined.includes(" ") || joined.includes("\t") || joined.includes("\f")) return undefined;
  const binary = binaryOf(joined.replaceAll("-", "+").replaceAll("_", "/"));
  // Most contexts are ASCII, and then the bytes are the text.
  if (binary === undefined || !/[\u0080-\u00ff]/.test(binary)) return binary;
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return decoder.decode(bytes);
}

function binaryOf(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}
