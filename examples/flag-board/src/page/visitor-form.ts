import { byId } from "@wye-examples/page-parts/elements";

/** Who visits the shop. */
export interface Visitor {
  readonly kind: "user";
  readonly key: string;
  readonly plan: string;
  readonly country: string;
}

/** The form that says who visits; `changed` is called with everybody new. */
export function createVisitorForm(changed: (visitor: Visitor) => void): { readonly visitor: Visitor } {
  const form = byId("visitor", HTMLFormElement);
  const key = byId("visitor-key", HTMLInputElement);
  const plan = byId("visitor-plan", HTMLSelectElement);
  const country = byId("visitor-country", HTMLSelectElement);
  const read = (): Visitor => ({
    kind: "user",
    // A context must have a key.
    key: key.value.trim() || "nobody",
    plan: plan.value,
    country: country.value,
  });
  let visitor = read();
  function look(): void {
    const next = read();
    if (JSON.stringify(next) === JSON.stringify(visitor)) return;
    visitor = next;
    changed(visitor);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  form.addEventListener("change", look);
  byId("somebody", HTMLButtonElement).addEventListener("click", () => {
    key.value = `visitor-${Math.floor(Math.random() * 10_000)}`;
    look();
  });
  return {
    get visitor() {
      return visitor;
    },
  };
}
