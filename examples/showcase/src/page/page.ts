interface Health {
  readonly status: string;
  readonly uptimeMs: number;
}

const line = document.querySelector("#health");

/** Tells whether the server that sent the page is still there. */
async function showHealth(): Promise<void> {
  if (!line) return;
  try {
    const response = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Our own server's answer; its shape is tested there.
    const health = (await response.json()) as Health;
    line.className = "health up";
    line.textContent = `Up for ${duration(health.uptimeMs)}`;
  } catch {
    // Whatever went wrong, to the reader it is one thing.
    line.className = "health down";
    line.textContent = "The server does not answer";
  }
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Code can be copied with one press. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    block.after(button);
  }
}

addCopyButtons();
void showHealth();
setInterval(() => void (document.visibilityState === "visible" && showHealth()), 5000);
