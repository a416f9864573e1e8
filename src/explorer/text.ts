/** Digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 story`, `1,204 stories` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `512 B`, `1.4 MB` */
export function byteSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `380 ms`, `12.3 s`, `4 min` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** `40 s`, `12 min`, `5 h`, `9 d`: how long ago something was. */
export function age(ms: number): string {
  const units: [text: string, ms: number][] = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
  ];
  const [text, unitMs] = units.find(([, each]) => ms >= 2 * each) ?? ["s", 1000];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${text}`;
}

/** `2024-02-01 09:30` of an ISO date; any other text as it is. */
export function shortDate(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return "–";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace("T", " ") : iso;
}

/** `default` is the language that a story is written in. */
export function languageName(language: string): string {
  return language === "default" ? "default language" : language;
}

/** A text cut to so many characters, with a sign that there is more. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
