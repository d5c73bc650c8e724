import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import { drawingsOf, rendersOf, watchRenders } from './renders.ts';
import type { TestPage } from './test-page.ts';

declare global {
  interface Window {
    /** How often the page asked how wide something is. */
    widthsAsked?: { count: number };
  }
}

const countries = '/web?model=core.country&view_type=list';

/** Scrolls to rows that are not loaded. Where a cell is cut away, nothing of it is hit. */
async function paintedOfWaiting(box: Element) {
  box.scrollTo(0, 150 * 36);
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const cell = box.querySelector('.list-waits') as HTMLElement;
  const { top } = cell.getBoundingClientRect();
  const place = Number((cell.parentElement as HTMLElement).dataset.row);
  // The second of those in sight.
  const middle = top + (152 - place) * 36 + 18;
  const isPainted = (x: number, y: number) => document.elementFromPoint(x, y) === cell;
  const heads = [...box.querySelectorAll('thead th')].slice(1, -1);
  const columns = heads.map((head) => {
    const { left, right, width } = head.getBoundingClientRect();
    const [start, way] = document.documentElement.dir === 'rtl' ? [right, -1] : [left, 1];
    const at = (part: number, y: number) => isPainted(start + way * (12 + part * width), y);
    return {
      bar: at(0.05, middle) && at(0.55, middle),
      end: at(0.65, middle),
      under: at(0.3, middle + 8),
      line: at(0.3, middle + 17.5),
    };
  });
  return { columns, background: getComputedStyle(cell).backgroundImage };
}

describe('a list that scrolls', () => {
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

  long(
    'SCN-73 draws its rows once a frame while they scroll and pages come, and neither bar, head nor foot',
    async () => {
      await watchRenders(list);
      for (const grouping of ['', '&group_by=create_date:year']) {
        await list.go(`${countries}${grouping}`);
        if (grouping) await list.click(list.page.locator('.list-group'));
        // Past what is loaded and back, so that pages come while rows scroll.
        const scrolled = () =>
          list.page.locator('.list-scroll').evaluate(async (box) => {
            for (let frame = 0; frame < 60; frame++) {
              box.scrollTo(0, (frame % 12 < 6 ? 60 + frame : 200 - frame) * 36);
              await new Promise(requestAnimationFrame);
            }
          });
        let bars: readonly string[] = [];
        const drawn = await drawingsOf(list, '.list-scroll', async () => {
          bars = await rendersOf(list, '.bar :not(.pager, .pager *), thead, thead *, tfoot', scrolled);
        });
        expect(bars).toEqual([]);
        expect(drawn.frames).toBeGreaterThan(20);
        expect(drawn.most).toBe(1);
        await list.idle();
        expect(await list.page.locator('.list-waits').count()).toBe(0);
      }
    },
  );

  it('SCN-74 paints nothing of rows that wait but a bar under the head of each column and a line, to the left as to the right', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await list.page.route('**/api/rpc', (route) => held.then(() => route.continue()));
    const { width = 0, height = 0 } = list.page.viewportSize() ?? {};
    for (const dir of ['ltr', 'rtl']) {
      // Another width, for which the columns are fitted anew.
      await list.page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir);
      await list.page.setViewportSize({ width: width - (dir === 'rtl' ? 40 : 20), height });
      const painted = await list.page.locator('.list-scroll').evaluate(paintedOfWaiting);
      expect(painted.columns.length).toBeGreaterThan(2);
      for (const column of painted.columns) expect(column).toEqual({ bar: true, end: false, under: false, line: true });
      expect(painted.background).toBe('none');
    }
    answer();
    await list.idle();
    expect(await list.page.locator('.list-waits').count()).toBe(0);
  });

  long('SCN-70 rows that pass under a pointer at rest are not laid out for a tip before they rest', async () => {
    const box = list.page.locator('.list-scroll');
    const atOnce = await box.evaluate((element) => {
      const given = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollWidth') as PropertyDescriptor;
      const asked = { count: 0 };
      window.widthsAsked = asked;
      const get = function (this: Element) {
        asked.count++;
        return given.get?.call(this);
      };
      Object.defineProperty(Element.prototype, 'scrollWidth', { ...given, get });
      element.dispatchEvent(new Event('scroll'));
      element.querySelector('.list-link')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      return asked.count;
    });
    expect(atOnce).toBe(0);
    const asked = () => list.page.evaluate(() => window.widthsAsked?.count);
    await expect.poll(asked).toBeGreaterThan(0);
    await list.page.reload();
    await list.idle();
  });

  it('SCN-75 rows that pass under a pointer at rest do not load one form after another; the one that stops there does', async () => {
    const forms: (string | null)[] = [];
    const note = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/workspace') && searchParams.get('view_type') === 'form')
        forms.push(searchParams.get('id'));
    };
    await list.page.mouse.move(500, 400);
    await list.idle();
    list.page.on('request', note);
    const last = await list.page.locator('.list-scroll').evaluate(async (box) => {
      for (let row = 0; row < 6; row++) {
        const isOver = new Promise((over) => box.addEventListener('pointerover', over, { once: true }));
        box.scrollBy(0, 36);
        await isOver;
        // Longer than a pointer rests before it loads a form.
        for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame);
      }
      const row = document.elementFromPoint(500, 400)?.closest('tr');
      const { href = '' } = row?.querySelector<HTMLAnchorElement>('.list-link') ?? {};
      return new URL(href).searchParams.get('id');
    });
    expect(forms.length).toBeLessThan(5);
    await expect.poll(() => forms).toContain(last);
    list.page.off('request', note);
    await list.idle();
  });
});
