import type { RelayStatus } from "@wye/relay";
import { byId, html } from "@wye-examples/page-parts/elements";
import type { Board } from "../board-api.js";
import {
  boardFacts,
  connectionVerdict,
  environmentFacts,
  type Fact,
  overallVerdict,
  type Verdict,
} from "./describe-status.js";
import { icon } from "./elements.js";

/** The status document of the relay, drawn for people. */
export interface StatusPanel {
  /** Asks the relay. `board` is what the page knows beside the document. */
  refresh(board: Board): Promise<void>;
}

export function createStatusPanel(): StatusPanel {
  const overall = byId("overall", HTMLElement);
  const environments = byId("environments", HTMLElement);
  const raw = byId("status-json", HTMLElement);
  let shown = "";

  /** Says it once: a live region must not repeat itself. */
  function tell(verdict: Verdict): void {
    if (shown === verdict.title) return;
    shown = verdict.title;
    overall.replaceChildren(...drawVerdict(verdict));
  }

  return {
    async refresh(board) {
      const status = await fetchStatus();
      tell(overallVerdict(status));
      environments.classList.toggle("old", status === undefined);
      if (status === undefined) return;
      const now = Date.now();
      environments.replaceChildren(
        ...Object.entries(status.environments).map(([name, environment]) =>
          html(
            "article",
            { "data-state": environment.connectionStatus.state },
            html("h3", {}, "Environment ", html("code", {}, name)),
            html("p", { class: "verdict" }, ...drawVerdict(connectionVerdict(environment))),
            drawFacts(environmentFacts(environment, now)),
          ),
        ),
        html("article", {}, html("h3", {}, "Traffic"), drawFacts(boardFacts(board, status))),
      );
      raw.textContent = JSON.stringify(status, null, 2);
    },
  };
}

async function fetchStatus(): Promise<RelayStatus | undefined> {
  try {
    const response = await fetch("status", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    // The relay's own document.
    return response.ok ? ((await response.json()) as RelayStatus) : undefined;
  } catch {
    // Whatever went wrong, to the reader it is one thing.
    return undefined;
  }
}

function drawVerdict({ sign, title, words }: Verdict): readonly (Node | string)[] {
  return [icon(sign), html("strong", {}, title), html("span", {}, words)];
}

function drawFacts(facts: readonly Fact[]): HTMLElement {
  const rows = facts.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  return html("dl", {}, ...rows);
}
