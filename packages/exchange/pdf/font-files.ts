import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Resolved through the package, because the built server is in another folder than the sources. */
const locate = createRequire(import.meta.url);

/** The fonts of printed text; a character uses the first one that covers it. */
export interface FontFiles {
  readonly regular: string;
  readonly bold: string;
  /** For characters that those do not cover. */
  readonly further: readonly string[];
  /** The bold ones among them; bold text tries these first. */
  readonly furtherBold: readonly string[];
}

/**
 * The paths of the shipped fonts: Noto Sans for Latin, Cyrillic and Greek, then Arabic (Vazirmatn), Hebrew, Chinese with Japanese
 * kana, and Korean.
 * ```ts
 * const { regular, further } = fontFiles();
 * export const inOrder = [regular, ...further];
 * ```
 */
export function fontFiles(): FontFiles {
  return {
    regular: shipped('noto-sans-regular.ttf'),
    bold: shipped('noto-sans-bold.ttf'),
    furtherBold: [shipped('vazirmatn-bold.woff'), shipped('noto-sans-hebrew-bold.woff')],
    further: [
      shipped('vazirmatn-regular.woff'),
      shipped('noto-sans-hebrew-regular.woff'),
      inPackage('@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'),
      inPackage('@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'),
    ].filter((file) => file !== null),
  };
}

function shipped(file: string): string {
  return locate.resolve(`@kontor/exchange/fonts/${file}`);
}

/** Null if it was left out: its characters are boxes then. */
function inPackage(name: string, file: string): string | null {
  try {
    const path = join(dirname(locate.resolve(name)), '../fonts', file);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
