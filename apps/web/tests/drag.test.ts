import { isLong } from '@kontor/testing';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, signIn } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place where things are dragged: it shows `a`, `b` and `c` in this order. */
interface Place {
  readonly names: readonly string[];
  path(): string;
  /** The element of a thing that is pressed and that takes the keys. */
  handle(name: string): Locator;
  shown(): Promise<readonly string[]>;
  /** The order as the server has it. */
  saved(): Promise<readonly string[]>;
  /** Where nothing is kept until the record is saved. */
  save?(): Promise<void>;
  /** The keys that lead from the first place to the second. */
  readonly onwards: string;
}

describe('things that have an order', () => {
  let app: Gallery;
  let page: TestPage;
  let room: number;
  let piece: number;
  beforeAll(async () => {
    app = await openGallery({ apps: ['gallery', 'contacts', 'product', 'project'] });
    room = await app.make('room', { name: 'Hall' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<{ id: number }[]>('gallery.piece', 'search_read', [[], ['id']]);
    await app.rpc('gallery.piece', 'unlink_many', [old.map(({ id }) => id)]);
    [piece = 0] = await app.rpc<number[]>('gallery.piece', 'create_many', [
      ['Dawn', 'Noon', 'Dusk'].map((name, at) => ({
        name,
        sequence: (at + 1) * 10,
        room_id: room,
        part_ids: ['Canvas', 'Frame', 'Hook'].map((part, n) => ['create', { name: part, sequence: (n + 1) * 10 }]),
      })),
    ]);
    await pin(['contacts', 'product', 'project']);
  });
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const pin = async (modules: readonly string[]) => {
    const { cookie, csrf } = await signIn(app.url);
    const headers = { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf };
    await fetch(`${app.url}/web/user/pinned-apps`, { method: 'POST', headers, body: JSON.stringify({ modules }) });
  };
  const titles = (selector: string) => page.page.locator(selector).allInnerTexts();
  const piecesInOrder = async () => {
    const found = await app.rpc<{ name: string }[]>('gallery.piece', 'search_read', [[], ['name']]);
    return found.map(({ name }) => name);
  };
  const places: Readonly<Record<string, Place>> = {
    'cards of a board': {
      names: ['Dawn', 'Noon', 'Dusk'],
      path: () => '/web?action=gallery.pieces&view_type=kanban',
      handle: (name) => page.page.locator('.kanban-title', { hasText: name }),
      shown: () => titles('section[aria-label="Hall"] .kanban-title'),
      saved: piecesInOrder,
      onwards: 'ArrowDown',
    },
    'rows of a list': {
      names: ['Dawn', 'Noon', 'Dusk'],
      path: () => '/web?action=gallery.pieces&view_type=list',
      handle: (name) => page.find('button', `Move ${name}`),
      shown: () => titles('tr[data-row] [data-col="0"]'),
      saved: piecesInOrder,
      onwards: 'ArrowDown',
    },
    'lines of a form': {
      names: ['Canvas', 'Frame', 'Hook'],
      path: () => `/web?action=gallery.pieces&view_type=form&id=${piece}`,
      handle: (name) => page.page.locator('.grid-row', { hasText: name }).locator('.grid-grip'),
      shown: () => titles('.grid-row:not(.grid-head) .grid-cell:nth-child(2)'),
      async saved() {
        const found = await app.look<{ part_ids: { name: string }[] }>('piece', piece, [{ part_ids: ['name'] }]);
        return found.part_ids.map(({ name }) => name);
      },
      save: () => page.press('Control+s'),
      onwards: 'ArrowDown',
    },
    'pinned apps': {
      names: ['Contacts', 'Products', 'Project'],
      path: () => '/web/home',
      handle: (name) => page.page.locator('.home-app', { hasText: name }).locator('a'),
      shown: () => titles('.home-app[data-drag-item] .home-app-name'),
      async saved() {
        await page.page.reload();
        await page.idle();
        return titles('.home-app[data-drag-item] .home-app-name');
      },
      onwards: 'ArrowRight',
    },
  };

  const middleOf = async (target: Locator): Promise<Point> => {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error('There is nothing to press.');
    return { x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 };
  };
  /** Past the middle of another thing, on the side that lies farther away. */
  const beyond = (from: Point, to: Point): Point => ({
    x: to.x + Math.sign(to.x - from.x) * 20,
    y: to.y + Math.sign(to.y - from.y) * 14,
  });

  // All drag in the same way; the short run tries cards and lines.
  describe.each(Object.entries(places).filter((_, at) => isLong || at % 2 === 0))('%s', (_what, place) => {
    const { names } = place;
    const [first = '', second = '', third = ''] = names;
    const open = async (size: 'desk' | 'tablet' = 'desk') => {
      page = await app.open({ path: place.path(), size });
      expect(await place.shown()).toEqual(names);
    };
    const expectSaved = async (order: readonly string[]) => {
      expect(await place.shown()).toEqual(order);
      await place.save?.();
      expect(await place.saved()).toEqual(order);
    };
    const dragWithMouse = async () => {
      const from = await middleOf(place.handle(third));
      const to = beyond(from, await middleOf(place.handle(first)));
      await page.page.mouse.move(from.x, from.y);
      await page.page.mouse.down();
      await page.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
      await page.page.mouse.move(to.x, to.y, { steps: 4 });
    };

    it('SCN-11 go elsewhere with the mouse, and Escape puts them back', async () => {
      await open();
      await dragWithMouse();
      await expect.poll(() => place.shown()).toEqual([third, first, second]);
      await page.press('Escape');
      await page.page.mouse.up();
      await page.idle();
      expect(await place.shown()).toEqual(names);
      await dragWithMouse();
      await page.page.mouse.up();
      await page.idle();
      await expectSaved([third, first, second]);
    });

    long('SCN-11 go elsewhere with a finger', async () => {
      await open('tablet');
      const from = await middleOf(place.handle(first));
      const to = beyond(from, await middleOf(place.handle(third)));
      const touch = await page.page.context().newCDPSession(page.page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point) => ({ ...point })) });
      await send('touchStart', [from]);
      // What is pressed as a whole needs a finger that rests; a handle follows at once.
      if (await place.handle(first).evaluate((one) => one.tagName === 'A'))
        await page.page.locator('.drag-ghost').waitFor();
      await send('touchMove', [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }]);
      await send('touchMove', [to]);
      await page.page.locator('.is-lifted').waitFor();
      await send('touchEnd', []);
      await page.idle();
      await expectSaved([second, third, first]);
    });

    it('SCN-11 go elsewhere with the keyboard: Space lifts, arrows move, Space drops, Escape puts back', async () => {
      await open();
      await place.handle(first).focus();
      const announced = page.page.locator('div[role=status].sr-only').last();
      await page.press('Space');
      expect(await announced.textContent()).toContain('Picked up');
      await page.press(place.onwards);
      await page.press(place.onwards);
      expect(await place.shown()).toEqual([second, third, first]);
      expect(await announced.textContent()).toContain('3');
      await page.press('Escape');
      expect(await place.shown()).toEqual(names);
      expect(await announced.textContent()).toContain('was moved back');
      expect(await place.handle(first).evaluate((one) => one === document.activeElement)).toBe(true);
      await page.press('Space');
      await page.press(place.onwards);
      await page.checkAccessible();
      await page.press('Space');
      expect(await place.handle(first).evaluate((one) => one === document.activeElement)).toBe(true);
      await expectSaved([second, first, third]);
    });

    it('SCN-11 go on by one with Alt and an arrow, and Escape puts them back before Alt is let go', async () => {
      await open();
      await place.handle(first).focus();
      await page.press(`Alt+${place.onwards}`);
      expect(await place.shown()).toEqual([second, first, third]);
      await page.page.keyboard.down('Alt');
      await page.press(place.onwards);
      expect(await place.shown()).toEqual([second, third, first]);
      await page.press('Escape');
      await page.page.keyboard.up('Alt');
      await page.idle();
      await expectSaved([second, first, third]);
    });
  });
});
