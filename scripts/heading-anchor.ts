/** The anchor of a heading, as GitHub makes it. Of equal headings on a page the second one gets `-1`, which is not done here. */
export function headingAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
