import { view } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import { asset, emptyAsset, linkToEmail, linkToUrl } from "../fields.js";
import { numberOf } from "../identifiers.js";
import { fill } from "../template.js";

type Shop = Content["shops"]["shops"][number];

/** Path of the page of a shop. */
export function shopPath({ folder, name }: Shop): string {
  return `shops/${folder}/${slugOf(name)}`;
}

/** The page of each bookshop that keeps our books. */
export function shopStories({ shops, "opening-hours": hours }: Content["shops"]): DemoStory[] {
  return shops.map((shop, index) => {
    const { name, town, country, latitude, longitude, about } = shop;
    const slug = slugOf(name);
    const seed = numberOf(name);
    const opens = 8 + (seed % 3);
    return {
      path: shopPath(shop),
      name,
      date: `2021-0${3 + (index % 6)}-15`,
      position: -5 * index,
      tags: index === 0 ? ["house"] : [],
      translations: ["BR", "PT"].includes(country) ? ["de", "pt-br"] : ["de"],
      content: blok("shop", {
        name,
        about,
        picture:
          index % 3 === 0
            ? asset(view(`shop-window-${index % 4}`, "A shop window at dusk"), `The window of ${name}`)
            : emptyAsset(),
        address: `${1 + (seed % 90)} Lamp Street\n${town}`,
        country,
        opening_hours: fill(hours, { opens, opensOnSaturday: opens + 1 }),
        location: { plugin: "map_pin", latitude, longitude, zoom: 14, show_label: seed % 2 === 0 },
        contact: index % 2 === 0 ? linkToEmail(`${slug}@shops.example`) : linkToUrl(`https://${slug}.example`),
        stocks:
          seed % 3 === 0
            ? ["night-sky", "shore"]
            : ["night-sky", "atlas", "weather", "workshop", "shore", "garden", "walking", "small-hours"],
        step_free: seed % 4 !== 0,
        established: String(1890 + (seed % 130)),
      }),
    };
  });
}
