/** A book of the backlist; a title that is not translated is "" in that language. */
export interface BookLine {
  title: string;
  german: string;
  portuguese: string;
  /** Slug of the first author. */
  author: string;
  year: number;
  pages: number;
  price: number;
  pitch: string;
}

/**
 * The backlist by series. Two lines a book: titles in English, German and Portuguese (`-`: not translated), first author,
 * year, pages and price; then what the book is about.
 */
const tables: Readonly<Record<string, string>> = {
  "night-sky": `
    The Pocket Zenith | Zenit für die Tasche | O zênite de bolso | noor-rahimi | 2016 | 96 | 12.50
      What stands straight above you, for each hour of the year, from any place where you can lie down.
    A Catalogue of Errors | Ein Katalog der Irrtümer | Um catálogo de erros | noor-rahimi | 2019 | 184 | 19.00
      Nineteen stars that never existed, and the careful people who saw them.
    Drainpipe Astronomy | - | Astronomia de cano | samuel-otieno | 2021 | 128 | 16.00
      Build a telescope in a weekend, then spend ten years learning to look through it.
    Six Winters at the Dome | Sechs Winter in der Kuppel | - | oskar-lindholm | 2018 | 240 | 22.00
      A diary of cold, coffee and the slow business of measuring one star properly.
    Faint Things | Schwache Dinge | Coisas tênues | rosalind-achebe | 2022 | 208 | 21.00
      An astronomer on what can only be seen by looking slightly to one side.
    The Moon for Beginners | Der Mond für Anfänger | A Lua para principiantes | adaeze-okonjo | 2023 | 112 | 14.00
      Everything an eleven-year-old asked about the moon, answered at last.
    Stars of the Southern Wharf | - | Estrelas do cais do sul | ignatius-farrell | 2020 | 152 | 18.00
      A harbour, a thermos and the sky of forty-three degrees south.
    How Dark Is Dark | Wie dunkel ist dunkel | - | oskar-lindholm | 2024 | 176 | 20.00
      A history of night in five places that still have one.
    The Sundial Keeper | Die Hüterin der Sonnenuhr | A guardiã do relógio de sol | agnes-thornbury | 2017 | 144 | 17.00
      Forty dials, one temper, and the sixteen minutes by which the sun is late.
    Light on a Schedule | - | - | adaeze-okonjo | 2025 | 168 | 19.50
      Why the sky is punctual, and how anyone ever noticed.
  `,
  atlas: `
    Atlas of Small Crossings | Atlas der kleinen Überfahrten | Atlas das pequenas travessias | ciaran-doyle | 2015 | 216 | 24.00
      Eighty ferries that take less than twenty minutes, and why you should miss one on purpose.
    Rivers That Moved | Flüsse, die umzogen | Rios que se mudaram | rafael-quintela | 2018 | 256 | 26.00
      Maps of water before and after, with the villages that had to choose.
    The Bread Volcano | Der Brotvulkan | - | matteo-sorrentino | 2021 | 120 | 18.00
      Relief maps made in a kitchen, with recipes for both the mountain and the lunch.
    Corrections to the Globe | Berichtigungen zum Globus | Correções ao globo | iskander-bey | 2019 | 192 | 22.00
      A dealer in second-hand worlds on every country he had to paint over.
    End of the Line | Endstation | Fim da linha | vasco-meireles | 2022 | 224 | 19.00
      Twenty-two tram termini and the walks that lead home from them.
    Below Street Level | - | - | gideon-marsh | 2014 | 248 | 21.00
      A surveyor's love letter to drains, culverts and the rivers nobody has seen.
    The Night Bus Gazetteer | Ortsverzeichnis der Nachtbusse | Guia do ônibus noturno | paulo-vidigal | 2023 | 136 | 15.00
      A city between one and five, stop by stop, written at red lights.
    Islands You Can Wade To | Inseln zum Hinwaten | - | selma-demir | 2020 | 160 | 18.50
      Bring the tide table on page nine, and somebody who can read it.
    A Map of One Field | Karte eines Feldes | Mapa de um campo | sofia-lindqvist | 2024 | 104 | 16.00
      One hectare, four seasons, and a wall that took eleven years.
    Tunnels and Daylight | Tunnel und Tageslicht | - | bruno-castellan | 2016 | 200 | 23.00
      Everything an engineer understood about the sun while he was out of it.
  `,
  weather: `
    Eleven Words for Rain | Elf Wörter für Regen | Onze palavras para chuva | yuki-amamiya | 2017 | 132 | 15.00
      A dictionary that gets wetter as it goes on.
    The Hut Book | Das Hüttenbuch | - | lukas-brandauer | 2019 | 312 | 28.00
      A hundred and four years of weather above the tree line, in four handwritings.
    Barometers and Other Letters | Barometer und andere Briefe | Barômetros e outras cartas | jun-takemori | 2020 | 176 | 19.00
      People who send an instrument to be repaired tend to explain what it has been through.
    A Year of Proverbs, Tested | Ein Jahr Bauernregeln, geprüft | Um ano de provérbios, testados | kaja-nowicka | 2022 | 192 | 17.50
      Red sky at night: right on 61 days of 94.
    Fog, a Portrait | Nebel, ein Porträt | Névoa, um retrato | hanne-osterby | 2018 | 144 | 32.00
      Seventy photographs in which, if you wait, there is something.
    What the Wind Was Called | Wie der Wind hieß | - | edda-jonsdottir | 2021 | 160 | 18.00
      Names for moving air, collected from people who had to go out in it.
    Cloud Bookkeeping | - | Contabilidade das nuvens | marguerite-delorme | 2023 | 148 | 16.50
      Rain counted to the gram, on one roof, for the sake of a purple flower.
    Thunder for Cooks | Donner für Köche | - | etienne-marchal | 2015 | 116 | 14.50
      Heavy weather, seen from the only room on a ship where everything is on gimbals.
    The Rainfall of Durban | - | - | thandiwe-mokoena | 2024 | 88 | 13.00
      Poems measured in millimetres.
    Frost Dates | Frosttage | Datas de geada | harriet-okafor-lane | 2016 | 124 | 15.50
      When to trust the ground, from a garden where many people are waiting for news.
  `,
  workshop: `
    The Composing Stick | Der Winkelhaken | O componedor | wendell-abara | 2013 | 168 | 20.00
      Setting type by hand, and what it teaches about saying less.
    A Short Book About Glue | Ein kurzes Buch über Leim | Um livro curto sobre cola | beatriz-salgueiro | 2016 | 80 | 11.00
      It holds together.
    Lamp Works | Die Lampenfabrik | - | clara-penhaligon | 2012 | 264 | 25.00
      The rise, flicker and afterglow of a factory that is now our office.
    Glass, Mostly | Glas, vor allem | Vidro, principalmente | petra-zsolnay | 2019 | 196 | 22.00
      A physicist goes home to her mother's furnace.
    Signal Flags | Signalflaggen | Bandeiras de sinais | dmitri-valk | 2021 | 128 | 24.00
      How to say forty things across two miles of water without raising your voice.
    What Gold Does | - | O que o ouro faz | luzia-fontoura | 2020 | 152 | 23.50
      Leaf, candle, patience: notes from the altars of Minas.
    Dry Stone, Wet Weather | Trockenmauern bei Regen | - | sofia-lindqvist | 2018 | 140 | 17.00
      How to build a wall without mortar, and why to begin in the rain.
    The Lift Mechanic's Mountains | Die Berge der Liftmechanikerin | - | leonie-kastner | 2023 | 184 | 19.00
      Forty years of going up for work and coming down for lunch.
    Ink Recipes | Tintenrezepte | Receitas de tinta | wendell-abara | 2022 | 72 | 12.00
      Soot, oak gall, walnut, patience. Aprons recommended.
    The Mended Globe | - | - | iskander-bey | 2025 | 136 | 18.00
      Repair as an argument about geography.
  `,
  shore: `
    The Harbour Lights | Die Hafenlichter | As luzes do porto | mira-vossberg | 2011 | 288 | 27.00
      The book that started this house: fifty lighthouses, their keepers, and the last night of each lamp.
    Radio Silence | Funkstille | Silêncio no rádio | ines-halloran | 2014 | 208 | 18.00
      Thirty years of listening for ships that had nothing to say.
    Every Morning the Harbour | Jeden Morgen der Hafen | Todas as manhãs o porto | tomas-aguiar | 2017 | 320 | 34.00
      Eleven thousand drawings of one view; here are three hundred and twelve.
    The Seasick Reader | Seekrank lesen | - | freya-ashdown | 2019 | 172 | 16.00
      Great voyages, described for people who would rather not.
    Tide Tables | Gezeitentafeln | Tábua de marés | selma-demir | 2021 | 236 | 19.00
      A novel in which the sea arrives on time and nobody else does.
    Keepers' Children | Die Kinder der Wärter | Os filhos dos faroleiros | mira-vossberg | 2018 | 224 | 21.00
      What it is to grow up in a house with one very bright room.
    Swimming Before Breakfast | - | Nadar antes do café | thandiwe-mokoena | 2020 | 96 | 13.50
      Ninety-six pages, all of them cold.
    The Ferry Waits | Die Fähre wartet | - | ciaran-doyle | 2022 | 188 | 17.00
      On foot from slipway to slipway, with a sandwich for the crew.
    The Cook's Log | Logbuch des Kochs | - | etienne-marchal | 2024 | 212 | 20.00
      Nine expeditions, told by the one man on board whom everybody visits.
    Lamps of the South Coast | - | - | clara-penhaligon | 2025 | 156 | 22.00
      A field guide to what still shines between Ramsgate and Land's End.
  `,
  garden: `
    The Hospital Garden | Der Krankenhausgarten | O jardim do hospital | harriet-okafor-lane | 2018 | 176 | 18.00
      A garden is the only ward where everybody is expected to get better.
    Saffron on the Roof | Safran auf dem Dach | - | marguerite-delorme | 2016 | 132 | 16.00
      Accounts of a very small harvest, kept very well.
    Five in the Morning | - | Cinco da manhã | aurora-pimentel | 2021 | 164 | 19.00
      The forest tunes up. With a list of who comes in when.
    Bees and Other Tenants | Bienen und andere Mieter | - | agnes-thornbury | 2020 | 148 | 15.00
      Advice from a landlady of forty thousand.
    Night Migration | Nachtzug | Migração noturna | anselm-riedl | 2019 | 204 | 20.50
      What passes over a sleeping town in October, by ear.
    Moss Is Not in a Hurry | Moos hat es nicht eilig | O musgo não tem pressa | hanne-osterby | 2022 | 108 | 17.00
      Forty kinds, one magnifying glass, no schedule.
    The Wall Fruit Book | - | - | sofia-lindqvist | 2023 | 120 | 18.00
      Pears grown flat, on walls built in the other book.
    Weeds of the Railway | Unkraut der Eisenbahn | - | vasco-meireles | 2024 | 152 | 17.50
      Botany at walking pace, between platforms.
    A Bird List for Insomniacs | Vogelliste für Schlaflose | - | anselm-riedl | 2017 | 92 | 12.00
      Every entry is a reason to stay awake.
    The River Orchard | - | O pomar do rio | rafael-quintela | 2025 | 140 | 18.00
      What grows on land that is only sometimes land.
  `,
  walking: `
    Slipway to Slipway | - | - | ciaran-doyle | 2013 | 196 | 16.00
      The coast, in the order in which your feet find it.
    The Walk Back | Der Rückweg | O caminho de volta | vasco-meireles | 2016 | 180 | 16.50
      You have been going there for years. Have you ever been coming back?
    Church Towers by Night | Kirchtürme bei Nacht | - | anselm-riedl | 2021 | 128 | 15.00
      With permission of eleven sextons and one very old dog.
    A Thousand Steps Up | Tausend Stufen hinauf | Mil degraus acima | leonie-kastner | 2019 | 144 | 15.50
      Staircases of the Alps, with a chapter on knees.
    Forty Days of Drizzle | - | - | gideon-marsh | 2018 | 212 | 17.00
      Along the watershed of England, looking down.
    The Long Wharf | Der lange Kai | O cais comprido | tomas-aguiar | 2020 | 104 | 19.00
      Four kilometres of quay, one sketchbook, no hurry.
    Walking for Listeners | Gehen und Hören | Caminhar e ouvir | aurora-pimentel | 2023 | 136 | 16.00
      Twelve walks with your eyes closed. Please read the safety page.
    Hut to Hut, Slowly | Langsam von Hütte zu Hütte | - | lukas-brandauer | 2022 | 168 | 17.00
      The same route as everybody, in three times the time.
    The Volcano's Lower Slopes | - | - | matteo-sorrentino | 2017 | 156 | 18.00
      Where the vines are, and the people who know when to leave.
    Dark Lanes | Dunkle Wege | - | freya-ashdown | 2025 | 120 | 15.00
      Country walking after the last bus, with and without a torch.
  `,
  "small-hours": `
    Transfer Tickets | Umsteigekarten | Bilhetes de baldeação | paulo-vidigal | 2015 | 112 | 13.00
      Poems as long as the paper they were first written on.
    The Dark Half | Die dunkle Hälfte | - | edda-jonsdottir | 2018 | 188 | 17.00
      Essays from a newspaper that is printed before dawn, which is in March.
    Candle Hours | Kerzenstunden | Horas de vela | luzia-fontoura | 2017 | 124 | 14.00
      Restoration is mostly waiting. This is what she thought about.
    Letters to a Younger Lamp | Briefe an eine jüngere Lampe | - | clara-penhaligon | 2019 | 96 | 12.00
      Advice on burning steadily.
    The Unsent Barometer | - | - | jun-takemori | 2022 | 144 | 15.00
      A novel in repair slips.
    Soup for Astronomers | Suppe für Astronomen | Sopa para astrônomos | rosalind-achebe | 2020 | 160 | 21.00
      Large dinners for people who get up at dusk.
    On Being Late | Vom Zuspätkommen | Sobre chegar tarde | selma-demir | 2023 | 104 | 13.00
      A defence, delivered after the deadline.
    Flags for Quiet People | - | - | dmitri-valk | 2024 | 88 | 14.00
      A code of forty signals for use at home.
    The Lantern Alphabet | Das Laternenalphabet | O alfabeto das lanternas | mira-vossberg | 2021 | 64 | 16.00
      Twenty-six lights, for reading aloud before they are put out.
    Things Heard on the Ice | Gehört auf dem Eis | - | ignatius-farrell | 2025 | 132 | 16.00
      Short pieces by a man who counts for a living.
  `,
};

/** The backlist by slug of its series. */
export const booksBySeries: ReadonlyMap<string, readonly BookLine[]> = new Map(
  Object.entries(tables).map(([series, table]) => [series, readTable(table)]),
);

function readTable(table: string): BookLine[] {
  const lines = table.trim().split("\n");
  return lines.flatMap((line, index) => (index % 2 === 0 ? [readBook(line, lines[index + 1] ?? "")] : []));
}

function readBook(line: string, pitch: string): BookLine {
  const cells = line.split("|").map((cell) => cell.trim());
  const [title = "", german = "", portuguese = "", author = "", year, pages, price] = cells;
  const translation = (cell: string) => (cell === "-" ? "" : cell);
  return {
    title,
    german: translation(german),
    portuguese: translation(portuguese),
    author,
    year: Number(year),
    pages: Number(pages),
    price: Number(price),
    pitch: pitch.trim(),
  };
}
