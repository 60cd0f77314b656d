const repository = "https://github.com/wye/wye";

const ways = {
  Pipelines: "/#pipelines",
  Vehicles: "/#vehicles",
  Relay: "/#relay",
  Docs: `${repository}/tree/main/docs`,
  Source: repository,
};

/** Stands above each page: the way to the start, to the other legs, and to the code. */
export const banner: string = `<link rel="stylesheet" href="/banner.css">
  <nav class="banner" aria-label="Wye">
    <a class="home" href="/"><img src="/icon.svg" alt="" width="20" height="20">Wye</a>
    ${Object.entries(ways)
      .map(([name, address]) => `<a href="${address}">${name}</a>`)
      .join("\n    ")}
  </nav>`;
