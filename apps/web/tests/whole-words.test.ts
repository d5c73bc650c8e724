import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import { faults } from './page-looks.ts';
import type { TestPage } from './test-page.ts';

interface Action {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  readonly view_mode: string;
}

/** In German heads are longest; the long run looks at every screen in every language. */
const languages = isLong ? ['en_US', 'de_DE', 'fr_FR', 'ar_AE'] : ['de_DE'];
/** As other tests want it, so that they share the template; the long run has all that is shipped. */
const apps = [
  ...['calendar', 'calendar_crm', 'calendar_project', 'contacts', 'crm'],
  ...['product', 'project', 'sale', 'sale_crm', 'sale_project', 'invoice'],
  ...(isLong
    ? ['accounting', 'automations', 'bank', 'mailing', 'portal', 'project_invoice', 'recurring', 'webhooks']
    : []),
];
const widths = isLong ? [1440, 1024, 390] : [1024, 390];
/** Long names in all kinds of fields, a board of cards, and figures. */
const short = ['sale.order', 'project.task', 'sys.board'];

describe('words on a screen', () => {
  let app: TestApp;
  let page: TestPage;
  let actions: readonly Action[];
  beforeAll(async () => {
    app = await openTestApp({ apps, demo: true });
    page = await app.open();
    const all = await app.rpc<Action[]>('sys.action.window', 'search_read', [[], ['name', 'model', 'view_mode']]);
    const most = (name: string) =>
      all.filter(({ model }) => model === name).sort((a, b) => b.view_mode.length - a.view_mode.length)[0] as Action;
    actions = isLong ? all.filter(({ view_mode: modes }) => modes.includes('form')) : short.map(most);
  });
  afterAll(() => app.close());

  it.each(languages)(
    'SCN-51 are not cut off without a tip, none lies upon another in a bar, and no screen scrolls sideways (%s)',
    async (lang) => {
      await app.rpc('core.user', 'write', [[1], { lang }]);
      const found: string[] = [];
      for (const { id, model, view_mode: modes } of actions) {
        const [record] = await app.rpc<{ id: number }[]>(model, 'search_read', [[], ['id']], { limit: 1 });
        const form = record ? [`form&id=${record.id}`] : [];
        for (const view of new Set(['list', modes.split(',')[0] as string, ...form])) {
          await page.page.setViewportSize({ width: 1440, height: 900 });
          await page.go(`/web?action=${id}&view_type=${view}`);
          for (const width of widths) {
            await page.page.setViewportSize({ width, height: 900 });
            await page.page.evaluate(untilDrawn);
            await page.idle();
            const cut = await page.page.evaluate(cutWords);
            // SCN-99: the short run looks for these with long texts in looks.test.ts.
            if (isLong) cut.push(...(await page.page.evaluate(faults)));
            found.push(...cut.map((one) => `${model} ${view}, ${width} px: ${one}`));
          }
        }
      }
      await app.rpc('core.user', 'write', [[1], { lang: 'en_US' }]);
      expect(found).toEqual([]);
      expect(page.problems).toEqual([]);
    },
    1_200_000,
  );
});

/** In the page: what is drawn in another way at this width has been, and has had its own layout. */
async function untilDrawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}

/**
 * In the page: texts that something cuts off. Heads, labels, buttons and tabs never are; a value may be where pointing at it
 * tells all of it.
 */
function cutWords(): string[] {
  const found: string[] = [];
  const isHidden = (element: Element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const { visibility, clipPath, opacity, fontSize } = getComputedStyle(one);
      if (visibility === 'hidden' || clipPath !== 'none' || opacity === '0' || fontSize === '0px') return true;
      if (one.getBoundingClientRect().height <= 2) return true;
    }
    return false;
  };
  const tells = (element: Element, text: string) => {
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return (
      element.closest<HTMLElement>(`[title*="${CSS.escape(text)}"]`) !== null || titlesOver(element).includes(text)
    );
  };
  const titlesOver = (element: Element) => {
    const titles: string[] = [];
    for (let one: Element | null = element; one; one = one.parentElement) titles.push((one as HTMLElement).title ?? '');
    return titles.join(' ').replaceAll(/\s+/g, ' ');
  };
  // Tips wait where something has just scrolled; this says that it was elsewhere.
  document.head.dispatchEvent(new Event('scroll'));
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    const element = node.parentElement;
    if (text === '' || !element || element.closest('script, style, option, svg, textarea')) continue;
    range.selectNodeContents(node);
    const own = range.getBoundingClientRect();
    if (own.width < 1) continue;
    for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(one);
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      const box = one.getBoundingClientRect();
      const isPast = own.right > box.right + 1.5 || own.left < box.left - 1.5;
      // The ellipsis begins where the padding does.
      const isEnded = textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth;
      const isCut = overflowX !== 'visible' && (isPast || isEnded);
      if (!isCut) continue;
      if (isHidden(element)) break;
      const isLabel = element.closest('[role=columnheader], th, label, .form-label, .btn, [role=tab], .badge') !== null;
      // On a phone the name of a record stands over its form, whole.
      const isHeading = element.closest('.crumbs') !== null && document.querySelector('.form-head') !== null;
      const isTold = !isLabel && (innerWidth > 640 ? tells(element, text) : isHeading);
      if (!isTold) found.push(`${text} (${Math.round(box.width)} of ${Math.round(own.width)} px)`);
      break;
    }
  }
  const controls = [...document.querySelectorAll('.bar :is(.btn, .chip, .searchtext, .seg, .pager, .kanban-summary)')];
  const apart = controls.filter((one) => !isHidden(one) && !one.parentElement?.closest('.chip, .pager, .seg'));
  apart.forEach((one, at) => {
    const box = one.getBoundingClientRect();
    for (const other of apart.slice(at + 1)) {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const isUnder = left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
      const isScrolled = innerWidth <= 640 && one.closest('.searchbar') !== null;
      if (isUnder && !isScrolled) found.push(`${one.textContent || one.className} lies upon ${other.className}`);
    }
  });
  const overflow = document.documentElement.scrollWidth - innerWidth;
  if (overflow > 0) found.push(`scrolls sideways by ${overflow} px`);
  return found;
}
