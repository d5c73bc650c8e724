import type { Env } from '@kontor/orm';
import { createTestKernel, pdfPages, pdfPlaces, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTable, drawText } from '../document/blocks.ts';
import { chooseFont } from '../document/draw-sheet.ts';
import { openSheet, type Sheet } from '../document/sheet.ts';
import { inSeenOrder } from '../pdf/right-to-left.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const print = (draw: (sheet: Sheet) => void | Promise<void>, lang: string | null = null) =>
  world.work(async (env: Env) => {
    const sheet = await openSheet(env, { title: 'A list', author: 'Library', lang });
    await draw(sheet);
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

describe('CST-8 long texts of a sheet', () => {
  const count = 3000;
  const long = Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
  const draws: Readonly<Record<string, (sheet: Sheet) => Promise<void>>> = {
    'a text': (sheet) => drawText(sheet, long),
    'a cell': (sheet) => drawTable(sheet, 'Text', [{ label: 'Count', width: 60 }], [[long, '7']]),
  };

  it.each(Object.entries(draws))(
    'CST-8 %s is printed whole over pages, and others are served meanwhile',
    async (_, draw) => {
      let turns = 0;
      let isDrawing = true;
      const turn = () => {
        turns++;
        if (isDrawing) setImmediate(turn);
      };
      const pdf = await print(async (sheet) => {
        setImmediate(turn);
        await draw(sheet);
        isDrawing = false;
      });
      expect(turns).toBeGreaterThan(long.length / 2_000);
      const pages = pdfPages(pdf);
      expect(pages.length).toBeGreaterThan(2);
      const printed = new Set(pages.join(' ').match(/w\d+/g));
      expect(printed.size).toBe(count);
    },
  );

  it('CST-8 a word without an end is cut between its letters', async () => {
    const faces = '😀'.repeat(900);
    expect(pdfPages(await print((sheet) => drawText(sheet, faces)))).toHaveLength(1);
    const pages = pdfPages(await print((sheet) => drawText(sheet, 'x'.repeat(2500))));
    expect(pages.join('').replaceAll(/[^x]/g, '')).toHaveLength(2500);
  });
});

/** How it stands on paper from left to right. */
const seen = (text: string): string => [...text].reverse().join('');

describe('LNG-3 from right to left', () => {
  const draw = async (sheet: Sheet): Promise<void> => {
    sheet.write('عرض سعر S00042', { bold: true });
    sheet.write('رقم (12) من ‏1,234.50 €');
    sheet.write('שלום (עולם)');
    await drawTable(sheet, 'الكمية', [{ label: 'السعر', width: 60, align: 'right' }], [['Desk', '5']]);
  };

  it('LNG-3 Arabic and Hebrew stand in the order in which they are read, with numbers and Latin words the other way', async () => {
    const [page = ''] = pdfPages(await print(draw, 'ar_AE'));
    expect(page).not.toContain('□');
    expect(page).toContain(`S00042 ${seen('عرض سعر')}`);
    expect(page).toContain(`€ 1,234.50 ${seen('من')} (12) ${seen('رقم')}`);
    expect(page).toContain(seen('שלום )עולם('));
    expect(page).toContain(`1 ${seen('من')} 1 ${seen('صفحة')}`);
  });

  long('LNG-3 the whole sheet is mirrored for who reads it so, and not for others', async () => {
    const xOf = (pdf: Buffer, words: string) => pdfPlaces(pdf).find(({ text }) => text === words)?.x ?? Number.NaN;
    const [arabic, english] = await Promise.all(['ar_AE', 'en_US'].map((lang) => print(draw, lang)));
    expect(xOf(arabic as Buffer, seen('الكمية'))).toBeGreaterThan(500);
    expect(xOf(arabic as Buffer, seen('السعر'))).toBeLessThan(60);
    expect(xOf(arabic as Buffer, 'Desk')).toBeGreaterThan(500);
    expect(xOf(english as Buffer, seen('الكمية'))).toBe(50);
  });
});

it('LNG-3 what is nested is turned around from the deepest on', () => {
  const line = (levels: string) => [...levels].map((level, at) => ({ at, level: Number(level) }));
  const order = (levels: string) => inSeenOrder(line(levels)).map(({ at }) => at);
  expect(order('0011100')).toEqual([0, 1, 4, 3, 2, 5, 6]);
  expect(order('1122111')).toEqual([6, 5, 4, 2, 3, 1, 0]);
  expect(order('')).toEqual([]);
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
