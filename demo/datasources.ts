import type { DatasourceEntryRecord, DatasourceRecord } from "../src/contract/records.js";
import type { Language } from "./space.js";

/** A datasource with its dimensions and rows: name, value, and the value in each language ("" where there is none). */
export interface DemoDatasource {
  record: DatasourceRecord;
  rows: readonly (readonly [name: string, value: string, german?: string, portuguese?: string])[];
}

const created = "2021-02-10T09:12:44.105Z";

/** The lists that editors choose from. */
export const datasources: readonly DemoDatasource[] = [
  datasource(
    61_401,
    "Countries",
    "countries",
    ["de", "pt-br"],
    [
      ["Austria", "AT", "Österreich", "Áustria"],
      ["Australia", "AU", "Australien", "Austrália"],
      ["Belgium", "BE", "Belgien", "Bélgica"],
      ["Brazil", "BR", "Brasilien", "Brasil"],
      ["Canada", "CA", "Kanada", "Canadá"],
      ["Chile", "CL", "Chile", "Chile"],
      ["Croatia", "HR", "Kroatien", "Croácia"],
      ["Denmark", "DK", "Dänemark", "Dinamarca"],
      ["Estonia", "EE", "Estland", "Estônia"],
      ["Finland", "FI", "Finnland", "Finlândia"],
      ["France", "FR", "Frankreich", "França"],
      ["Germany", "DE", "Deutschland", "Alemanha"],
      ["Greece", "GR", "Griechenland", "Grécia"],
      ["Hungary", "HU", "Ungarn", "Hungria"],
      ["Iceland", "IS", "Island", "Islândia"],
      ["Ireland", "IE", "Irland", "Irlanda"],
      ["Italy", "IT", "Italien", "Itália"],
      ["Japan", "JP", "Japan", "Japão"],
      ["Kenya", "KE", "Kenia", "Quênia"],
      ["Netherlands", "NL", "Niederlande", ""],
      ["New Zealand", "NZ", "Neuseeland", ""],
      ["Nigeria", "NG", "Nigeria", "Nigéria"],
      ["Norway", "NO", "Norwegen", "Noruega"],
      ["Poland", "PL", "Polen", "Polônia"],
      ["Portugal", "PT", "Portugal", "Portugal"],
      ["Slovenia", "SI", "Slowenien", ""],
      ["South Africa", "ZA", "Südafrika", "África do Sul"],
      ["Spain", "ES", "Spanien", "Espanha"],
      ["Sweden", "SE", "Schweden", "Suécia"],
      ["Switzerland", "CH", "Schweiz", "Suíça"],
      ["Türkiye", "TR", "Türkei", "Turquia"],
      ["United Kingdom", "GB", "Vereinigtes Königreich", "Reino Unido"],
      ["Elsewhere", "elsewhere", "Anderswo", "Outros lugares"],
    ],
  ),
  datasource(
    61_402,
    "Bindings",
    "bindings",
    ["de"],
    [
      ["sewn", "Sewn", "Fadengeheftet"],
      ["paperback", "Paperback", "Broschur"],
      ["cloth", "Cloth", "Leinen"],
      ["swiss", "Swiss binding", ""],
    ],
  ),
  datasource(
    61_403,
    "Labels",
    "labels",
    ["de", "pt-br"],
    [
      ["nav.books", "Books", "Bücher", "Livros"],
      ["nav.authors", "Authors", "Autoren", "Autores"],
      ["nav.journal", "Journal", "Journal", "Diário"],
      ["nav.events", "Events", "Veranstaltungen", "Eventos"],
      ["nav.shops", "Shops", "Buchhandlungen", "Livrarias"],
      ["nav.help", "Help", "Hilfe", "Ajuda"],
      ["search.placeholder", "Title, author, weather …", "Titel, Name, Wetter …", "Título, autor, tempo …"],
      ["search.empty", "Nothing. Try a shorter word.", "Nichts. Versuchen Sie ein kürzeres Wort.", ""],
      ["basket.add", "Put in basket", "In den Korb", "Pôr na cesta"],
      ["basket.remove", "Put back", "Zurücklegen", "Devolver"],
      ["basket.empty", "Still room.", "Noch Platz.", "Ainda há espaço."],
      ["book.pages", "{count} pages", "{count} Seiten", "{count} páginas"],
      [
        "book.out_of_print",
        "Out of print. Ask anyway.",
        "Vergriffen. Fragen Sie trotzdem.",
        "Esgotado. Pergunte mesmo assim.",
      ],
      ["book.sample", "Read a little", "Hineinlesen", "Ler um trecho"],
      ["event.sold_out", "Full", "Ausgebucht", "Lotado"],
      ["event.seats", "{count} chairs left", "Noch {count} Stühle", ""],
      ["form.name", "Name", "Name", "Nome"],
      ["form.mail", "Mail", "E-Mail", "E-mail"],
      ["form.send", "Send", "Senden", "Enviar"],
      ["form.thanks", "Thank you. We read everything.", "Danke. Wir lesen alles.", "Obrigado. Lemos tudo."],
      ["cookie.text", "We use one cookie. It is oatmeal.", "", ""],
      ["footer.lamp", "The lamp is on", "Die Lampe brennt", "O lampião está aceso"],
      ["footer.dark", "The lamp is off", "Die Lampe ist aus", "O lampião está apagado"],
      ["date.today", "today", "heute", "hoje"],
      ["date.tomorrow", "tomorrow", "morgen", "amanhã"],
      ["error.404", "This page has been lent out.", "Diese Seite ist verliehen.", "Esta página está emprestada."],
      ["error.500", "Ink on the floor. One moment.", "", ""],
    ],
  ),
  datasource(
    61_404,
    "Papers",
    "papers",
    [],
    [
      ["cream-80", "Cream, 80 g"],
      ["cream-90", "Cream, 90 g"],
      ["white-100", "White, 100 g"],
      ["tomato-110", "Tomato, 110 g (not yet)"],
    ],
  ),
  datasource(61_405, "Shipping zones", "shipping-zones", [], []),
];

/** The rows of a datasource as the interface delivers them: for one dimension, or without any. */
export function entriesOf(source: DemoDatasource, dimension: Language | null): DatasourceEntryRecord[] {
  return source.rows.map(([name, value, german, portuguese], index) => ({
    id: source.record.id * 1000 + index,
    name,
    value,
    dimension_value: dimension === null ? null : (dimension === "de" ? german : portuguese) || null,
  }));
}

function datasource(
  id: number,
  name: string,
  slug: string,
  languages: readonly Language[],
  rows: DemoDatasource["rows"],
): DemoDatasource {
  const names = { de: "Deutsch", "pt-br": "Português (Brasil)" };
  const dimensions = languages.map((language, index) => ({
    id: id * 10 + index,
    name: names[language],
    entry_value: language,
    datasource_id: id,
    created_at: created,
    updated_at: created,
  }));
  return { record: { id, name, slug, dimensions }, rows };
}
