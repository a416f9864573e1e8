/** A segment of a path percent-decoded; as it is where its encoding is broken. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
