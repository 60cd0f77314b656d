import { expect, test } from "vitest";
import { uploadedFile } from "./upload-form.js";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const uploaded = (type: string | undefined, body: string) =>
  uploadedFile({
    ...{ method: "POST", path: "/", query: new URLSearchParams(), body: bytes(body) },
    headers: { "content-type": type },
  });
const part = (head: string, content: string) => `--b\r\n${head}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string) =>
  part(`Content-Disposition: form-data; name="uploadfile"; filename="${name}"`, content);
const form = "multipart/form-data; boundary=b";

test.each<readonly [type: string, body: string, name: string, content: string]>([
  [form, `${file("p.yaml", "a: 1")}--b--\r\n`, "p.yaml", "a: 1"],
  [form, `${file("", "")}--b--`, "", ""],
  [form, `${file("p.yaml", "x\r\n\r\ny --b z")}--b--`, "p.yaml", "x\r\n\r\ny --b z"],
  [form, `${file("p.yaml", "ä\u0000\u00ff")}--b--`, "p.yaml", "ä\u0000\u00ff"],
  ['Multipart/Form-Data; charset=x; boundary="b"; x=y', `${file("p.yaml", "a")}--b--`, "p.yaml", "a"],
  [
    form,
    `${part('Content-Disposition: form-data; name="other"', "o")}${file("p.yaml", "a")}${part('Content-Disposition: form-data; name="more"', "m")}--b--`,
    "p.yaml",
    "a",
  ],
  [form, `${part("Content-Disposition: form-data; name=uploadfile", "a")}--b--`, "", "a"],
  [form, `preamble\r\n${file("p.yaml", "a")}--b--`, "p.yaml", "a"],
])("a form as %j has its file: %j", (type, body, name, content) => {
  expect(uploaded(type, body)).toEqual({ name, bytes: bytes(content) });
});

test.each<readonly [type: string | undefined, body: string]>([
  [undefined, `${file("p.yaml", "a")}--b--`],
  ["application/json", `${file("p.yaml", "a")}--b--`],
  ["multipart/form-data", `${file("p.yaml", "a")}--b--`],
  ["x multipart/form-data; boundary=b", `${file("p.yaml", "a")}--b--`],
  ["multipart/form-data; boundary=c", `${file("p.yaml", "a")}--b--`],
  [form, ""],
  [form, "--b--"],
  [form, `--b\r\nContent-Disposition: form-data; name="uploadfile"; filename="p"\r\n\r\na`],
  [form, `--b\r\nContent-Disposition: form-data; name="uploadfile"\r\n--b--`],
  [form, `${part('Content-Disposition: form-data; name="uploadfiles"', "a")}--b--`],
  [form, `${part('Content-Disposition: form-data; name="xuploadfile"', "a")}--b--`],
  [form, `${part('Content-Disposition: form-data; xname="uploadfile"', "a")}--b--`],
])("a form as %j without a file has none: %j", (type, body) => {
  expect(uploaded(type, body)).toBeUndefined();
});
