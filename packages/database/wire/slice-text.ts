interface DirectBuffer {
  utf8Slice(start: number, end: number): string;
}

/** `toString` without its look-up of the encoding, which would run for every cell. */
export function sliceText(bytes: Buffer, start: number, end: number): string {
  return (bytes as unknown as DirectBuffer).utf8Slice(start, end);
}
