import { byId, html } from "@wye-examples/page-parts/elements";

/** What the flags decide about the shop. */
export interface ShopFlags {
  readonly banner: string;
  readonly buttonColour: string;
  readonly expressCheckout: boolean;
  readonly freeDeliveryFrom: number;
}

const price = 18;
const colours = ["green", "violet", "amber"];

/** Draws the shop as its visitor sees it. */
export function createShop(bought: (how: string) => void): { show(flags: ShopFlags): void } {
  const banner = byId("banner", HTMLElement);
  const delivery = byId("delivery", HTMLElement);
  const thanks = byId("thanks", HTMLElement);
  const buttons = byId("buy", HTMLElement);
  return {
    show({ banner: text, buttonColour, expressCheckout, freeDeliveryFrom }) {
      banner.textContent = text;
      delivery.textContent =
        freeDeliveryFrom <= price ? "Free delivery" : `€ 4 delivery, free from € ${freeDeliveryFrom}`;
      const wanted = expressCheckout ? ["Buy now", "Add to basket"] : ["Add to basket"];
      const colour = colours.includes(buttonColour) ? buttonColour : "plain";
      const made = wanted.map((name, at) => {
        const button = html(
          "button",
          { type: "button", class: at === 0 ? `buy ${colour}` : "buy plain" },
          name,
        );
        button.addEventListener("click", () => {
          thanks.textContent = "Thank you. The SDK has told the relay.";
          bought(name);
        });
        return button;
      });
      // The same buttons stay, so that the keyboard does not lose its place.
      const shown = [...buttons.children].map((one) => `${one.textContent} ${one.className}`).join();
      if (shown !== made.map((one) => `${one.textContent} ${one.className}`).join())
        buttons.replaceChildren(...made);
    },
  };
}
