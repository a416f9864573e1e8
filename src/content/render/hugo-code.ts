/** `{{< figure >}}` → `{{</* figure *\/>}}`, which Hugo shows as the former. Undefined if a delimiter stands alone. */
export function quoteHugoCode(value: string): string | undefined {
  const quoted = value
    .replace(/\{\{<((?:(?!\{\{[<%]|>\}\})[\s\S])*)>\}\}/g, "{{</*$1*/>}}")
    .replace(/\{\{%((?:(?!\{\{[<%]|%\}\})[\s\S])*)%\}\}/g, "{{%/*$1*/%}}");
  return readByHugo(quoted) === value ? quoted : undefined;
}

function readByHugo(text: string): string | undefined {
  let result = "";
  let rest = text;
  for (;;) {
    const start = rest.search(/\{\{[<%]|<!--\s*more/);
    if (start === -1) return result + rest;
    const left = rest.slice(start, start + 3);
    const right = left === "{{<" ? ">}}" : "%}}";
    const end = rest.indexOf(`*/${right}`, start + 3);
    if (!rest.startsWith("/*", start + 3) || end < start + 5) return undefined;
    result += rest.slice(0, start) + left + rest.slice(start + 5, end) + right;
    rest = rest.slice(end + 2 + right.length);
  }
}
