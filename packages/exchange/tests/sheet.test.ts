import type { Env } from '@kontor/orm';
import { createTestKernel, pdfPages, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseFont, drawTable, openSheet, type Sheet } from '../document/sheet.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const print = (draw: (sheet: Sheet) => void, lang: string | null = null) =>
  world.work(async (env: Env) => {
    const sheet = await openSheet(env, { title: 'A list', author: 'Library', lang });
    draw(sheet);
    return sheet.close('Library  ·  A list');
  });

describe('a sheet', () => {
  it('EXP-14 writes texts one below the other, and goes on over pages with a footer and a number on each', async () => {
    const pdf = await print((sheet) => {
      for (let row = 1; row <= 120; row++) sheet.write(`Paragraph ${row}`);
    });
    const pages = pdfPages(pdf);
    expect(pages).toHaveLength(3);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Library  ·  A list');
      expect(page).toContain(`Page ${index + 1} of 3`);
    }
    expect(pages[0]).toContain('Paragraph 1\n');
    expect(pages.at(-1)).toContain('Paragraph 120');
  });

  it('EXP-14 says the number of the page in the language of the reader', async () => {
    expect(pdfPages(await print(() => {}, 'de_DE'))[0]).toContain('Seite 1 von 1');
    expect(pdfPages(await print(() => {}, 'fr_FR'))[0]).toContain('Page 1 sur 1');
    expect((await print(() => {}, 'de_DE')).toString('latin1')).toContain('/Lang (de-DE)');
  });

  it('EXP-14 repeats the head of a table on every page and keeps a row whole', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => [`Book ${index + 1}\nin two lines`, `${index + 1}`]);
    const pages = pdfPages(
      await print((sheet) => drawTable(sheet, 'Title', [{ label: 'Days', width: 60, align: 'right' }], rows)),
    );
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) {
      expect(page).toContain('Title');
      expect(page).toContain('Days');
      expect(page.match(/Book \d+/g)).toHaveLength(page.match(/in two lines/g)?.length ?? 0);
    }
  });

  it('EXP-14 leaves the place of a picture empty that it cannot draw', async () => {
    const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64');
    const pdf = await print((sheet) => {
      sheet.image(webp, { x: 50, y: 50, width: 100, height: 50 });
      sheet.write('below');
    });
    expect(pdfPages(pdf)[0]).toContain('below');
  });
});

const letters: Readonly<Record<string, string>> = { latin: 'abc ', arabic: 'لمن', both: 'abc日本' };
const has = (font: string, point: number) => (letters[font] ?? '').includes(String.fromCodePoint(point));
const choose = (text: string) => chooseFont(text, ['latin', 'arabic', 'both'], has);

it('EXP-14 takes the first font that has every letter, else the one that has most', () => {
  expect(choose('abc cab')).toBe('latin');
  expect(choose('')).toBe('latin');
  expect(choose('من')).toBe('arabic');
  expect(choose('a日本')).toBe('both');
  expect(choose('日本c☎')).toBe('both');
  expect(choose('☎')).toBe('latin');
});
