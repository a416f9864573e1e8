/** The facts of the demo space that everything else refers to. The organisation is invented, and so is its host. */
export const space = {
  id: 290817,
  name: "Lumen Press",
  domain: "https://www.lumenpress.example/",
  /** 2025-09-15T12:00:00Z; no timestamp of the space is later. */
  cv: 1_757_937_600,
  /** Language codes beside the default language, which is English. */
  languages: ["de", "pt-br"],
  /** "Autumn list": its id is larger than 2^31, as ids of releases are. */
  release: 124_105_888_551_306,
  assetHost: "assets.lumenpress.example",
  webhookEndpoint: 90_417,
} as const;

/** A language that stories are translated to. */
export type Language = (typeof space.languages)[number];
