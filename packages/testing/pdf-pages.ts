import { inflateSync } from 'node:zlib';

type Objects = ReadonlyMap<number, string>;
type Letters = ReadonlyMap<string, string>;

/** The text of each page of a PDF written by pdfkit, decoded with the character maps of its fonts. */
export function pdfPages(bytes: Buffer): string[] {
  const { objects, pages } = readPages(bytes);
  return pages.map((page) => textOf(objects, page));
}

/** The texts of the first page, with their distance from its left edge. */
export function pdfPlaces(bytes: Buffer): readonly { readonly x: number; readonly text: string }[] {
  const { objects, pages } = readPages(bytes);
  const [page = ''] = pages;
  const content = stream(referred(objects, page, 'Contents'));
  const resources = referred(objects, page, 'Resources');
  return [...content.matchAll(/\bBT\n[\s\S]*?1 0 0 -?1 ([\d.]+) [\s\S]*?\bET\b/g)].map(([block, x]) => ({
    x: Number(x),
    text: shownText(objects, block, resources).trim(),
  }));
}

/** Width and height of each page, in points. */
export function pdfSizes(bytes: Buffer): (readonly [number, number])[] {
  return readPages(bytes).pages.map((page) => {
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page) ?? [];
    return [Number(width), Number(height)];
  });
}

function readPages(bytes: Buffer): { readonly objects: Objects; readonly pages: readonly string[] } {
  const objects = new Map<number, string>();
  for (const [, id, body = ''] of bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    objects.set(Number(id), body);
  }
  return { objects, pages: [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)) };
}

function textOf(objects: Objects, page: string): string {
  return shownText(objects, stream(referred(objects, page, 'Contents')), referred(objects, page, 'Resources'));
}

/** The content of a page, or of a drawing on a page. */
function shownText(objects: Objects, content: string, resources: string): string {
  const fonts = new Map<string, Letters>();
  for (const [, name = '', id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    fonts.set(name, mapOf(stream(referred(objects, objects.get(Number(id)) ?? '', 'ToUnicode'))));
  }
  let font: Letters = new Map();
  let text = '';
  for (const [word, name, shown, run, drawing] of content.matchAll(
    /\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ|<([0-9a-f]+)> Tj|\/(\w+) Do|\bET\b/g,
  )) {
    if (name) font = fonts.get(name) ?? new Map();
    else if (run) text += letters(font, run);
    else if (shown !== undefined) {
      for (const [, hex = ''] of shown.matchAll(/<([0-9a-f]+)>/g)) text += letters(font, hex);
    } else if (drawing) {
      const drawn = referred(objects, resources, drawing);
      if (/\/Subtype \/Form/.test(drawn)) text = `${text.trimEnd()} ${shownText(objects, stream(drawn), drawn)}`;
    } else if (word === 'ET' && !text.endsWith('\n')) text += '\n';
  }
  return text;
}

function letters(font: Letters, hex: string): string {
  return (hex.match(/.{4}/g) ?? []).map((glyph) => font.get(glyph) ?? '?').join('');
}

function referred(objects: Objects, body: string, key: string): string {
  const id = new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1];
  return id === undefined ? body : (objects.get(Number(id)) ?? '');
}

function stream(body: string): string {
  const start = body.indexOf('stream\n') + 'stream\n'.length;
  const raw = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1');
  return /FlateDecode/.test(body) ? inflateSync(raw).toString('latin1') : raw.toString('latin1');
}

function mapOf(cmap: string): Letters {
  const map = new Map<string, string>();
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/g)) {
    let glyph = Number.parseInt(from, 16);
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f ]+)>/g)) {
      const codes = (hex.match(/[0-9a-f]{4}/g) ?? []).map((code) => Number.parseInt(code, 16));
      map.set((glyph++).toString(16).padStart(4, '0'), String.fromCharCode(...codes));
    }
  }
  return map;
}
