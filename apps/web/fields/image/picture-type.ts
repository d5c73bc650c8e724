const starts: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** Base64 from the wire as an `img` source; null if it is not an image. */
export function pictureSource(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const type = starts.find(([start]) => value.startsWith(start))?.[1];
  return type ? `data:${type};base64,${value}` : null;
}
