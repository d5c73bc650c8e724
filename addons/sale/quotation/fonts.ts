import { createRequire } from 'node:module';

const locate = createRequire(import.meta.url);

/** Noto Sans with Latin, Cyrillic and Greek. Found by package, since the built server lies elsewhere than the sources. */
export function fontFiles(): { readonly regular: string; readonly bold: string } {
  return {
    regular: locate.resolve('@addons/sale/static/noto-sans-regular.ttf'),
    bold: locate.resolve('@addons/sale/static/noto-sans-bold.ttf'),
  };
}
