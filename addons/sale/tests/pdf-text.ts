import { inflateSync } from 'node:zlib';

/** The words of a PDF as pdfkit writes it: each page's text through the character maps of its fonts. */
export function pdfPages(bytes: Buffer): string[] {
  const objects = new Map<number, string>();
  for (const [, id, body = ''] of bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    objects.set(Number(id), body);
  }
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.map((page) => textOf(objects, page));
}

function textOf(objects: ReadonlyMap<number, string>, page: string): string {
  const resources = referred(objects, page, 'Resources');
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  for (const [, name = '', id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    fonts.set(name, mapOf(stream(referred(objects, objects.get(Number(id)) ?? '', 'ToUnicode'))));
  }
  let font: ReadonlyMap<string, string> = new Map();
  let text = '';
  for (const [, name, shown] of stream(referred(objects, page, 'Contents')).matchAll(
    /\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g,
  )) {
    if (name) font = fonts.get(name) ?? new Map();
    else {
      for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]+)>/g)) {
        text += (hex.match(/.{4}/g) ?? []).map((glyph) => font.get(glyph) ?? '?').join('');
      }
      text += '\n';
    }
  }
  return text;
}

function referred(objects: ReadonlyMap<number, string>, body: string, key: string): string {
  const id = new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1];
  return id === undefined ? body : (objects.get(Number(id)) ?? '');
}

function stream(body: string): string {
  const start = body.indexOf('stream\n') + 'stream\n'.length;
  const raw = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1');
  return /FlateDecode/.test(body) ? inflateSync(raw).toString('latin1') : raw.toString('latin1');
}

function mapOf(cmap: string): ReadonlyMap<string, string> {
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
