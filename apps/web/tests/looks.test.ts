import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';
import { faults } from './page-looks.ts';
import type { TestPage } from './test-page.ts';

const words = {
  long: 'Wohnungsbaugenossenschaft der Donaudampfschifffahrtsgesellschaft für nachhaltige Beschaffung mbH & Co. KG',
  short: 'A',
  rtl: 'مؤسسة المعارض الدولية للفنون الجميلة والتراث في المنطقة الشرقية المحدودة',
};
type Kind = keyof typeof words | 'empty';
const kinds: readonly Kind[] = isLong ? ['long', 'short', 'rtl', 'empty'] : ['long'];
const widths = isLong ? [1440, 1100, 800, 390] : [1440, 390];

describe('how screens look', () => {
  let app: Gallery;
  let page: TestPage;
  beforeAll(async () => {
    app = await openGallery();
    page = await app.open();
  });
  afterAll(() => app.close());

  /** Records with such texts: a piece with lines, a list with a state, and a visit with figures. */
  const made = new Map<Kind, Promise<{ readonly piece: number; readonly visit: number }>>();
  const fill = (kind: Kind) => {
    const known = made.get(kind) ?? make(kind);
    made.set(kind, known);
    return known;
  };
  const make = async (kind: Kind) => {
    const text = kind === 'empty' ? 'Noon' : words[kind];
    const isEmpty = kind === 'empty';
    const tags = await app.rpc<number[]>('gallery.tag', 'create_many', [
      ['Fragile', 'On loan from Lisbon', 'Insured', 'Without a frame', text.slice(0, 40)].map((tag, at) => ({
        name: `${tag} ${kind} ${at}`,
      })),
    ]);
    const artist_id = isEmpty ? null : await app.make('artist', { name: text, phone: '112' });
    const tag_ids = isEmpty ? [] : [['set', tags]];
    const part = { name: text, artist_id, quantity: 2, price: 1234.5, day: '2026-10-30', tag_ids };
    const piece = await app.make('piece', {
      name: text,
      artist_id,
      tag_ids,
      part_ids: isEmpty ? [] : [1, 2, 3].map(() => ['create', part]),
    });
    const visit = await app.make('visit', {
      name: text,
      piece_id: piece,
      arrives_at: isEmpty ? null : '2026-10-30T18:00:00Z',
      gate: 2599,
      // Its name is then read-only.
      people: kind === 'long' ? 0 : 1,
      ticket: 'A1',
      paid: isEmpty ? null : 123456789012.34,
    });
    return { piece, visit };
  };
  const look = async (name: string): Promise<readonly string[]> => {
    await page.idle();
    return (await page.page.evaluate(faults)).map((fault) => `${name}: ${fault}`);
  };

  it.each(kinds)('SCN-99 nothing overlaps, is squeezed or cut with %s texts, read or edited', async (kind) => {
    const { piece, visit } = await fill(kind);
    const found: string[] = [];
    for (const width of widths) {
      await page.page.setViewportSize({ width, height: 900 });
      const screens = {
        list: '/web?action=gallery.pieces&view_type=list',
        kanban: '/web?action=gallery.pieces&view_type=kanban',
        visits: '/web?action=gallery.visits&view_type=list',
        visit: `/web?action=gallery.visits&view_type=form&id=${visit}`,
        form: `/web?action=gallery.pieces&view_type=form&id=${piece}`,
      };
      for (const [name, path] of Object.entries(screens)) {
        await page.go(path);
        found.push(...(await look(`${name}, ${width} px`)));
        if (name !== 'list' || width < 640) continue;
        await page.click(page.find('checkbox', 'Select all'));
        found.push(...(await look(`selected rows, ${width} px`)));
      }
      const cells = page.page.locator('.form-main .grid-row:not(.grid-head)').first().locator('.grid-cell');
      for (const label of await cells.evaluateAll((all) => all.map((one) => one.getAttribute('data-label')))) {
        const cell = cells.and(page.page.locator(`[data-label="${label}"]`));
        if (label === null || (await cell.and(page.page.locator('.grid-fixed')).count()) > 0) continue;
        await cell.click();
        found.push(...(await look(`${label} of a line, ${width} px`)));
        await page.press('Escape');
      }
    }
    await page.page.setViewportSize({ width: 1440, height: 900 });
    expect(found).toEqual([]);
  });

  it('SCN-99 dates and numbers of a list are whole, and a widget has the width that it asks for', async () => {
    await fill('long');
    await page.page.setViewportSize({ width: 1100, height: 900 });
    await page.go('/web?action=gallery.visits&view_type=list');
    const row = page.page.locator('tr[data-row]').first();
    const cut = await row
      .locator('[data-col]')
      .evaluateAll((all) =>
        all
          .filter((one) => /\d/.test(one.textContent ?? '') && one.scrollWidth > one.clientWidth)
          .map((one) => one.textContent),
      );
    expect(cut).toEqual([]);
    const ticket = page.page.locator('thead th').filter({ hasText: 'Ticket' });
    expect((await ticket.boundingBox())?.width).toBeGreaterThanOrEqual(200);
    await page.page.setViewportSize({ width: 1440, height: 900 });
  });
});
