/** Something to draw on a page: a line of text, or a filled rectangle. Points from the lower left corner. */
export type PdfMark =
  | { text: string; x: number; y: number; size: number; bold?: boolean; grey?: number }
  | { x: number; y: number; width: number; height: number; colour: [number, number, number] };

/** Pages in A5 as a PDF 1.4 file, set in Helvetica. Texts are Latin-1. */
export function encodePdf(title: string, pages: readonly PdfMark[][]): Uint8Array {
  const pageIds = pages.map((_, index) => 5 + index * 2);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    ...pages.flatMap((marks, index) => {
      const drawing = marks.map(draw).join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${6 + index * 2} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ];
    }),
    `<< /Title (${escaped(title)}) /Producer (Lumen Press) >>`,
  ];
  return Buffer.from(assemble(objects), "latin1");
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

function draw(mark: PdfMark): string {
  if ("text" in mark) {
    const font = mark.bold === true ? "F2" : "F1";
    return `${mark.grey ?? 0.1} g BT /${font} ${mark.size} Tf ${mark.x} ${mark.y} Td (${escaped(mark.text)}) Tj ET`;
  }
  return `${mark.colour.join(" ")} rg ${mark.x} ${mark.y} ${mark.width} ${mark.height} re f`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

/** The objects, the table of where each begins, and the trailer; the last object holds the document information. */
function assemble(objects: readonly string[]): string {
  let file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  const starts = objects.map((object, index) => {
    const start = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const rows = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  return (
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  );
}
