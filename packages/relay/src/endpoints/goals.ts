import { sendEmpty } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { namesTag } from "../http/names-tag.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import { joinVary } from "../http/vary.js";

/** Headers of a browser that upstream may use. */
const passedOn = [
  "accept",
  "accept-language",
  "origin",
  "referer",
  "user-agent",
  "x-launchdarkly-user-agent",
];

/** `/sdk/goals/{envId}`: what upstream says, or kept from before. */
export async function proxyGoals(exchange: Exchange): Promise<void> {
  const { req, res, environment, headers, downloads } = exchange;
  const sent: Record<string, string> = {};
  for (const name of passedOn) {
    const value = req.headers[name];
    if (typeof value === "string") sent[name] = value;
  }
  const mark = req.url?.indexOf("?") ?? -1;
  const answer = await environment.goals.get(mark < 0 ? "" : (req.url?.slice(mark) ?? ""), sent);
  if (hasGone(res)) return;
  if (answer === undefined) {
    // Whose environment is gone no longer waits for upstream.
    if (!refuseIfGone(exchange)) sendEmpty(res, 502, headers);
    return;
  }
  const { vary, ...others } = answer.headers;
  const all = {
    ...headers,
    ...others,
    Vary: joinVary(String(headers.Vary), String(vary ?? "")),
    ...(answer.fromCache ? { "X-From-Cache": "1" } : {}),
  };
  if (typeof others.etag === "string" && namesTag(req.headers["if-none-match"], others.etag)) {
    sendEmpty(res, 304, all);
    return;
  }
  res.writeHead(answer.status, { ...all, "Content-Length": answer.body.length });
  downloads.end(res, answer.body);
}
