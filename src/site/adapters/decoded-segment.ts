/** A decoded path segment, or the segment itself if its encoding is broken. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
