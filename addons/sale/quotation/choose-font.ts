/** Whether a font has a picture for a character. */
export type HasGlyph = (font: string, codePoint: number) => boolean;

/**
 * The first font that can write all of a text, else the one that can write most of it: a line is written in one font, so that
 * scripts that join their letters do.
 */
export function chooseFont(text: string, fonts: readonly [string, ...string[]], has: HasGlyph): string {
  const [usual] = fonts;
  const wanted = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0).filter((point) => point > 32);
  let best = usual;
  let fewest = Number.POSITIVE_INFINITY;
  for (const font of fonts) {
    const missing = wanted.filter((point) => !has(font, point)).length;
    if (missing === 0) return font;
    if (missing < fewest) [best, fewest] = [font, missing];
  }
  return best;
}
