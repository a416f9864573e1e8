import { remembered } from "./remembered.js";
import { synonyms, wordSet } from "./word-list.js";

/** In lower case and in English, without numbers behind them: `ctaLabel2`, `cta-label` → `cta`, `label`. */
export const fieldWords = remembered((field: string): readonly string[] =>
  nounLast(rawWords(field)).flatMap(inEnglish),
);

/** In Romance languages the word that says what it holds is the first: `titre_section`, `couleur_texte`. */
function nounLast(words: readonly string[]): readonly string[] {
  const [first = "", ...others] = words;
  return /^(?:titre|titulo|título|titolo|nom|nome|couleur|colore)$/.test(first) ? [...others, first] : words;
}

function rawWords(field: string): string[] {
  return field
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(withoutNumber)
    .filter((word, index) => word !== "" && (index === 0 || !/^\d+$/.test(word)));
}

/** Words of names in German, French, Spanish, Italian and Dutch, and short forms, each behind the English word; without marks. */
const english =
  synonyms(`title titel titre titulo titolo intitule ttl; heading ueberschrift uberschrift kop; headline schlagzeile hdl;
  sub unter sous onder; sub-title sottotitolo subtitulo subline; kicker dachzeile; text texte texto testo tekst txt;
  description beschreibung descripcion descrizione beschrijving desc; content inhalt contenu contenido contenuto inhoud;
  caption bildunterschrift bildtext legende bijschrift onderschrift didascalia leyenda cap; note hinweis notiz nota remarque opmerking;
  color farbe couleur colore kleur; alignment ausrichtung alignement alineacion uitlijning; spacing abstand espacement;
  columns spalten spaltenanzahl colonnes colonne columnas kolommen; width breite largeur ancho breedte;
  height hohe hoehe hauteur altura hoogte; size grosse groesse taille; style stil stile stijl estilo;
  speed geschwindigkeit vitesse velocidad velocita snelheid; image bild imagen immagine afbeelding img;
  link lien enlace collegamento lnk; button bouton boton bottone pulsante knop btn; label beschriftung libelle etiqueta lbl;
  placeholder platzhalter segnaposto; message nachricht messaggio mensaje; success erfolg succes exito successo;
  question q frage pregunta domanda vraag; answer antwort reponse respuesta risposta antwoord; quote zitat citaat cita citazione;
  testimonial temoignage testimonio testimonianza kundenstimme; author autor auteur autore; role funktion fonction funcion funzione functie;
  price preis prix precio prezzo prijs; currency wahrung waehrung devise moneda valuta; name nom nome nombre naam bezeichnung nm;
  number zahl num numero nummer; step schritt etape paso passo passaggio stap; value wert valeur valor valore waarde;
  unit einheit unite unidad unita eenheid; amount menge betrag quantite montant cantidad importe quantita importo hoeveelheid bedrag; period zeitraum periode periodo;
  address adresse anschrift direccion indirizzo adres; street strasse rue calle straat; zip plz postleitzahl postcode;
  city ort stadt ville ciudad citta; country land pays pais paese; phone telefon telephone telefono telefoon tel;
  fax telefax telecopie; latitude latitudine latitud breitengrad; longitude longitudine longitud langengrad laengengrad;
  date datum fecha; day jour dia giorno dag wochentag; year jahr annee jaar; company firma; from von van; to bis tot;
  first-name vorname prenom firstname voornaam; last-name nachname lastname surname apellido apellidos cognome achternaam`);

/** A word in English, if it is known; of a German compound both parts: `unterueberschrift` → `sub`, `heading`. */
function inEnglish(word: string): readonly string[] {
  const parts = /^(.+)(titel|tekst|nummer|(?:ue|ü)berschrift|farbe|kleur|abstand|ausrichtung|breite|h(?:oe|ö)he)$/.exec(
    word,
  );
  return english.get(withoutMarks(word))?.split("-") ?? parts?.slice(1).flatMap(inEnglish) ?? [word];
}

/** Editors write `unità` as `unita`, `überschrift` also as `uberschrift`. */
function withoutMarks(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
}

/** The word without the digits at its end, but for its first character. */
function withoutNumber(word: string): string {
  let end = word.length;
  while (end > 1 && /\d/.test(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** The last word of a field's name, which says what it holds: `title_tag` → `tag`; "" without letters. */
export function lastWord(field: string): string {
  return fieldWords(field).at(-1) ?? "";
}

export function isPostalCode(field: string): boolean {
  return /^(?:zip(?: code)?|postal code|code postal|c[oó]digo postal)$/.test(fieldWords(field).join(" "));
}

export function fieldLabel(field: string): string {
  const words = rawWords(field).join(" ");
  return words === "" ? field : words.charAt(0).toUpperCase() + words.slice(1);
}

const headings = ["headline", "heading", "title", "name", "header"];
/** Words that make a name the heading of a part of the block, such as `link_title`. */
const notOfBlock = wordSet(
  "sub link button cta image picture photo img seo meta og twitter alt icon internal job role position",
);

/** How well a name fits a heading, 0 being the best: first those that are such a word, then those that end so. */
export function headingRank(field: string): number | undefined {
  const words = fieldWords(field);
  const rank = headings.indexOf(words.at(-1) ?? "");
  if (rank === -1) return undefined;
  if (words.length === 1) return rank;
  return words.some((word) => notOfBlock.has(word)) ? undefined : rank + headings.length;
}
