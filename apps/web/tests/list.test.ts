import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import { layoutWork } from './layout-work.ts';
import type { TestPage } from './test-page.ts';

const countries = '/web?model=core.country&view_type=list';
const euroOrDollar = encodeURIComponent(JSON.stringify([['currency_id.name', 'in', ['EUR', 'USD']]]));

interface FirstRows {
  rows: number;
  isFontAsked: boolean;
  /** What the bars said when the rows were drawn. */
  pager: string;
  crumbs: string;
  /** What became of rows and widths between their first drawing and the frame that shows them. */
  changes: string[];
}

declare global {
  interface Window {
    firstRows?: FirstRows;
  }
}

/** Runs in a new page, before the client does. */
function watchFirstRows(): void {
  const seen: FirstRows = { rows: 0, isFontAsked: false, pager: '', crumbs: '', changes: [] };
  window.firstRows = seen;
  const table = () => document.querySelector<HTMLElement>('.list-table');
  const look = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes, removedNodes } of records) {
      const isOfTable = target instanceof Element && target.closest('.list-table') !== null;
      if (!isOfTable) continue;
      if (type === 'attributes') seen.changes.push(`${target.nodeName} is drawn for another room`);
      else if (target.nodeName === 'TBODY') {
        seen.changes.push(`${addedNodes.length} rows more, ${removedNodes.length} less`);
      }
    }
    if (seen.rows > 0 || !table()) return;
    seen.rows = table()?.querySelectorAll('tr[data-row]').length ?? 0;
    seen.pager = document.querySelector('.pager')?.textContent ?? '';
    seen.crumbs = document.querySelector('.crumbs')?.textContent ?? '';
    // Nothing has been laid out with the rows yet, so this was not their doing.
    seen.isFontAsked = [...document.fonts].some(
      ({ family, status }) => family.includes('Inter') && status !== 'unloaded',
    );
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => {
        look(observer.takeRecords());
        observer.disconnect();
      };
      after.port2.postMessage(null);
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] });
}

describe('the list', () => {
  let app: TestApp;
  let list: TestPage;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    list = await app.open({ path: countries });
  });
  afterEach(async () => {
    expect(list.problems).toEqual([]);
    await list.close();
  });

  const cell = (row: number, column: number) => list.page.locator(`[data-row="${row}"] [data-col="${column}"]`);
  const edit = async (row: number, column: number) => {
    const { width = 0 } = (await cell(row, column).boundingBox()) ?? {};
    await cell(row, column).click({ position: { x: width - 12, y: 18 } });
    await list.idle();
  };
  const country = async (code: string) => {
    const [found] = await app.rpc<{ id: number; name: string; phone_code: string }[]>('core.country', 'search_read', [
      [['code', '=', code]],
      ['name', 'phone_code'],
    ]);
    return found;
  };

  long('goes from page to page by click and by key', async () => {
    const first = async () => Number(/^(\d+)/.exec(await list.text('.pager'))?.[1]);
    const rows = async () => {
      const [, from = '', to = ''] = /^(\d+)–(\d+)/.exec(await list.text('.pager')) ?? [];
      return Number(to) - Number(from);
    };
    const [before, after] = [list.find('button', 'Previous page'), list.find('button', 'Next page')];
    expect([await first(), await before.isDisabled()]).toEqual([1, true]);
    const step = await rows();
    await list.click(after);
    expect(await first()).toBe(1 + step);
    expect(new URL(list.page.url()).searchParams.get('offset')).toBe(String(step));
    await after.focus();
    await list.press('Enter');
    expect(await first()).toBe(1 + 2 * step);
    await list.click(before);
    expect(await first()).toBe(1 + step);
    await before.focus();
    await list.press('Enter');
    expect([await first(), await before.isDisabled()]).toEqual([1, true]);
    await cell(0, 0).focus();
    for (let press = 0; press < 3; press++) await list.press('PageDown');
    expect(await first()).toBeGreaterThan(1);
    for (let press = 0; press < 3; press++) await list.press('PageUp');
    expect(await first()).toBe(1);
    await list.press('Control+End');
    expect([await after.isDisabled(), await before.isDisabled()]).toEqual([true, false]);
  });

  long(
    'SCN-70 draws only the rows in sight, works out only their styles, and fetches the others as they come',
    async () => {
      expect(await list.find('grid').getAttribute('aria-rowcount')).toBe('250');
      expect(await list.page.locator('tr[data-row]').count()).toBeLessThan(60);
      // SCN-70: rows that are loaded, three more with every frame.
      const work = await layoutWork(list, () =>
        list.page.locator('.list-scroll').evaluate(async (scroll) => {
          for (let step = 1; step <= 12; step++) {
            scroll.scrollTo(0, step * 3 * 36);
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          }
        }),
      );
      // Rows that left draw those that came, in the order of the list, down and up again; the one with the focus never does.
      await cell(40, 1).focus();
      const reused = await list.page.locator('.list-scroll').evaluate(async (scroll) => {
        const rows = () => [...scroll.querySelectorAll<HTMLElement>('tr[data-row]')];
        const placeOf = (row: HTMLElement | undefined) => Number(row?.dataset.row);
        const places = new Map(rows().map((row) => [row, placeOf(row)]));
        let moved = 0;
        let isInOrder = true;
        for (const at of [40, 44, 48, 52, 60, 72, 66, 58, 52, 48]) {
          scroll.scrollTo(0, at * 36);
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          const now = rows();
          isInOrder &&= now.every((row, nth) => nth === 0 || placeOf(now[nth - 1]) < placeOf(row));
          for (const row of now) {
            if ((places.get(row) ?? placeOf(row)) !== placeOf(row)) moved++;
            places.set(row, placeOf(row));
          }
        }
        return { moved, isInOrder, hasFocus: scroll.contains(document.activeElement) };
      });
      // How many depends on how many frames the machine draws.
      expect(reused.moved).toBeGreaterThan(0);
      expect([reused.isInOrder, reused.hasFocus]).toEqual([true, false]);
      expect(work.forced).toEqual([]);
      expect(work.mostRestyled).toBeGreaterThan(0);
      expect(work.mostRestyled).toBeLessThan(200);
      await list.page.locator('.list-scroll').evaluate((scroll) => scroll.scrollTo(0, scroll.scrollHeight));
      await list.page.getByRole('link', { name: 'Zimbabwe' }).waitFor();
      await list.idle();
      expect(await list.text('.pager')).toContain('of 249');
      await list.checkAccessible();
    },
  );

  it('SCN-72 the first one is drawn at once, for the room that it turns out to have, with the font under way', async () => {
    const tab = await list.page.context().newCDPSession(list.page);
    await tab.send('Page.enable');
    const { identifier } = await tab.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${watchFirstRows})()`,
    });
    await list.page.reload();
    await list.idle();
    await tab.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    await tab.detach();
    const seen = await list.page.evaluate(() => window.firstRows);
    expect(seen?.rows).toBeGreaterThan(10);
    expect(seen).toMatchObject({ isFontAsked: true, changes: [] });
    expect(seen?.pager).toBe(await list.text('.pager'));
    expect(seen?.crumbs).toBe(await list.text('.crumbs'));
  });

  long('sorts by a column, the other way, and not at all; the address says so', async () => {
    await list.click(list.find('button', 'ISO code'));
    expect(new URL(list.page.url()).searchParams.get('sort')).toBe('code');
    expect(await list.text(cell(0, 0))).toBe('Andorra');
    await list.click(list.find('button', 'ISO code'));
    expect(await list.text(cell(0, 0))).toBe('Zimbabwe');
    expect(await list.page.locator('th[aria-sort=descending]').count()).toBe(1);
  });

  long('edits a cell in place, and Tab goes to the next one', async () => {
    await edit(1, 2);
    await list.page.keyboard.press('Control+a');
    await list.type('18');
    await list.press('Tab');
    expect((await country('AX'))?.phone_code).toBe('18');
    expect(await list.page.locator('.list-edit').count()).toBe(1);
    await list.press('Escape');
    expect(await list.text(cell(1, 2))).toContain('18');
  });

  long('keeps what was typed, with the message, when a value is refused', async () => {
    await edit(2, 1);
    await list.page.keyboard.press('Control+a');
    await list.type('AF');
    await list.press('Enter');
    expect(await list.page.getByRole('alert').textContent()).not.toBe('');
    expect(await list.page.locator('.list-edit input').inputValue()).toBe('AF');
    list.forgive(/422/);
    await list.press('Escape');
    expect(await list.text(cell(2, 1))).toBe('AL');
  });

  long('changes a field of all that are selected, and takes it back', async () => {
    const before = await country('DZ');
    for (const row of [3, 4]) await list.click(cell(row, 0).locator('xpath=../td[1]//input'));
    expect(await list.text('.list-selected')).toContain('2 selected');
    await list.click(cell(3, 2));
    await list.page.keyboard.press('Control+a');
    await list.type('777');
    await list.press('Enter');
    expect((await country('DZ'))?.phone_code).toBe('777');
    expect((await country('AS'))?.phone_code).toBe('777');
    await list.click(list.find('button', 'Undo'));
    expect((await country('DZ'))?.phone_code).toBe(before?.phone_code);
  });

  long('selects all that match', async () => {
    await list.click(list.find('checkbox', 'Select all'));
    await list.click(list.find('button', /Select all 249/));
    expect(await list.text('.list-selected')).toContain('249 selected');
  });

  long('deletes with a way back', async () => {
    const id = await app.rpc<number>('core.country', 'create', [{ name: 'Aaland', code: 'ZZ', code3: 'ZZZ' }]);
    await list.visit(countries);
    await list.click(list.find('button', 'Actions for Aaland'));
    await list.click(list.find('menuitem', 'Delete'));
    expect(await app.rpc('core.country', 'search_read', [[['id', '=', id]], ['name']])).toEqual([]);
    await list.click(list.find('button', 'Undo'));
    expect(await app.rpc('core.country', 'search_read', [[['id', '=', id]], ['name']])).toHaveLength(1);
    await app.rpc('core.country', 'unlink', [[id]]);
  });

  long('SCN-18 groups, loads a group when it is opened, and counts records', async () => {
    await list.visit(`${countries}&group_by=currency_id&domain=${euroOrDollar}`);
    const euro = list.page.locator('.list-group', { hasText: 'EUR' });
    expect(await list.page.locator('tr.list-row').count()).toBe(0);
    const { length: total } = await app.rpc<number[]>('core.country', 'search', [
      [['currency_id.name', 'in', ['EUR', 'USD']]],
    ]);
    expect(await list.text('.pager')).toBe(`${total} records`);
    await list.click(euro);
    expect(await list.page.getByRole('link', { name: 'Austria' }).count()).toBe(1);
    await list.checkAccessible();
    await list.click(euro);
    expect(await list.page.locator('tr.list-row').count()).toBe(0);
  });

  long('can be used with the keyboard alone', async () => {
    await cell(0, 0).focus();
    await list.press('ArrowDown');
    await list.press('ArrowDown');
    await list.press('Space');
    expect(await list.text('.list-selected')).toContain('1 selected');
    await list.press('Escape');
    await list.press('ArrowRight');
    await list.press('F2');
    expect(await list.page.locator('.list-edit input').inputValue()).toBe('AL');
    await list.press('Escape');
    await list.press('Enter');
    expect(new URL(list.page.url()).searchParams.get('view_type')).toBe('form');
    await list.page.goBack();
    await list.idle();
    expect(await list.find('grid').count()).toBe(1);
  });

  it('SCN-18 arrows and letters work at once, and after Back the focus is on the row again', async () => {
    const focused = () =>
      list.page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'));
    await list.press('ArrowDown');
    expect(await focused()).toBe('0');
    await list.press('j');
    await list.press('j');
    await list.press('k');
    expect(await focused()).toBe('1');
    await list.press('Enter');
    expect(new URL(list.page.url()).searchParams.get('view_type')).toBe('form');
    await list.page.goBack();
    await list.idle();
    await expect.poll(focused).toBe('1');
    await list.click(cell(4, 0));
    await list.page.goBack();
    await list.idle();
    await expect.poll(focused).toBe('4');
  });

  long('SCN-18 Ctrl and a click, or the middle button, open a record in a tab of its own', async () => {
    for (const way of [{ modifiers: ['Control'] }, { button: 'middle' }] as const) {
      const tab = list.page.context().waitForEvent('page');
      await cell(2, 1).click(way as object);
      const opened = await tab;
      await opened.waitForURL(/view_type=form/);
      await opened.close();
      expect(new URL(list.page.url()).searchParams.get('view_type')).toBe('list');
    }
  });

  long('keeps hidden columns and widths for the person', async () => {
    await list.page.locator('[data-column=code]').hover();
    await list.page.mouse.down();
    await list.page.mouse.move(900, 100);
    await list.page.mouse.up();
    await list.idle();
    const width = async () => (await list.page.locator('th', { hasText: 'ISO code' }).boundingBox())?.width;
    const chosen = await width();
    await list.go(countries);
    expect(await width()).toBe(chosen);
    await list.click(list.find('button', 'Columns'));
    await list.click(list.find('menuitem', 'Reset columns'));
    await list.go(countries);
    expect(await width()).not.toBe(chosen);
  });

  long('turns into cards on a phone', async () => {
    const phone = await app.open({ path: countries, size: 'phone' });
    expect(await phone.find('article').count()).toBeGreaterThan(3);
    const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await phone.checkAccessible();
  });

  long('says what to do when nothing matches', async () => {
    await list.press('/');
    await list.type('nowhere at all');
    await list.find('heading', 'Nothing matches').waitFor();
    await list.checkAccessible();
    await list.click(list.find('button', 'Clear search'));
    expect(await list.find('grid').count()).toBe(1);
  });
});
