import { view } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { asset, emptyAsset, linkToEmail, linkToUrl, tableField } from "../fields.js";
import { numberOf } from "../identifiers.js";
import { t } from "../translated.js";

/** Name, town, country code, coordinates and a line about it: bookshops that keep our books. */
const lines: readonly [
  name: string,
  town: string,
  country: string,
  latitude: number,
  longitude: number,
  about: string,
][] = [
  [
    "The Old Lamp Works",
    "Bristol",
    "GB",
    51.4497,
    -2.5813,
    "Our own shop, on the ground floor, between the stove and the press.",
  ],
  ["Evening Tide", "Whitby", "GB", 54.4863, -0.6133, "Open until the last boat is in."],
  ["The Ferryman's Shelf", "Oban", "GB", 56.4152, -5.471, "Books in the order in which the islands come."],
  ["Page & Drain", "Norwich", "GB", 52.6309, 1.2974, "Has a hatch in the floor, and will open it if asked."],
  ["Compass Rose", "Truro", "GB", 50.2632, -5.051, "Four rooms: north, south, and so on."],
  ["Hexham Sundial", "Hexham", "GB", 54.9719, -2.1014, "Closed on cloudy mornings."],
  ["An Siopa Beag", "Galway", "IE", 53.2707, -9.0568, "Small, as the name says, and warm."],
  ["Slipway Books", "Cork", "IE", 51.8985, -8.4756, "Two steps down, mind your head, ask for the atlases."],
  ["Zum Winkelhaken", "Wien", "AT", 48.2082, 16.3738, "Also sells type, by the gram."],
  ["Turmbuchhandlung", "Graz", "AT", 47.0707, 15.4395, "Below the tower from which the thrushes are counted."],
  ["Buch & Biwak", "Innsbruck", "AT", 47.2692, 11.4041, "Maps on the left, soup on the right."],
  ["Lesehütte", "Linz", "AT", 48.3069, 14.2858, "A shop in a container, moved twice a year."],
  ["Salzkammer", "Hallstatt", "AT", 47.5622, 13.6493, "One wall of books and one of rock."],
  ["Leuchtfeuer", "Bremen", "DE", 53.0793, 8.8017, "The lamp in the window is a real one, third order."],
  ["Nebelhorn", "Hamburg", "DE", 53.5511, 9.9937, "You hear it before you see it."],
  ["Die Setzerei", "Leipzig", "DE", 51.3397, 12.3731, "Poetry to the ceiling; a ladder is provided."],
  ["Libreria del Faro", "Trieste", "IT", 45.6495, 13.7768, "Bora days: ten per cent off everything that stays put."],
  ["Pane e Mappe", "Napoli", "IT", 40.8518, 14.2681, "Half bakery. Please turn pages with the other hand."],
  ["Galleria Notturna", "Torino", "IT", 45.0703, 7.6869, "Opens when the others close."],
  ["La Marée", "Brest", "FR", 48.3904, -4.4861, "Deliveries by bicycle and, twice, by kayak."],
  ["Le Safran", "Lyon", "FR", 45.764, 4.8357, "Under the roof on which it grows."],
  ["Livraria do Cais", "Recife", "BR", -8.0476, -34.877, "A harbour view in every room, one of them painted."],
  ["Última Parada", "Salvador", "BR", -12.9777, -38.5016, "At the terminus of the night bus."],
  ["Casa das Velas", "Ouro Preto", "BR", -20.3855, -43.5036, "Reads best after six."],
  ["Igapó", "Manaus", "BR", -3.119, -60.0217, "On stilts. Bring the book back before the river does."],
  ["Ver-o-Livro", "Belém", "BR", -1.4558, -48.4902, "Next to the market; smells of both."],
  ["Livraria Fim da Linha", "Lisboa", "PT", 38.7223, -9.1393, "Last stop, left-hand side."],
  ["Cola & Cordel", "Porto", "PT", 41.1579, -8.6291, "Bindery at the back, opinions throughout."],
  ["Tyngdpunkt", "Visby", "SE", 57.6348, 18.2948, "A stone building with a stone inside."],
  ["Kaupang Night Books", "Akureyri", "IS", 65.6885, -18.1262, "Open all day in summer, which is all night."],
  ["Sendai Barometer", "Sendai", "JP", 38.2682, 140.8694, "Books and repairs, while you wait and read."],
  ["Equator Optics", "Kisumu", "KE", -0.0917, 34.768, "Telescopes, stationery, our whole Night Sky series."],
];

const countries: readonly [code: string, slug: string, name: string, german: string, portuguese: string][] = [
  ["GB", "united-kingdom", "United Kingdom", "Vereinigtes Königreich", "Reino Unido"],
  ["IE", "ireland", "Ireland", "Irland", "Irlanda"],
  ["AT", "austria", "Austria", "Österreich", "Áustria"],
  ["DE", "germany", "Germany", "Deutschland", "Alemanha"],
  ["IT", "italy", "Italy", "Italien", "Itália"],
  ["FR", "france", "France", "Frankreich", "França"],
  ["BR", "brazil", "Brazil", "Brasilien", "Brasil"],
  ["PT", "portugal", "Portugal", "Portugal", "Portugal"],
  ["elsewhere", "elsewhere", "Elsewhere", "Anderswo", "Outros lugares"],
];

/** Path and town of each shop. */
export const shops = lines.map(([name, town, country]) => ({
  path: `shops/${folderOf(country)}/${slugOf(name)}`,
  name,
  town,
}));

export const shopFolders: readonly DemoFolder[] = [
  {
    path: "shops",
    name: "Shops",
    date: "2021-03-01",
    slugs: { de: "buchhandlungen", "pt-br": "livrarias" },
    position: -20,
  },
  ...countries.map(
    ([, slug, name, german, portuguese], index): DemoFolder => ({
      path: `shops/${slug}`,
      name,
      date: "2021-03-02",
      slugs: { de: slugOf(german), "pt-br": slugOf(portuguese) },
      position: index,
    }),
  ),
];

export const shopStories: readonly DemoStory[] = [
  {
    path: "shops",
    name: t("Shops", "Buchhandlungen", "Livrarias"),
    startpage: true,
    date: "2021-03-01",
    slugs: { de: "buchhandlungen", "pt-br": "livrarias" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("Where to find us", "Wo Sie uns finden", "Onde nos encontrar"),
      intro: t(
        "Thirty-two shops that keep our books, and know where they put them.",
        "Zweiunddreißig Buchhandlungen, die unsere Bücher führen und wissen, wo sie stehen.",
        "Trinta e duas livrarias que têm nossos livros e sabem onde os puseram.",
      ),
      body: countries.map(([code, slug, name]) =>
        blok("shop_group", {
          title: name,
          country: code,
          folder: `shops/${slug}/`,
          anchor: code === "GB" ? "near-you" : "",
        }),
      ),
    }),
  },
  ...lines.map(shopStory),
];

function folderOf(country: string): string {
  return countries.find(([code]) => code === country)?.[1] ?? "elsewhere";
}

function shopStory(line: (typeof lines)[number], index: number): DemoStory {
  const [name, town, country, latitude, longitude, about] = line;
  const seed = numberOf(name);
  const opens = 8 + (seed % 3);
  return {
    path: `shops/${folderOf(country)}/${slugOf(name)}`,
    name,
    date: `2021-0${3 + (index % 6)}-15`,
    position: -5 * index,
    tags: index === 0 ? ["house"] : [],
    translations: ["BR", "PT"].includes(country) ? ["de", "pt-br"] : ["de"],
    content: blok("shop", {
      name,
      about: t(
        about,
        country === "AT" ? "Führt unser ganzes Programm, auch die schmale Ausgabe." : undefined,
        country === "BR" ? "Tem todo o nosso catálogo, inclusive a edição fina." : undefined,
      ),
      picture:
        index % 3 === 0
          ? asset(view(`shop-window-${index % 4}`, "A shop window at dusk"), `The window of ${name}`)
          : emptyAsset(),
      address: `${1 + (seed % 90)} Lamp Street\n${town}`,
      country,
      opening_hours: tableField(
        [t("Day", "Tag", "Dia"), t("Open", "Geöffnet", "Aberto")],
        [t("Monday to Friday", "Montag bis Freitag", "Segunda a sexta"), `${opens}:00-18:00`],
        [t("Saturday", "Samstag", "Sábado"), `${opens + 1}:00-13:00`],
        [
          t("Sunday", "Sonntag", "Domingo"),
          t("closed, but knock", "geschlossen, aber klopfen Sie", "fechado, mas pode bater"),
        ],
      ),
      location: { plugin: "map_pin", latitude, longitude, zoom: 14, show_label: seed % 2 === 0 },
      contact:
        index % 2 === 0 ? linkToEmail(`${slugOf(name)}@shops.example`) : linkToUrl(`https://${slugOf(name)}.example`),
      stocks:
        seed % 3 === 0
          ? ["night-sky", "shore"]
          : ["night-sky", "atlas", "weather", "workshop", "shore", "garden", "walking", "small-hours"],
      step_free: seed % 4 !== 0,
      established: String(1890 + (seed % 130)),
    }),
  };
}
