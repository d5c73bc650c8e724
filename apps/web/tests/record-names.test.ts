import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nameOnScreen } from '../data/records.ts';
import { testBootstrap } from './bootstrap.ts';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

/** All that is shipped: as other tests want it, so that they share the template. */
const apps = [
  ...['calendar', 'calendar_crm', 'calendar_project', 'contacts', 'crm'],
  ...['product', 'project', 'sale', 'sale_crm', 'sale_project', 'invoice'],
];
const tasks = '/web?action=project.tasks&view_type=list';

it('ADM-5 a record is called by its name, and never by its id', () => {
  testBootstrap();
  expect([nameOnScreen('Fjord'), nameOnScreen(null), nameOnScreen(undefined)]).toEqual(['Fjord', 'No access', '']);
});

describe('the name of a record', () => {
  let app: TestApp;
  let page: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps, demo: true });
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  long('ADM-9 finds the documents of a customer in the palette by the name of the customer', async () => {
    page = await app.open({ path: '/web/home' });
    await page.press('Control+k');
    await page.page.getByRole('combobox', { name: 'Search and commands' }).fill('norrland');
    const order = page.page.getByRole('option', { name: /^S\d{5}/ }).first();
    await order.waitFor();
    expect(await order.locator('.menu-item-end').textContent()).toMatch(/Norrland/);
  });

  it('GRA-9 won and lost have a total each, and no figure adds them', async () => {
    const closed = encodeURIComponent(JSON.stringify([['state', 'in', ['won', 'lost']]]));
    const graph = 'view_type=graph&filter=&group_by=date_closed:month,state&measure=expected_revenue';
    page = await app.open({ path: `/web?action=crm.pipeline_analysis&${graph}&domain=${closed}` });
    await page.page.locator('.graph-head').waitFor();
    expect((await page.page.locator('.graph-head dt').allTextContents()).sort()).toEqual(['Lost', 'Won']);
  });

  it('SCN-97 the phone number of a contact dials from its form', async () => {
    const number = '+46 8 123 45 67';
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Dialled', phone: number }]);
    page = await app.open({ path: `/web?action=contacts.partners&view_type=form&id=${id}` });
    await page.page.setViewportSize({ width: 390, height: 844 });
    const link = page.page.getByRole('link', { name: `Call ${number}` });
    expect(await link.getAttribute('href')).toBe('tel:+4681234567');
    await page.checkAccessible();
  });

  long('SCN-90 opens it in a list wherever its column stands, and stars before it are stars', async () => {
    page = await app.open({ path: tasks });
    const row = page.page.locator('tr[data-row]', { hasText: 'Ship to Portland' });
    expect(await row.locator('.list-link').allTextContents()).toEqual(['Ship to Portland']);
    const priority = async () => {
      const found = await app.rpc<{ priority: string }[]>('project.task', 'search_read', [
        [['name', '=', 'Ship to Portland']],
        ['priority'],
      ]);
      return found[0]?.priority;
    };
    const before = await priority();
    await page.click(row.locator('[data-direct] button').first());
    expect(await priority()).not.toBe(before);
    expect(new URL(page.page.url()).searchParams.get('view_type')).toBe('list');
    await page.checkAccessible();
    await page.click(row.locator('.list-link'));
    expect(await page.page.getByRole('heading', { level: 1 }).textContent()).toBe('Ship to Portland');
  });

  long(
    'SCN-90 is not cut in a list that scrolls sideways all the same, and several people are their pictures',
    async () => {
      page = await app.open({ path: '/web?action=contacts.partners&view_type=list' });
      await page.page.setViewportSize({ width: 1024, height: 768 });
      await page.page.locator('.is-wide').first().waitFor();
      const cut = await page.page
        .locator('.list-link')
        .evaluateAll((links) =>
          links
            .filter((link) => link.getBoundingClientRect().width > (link.closest('td')?.clientWidth ?? 0) - 23)
            .map((link) => link.textContent),
        );
      expect(cut).toEqual([]);
      await page.visit(tasks);
      const people = page.page.locator('tr[data-row]', { hasText: 'Launch' }).locator('.tags');
      expect(await people.getAttribute('title')).toMatch(/^.+, Noor El-Amin$/);
      expect(await people.locator('.avatar').count()).toBe(2);
      const room = await people.evaluate(({ scrollWidth, clientWidth }) => clientWidth - scrollWidth);
      expect(room).toBeGreaterThanOrEqual(0);
    },
  );

  long('SCN-90 is the title of its card on a phone, with its picture', async () => {
    page = await app.open({ path: tasks, size: 'phone' });
    const titles = () => page.page.locator('.list-card b').allTextContents();
    expect(await titles()).toContain('Ship to Portland');
    await page.visit('/web?action=product.products&view_type=list');
    expect(await titles()).toContain('Carafe "Kilde"');
    expect(await page.page.locator('.list-card-title .avatar').count()).toBeGreaterThan(3);
    await page.visit('/web?action=mail.activities');
    expect(await titles()).toContain('Ask for the measures');
    await page.checkAccessible();
  });

  it('SCN-95 has values under it on a phone of which no word is broken', async () => {
    page = await app.open({ path: '/web?action=contacts.partners&view_type=list', size: 'phone' });
    const broken = await page.page.evaluate(() => {
      const found: string[] = [];
      for (const value of document.querySelectorAll('.list-card dd')) {
        const texts = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(node);
          const text = node.textContent ?? '';
          if (!text.includes(' ') && range.getClientRects().length > 1) found.push(text);
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
  });

  long('SCN-94 reads by its own letters and is cut at its own end, on a screen in another direction', async () => {
    page = await app.open({ path: '/web?action=contacts.partners&view_type=list' });
    await page.page.setViewportSize({ width: 1024, height: 768 });
    /** Of the first text that begins so: where its first word is, beside the next, and whether it is in sight. */
    const look = (words: string) =>
      page.page.evaluate((begin) => {
        const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
        let node = texts.nextNode();
        while (node && !(node.textContent ?? '').startsWith(begin)) node = texts.nextNode();
        if (!node?.parentElement) return 'not there';
        const place = (from: number, to: number) => {
          const range = document.createRange();
          range.setStart(node, from);
          range.setEnd(node, to);
          return range.getBoundingClientRect();
        };
        const [first, next] = [place(0, 1), place(begin.length - 1, begin.length)];
        const box = (node.parentElement.closest('td') ?? node.parentElement).getBoundingClientRect();
        const isSeen = first.left >= box.left - 1 && first.right <= box.right + 1;
        const whole = place(0, node.textContent?.length ?? 0);
        const isRight = box.right - whole.right < whole.left - box.left;
        const isCut = whole.width > box.width - 24;
        const side = isCut ? '' : `, at the ${isRight ? 'right' : 'left'}`;
        return `${first.left < next.left ? 'left to right' : 'right to left'}${isSeen ? side : ', cut at its beginning'}`;
      }, words);
    const [company] = await app.rpc<{ id: number; name: string }[]>('core.partner', 'search_read', [
      [['name', 'ilike', 'شركة']],
      ['name'],
    ]);
    await page.visit(`/web?action=contacts.partners&view_type=list&q=${encodeURIComponent(company?.name ?? '')}`);
    expect(await look(company?.name.slice(0, 6) ?? '')).toMatch(/^right to left(, at the left)?$/);
    await app.rpc('core.user', 'write', [[1], { lang: 'ar_AE' }]);
    await page.go('/web?action=project.tasks&view_type=list&q=desks');
    await page.page.setViewportSize({ width: 1024, height: 768 });
    expect(await look('Build desks')).toMatch(/^left to right(, at the right)?$/);
    expect(await look('48 desks')).toBe('left to right, at the right');
    await page.visit('/web?action=project.tasks&view_type=kanban&q=desks');
    expect(await look('48 desks')).toBe('left to right, at the right');
    await page.visit('/web?action=project.tasks&view_type=gantt&q=desks');
    expect(await look('Build desks')).toMatch(/^left to right/);
    expect(await look('48 desks')).toMatch(/^left to right/);
    await app.rpc('core.user', 'write', [[1], { lang: 'en_US' }]);
  });

  long('SCN-91 is made under the name that its screen gives it, and a new one counts no changes', async () => {
    page = await app.open({ path: '/web?action=crm.pipeline&view_type=kanban' });
    await page.find('button', 'New opportunity').first().waitFor();
    await page.visit('/web?action=sale.quotations&view_type=list');
    await page.click(page.find('button', 'New quotation').first());
    await page.type('Ced');
    await page.press('Enter');
    expect(await page.page.locator('.form-changes').isVisible()).toBe(false);
    await page.find('button', 'Save').first().waitFor();
  });

  it('SCN-93 keeps the focus where it is when it is saved, in a field and in a line, also the first time', async () => {
    page = await app.open({ path: '/web?action=sale.quotations&view_type=list' });
    const focused = () =>
      page.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    await page.press('n');
    await page.type('Ced');
    await page.press('Enter');
    await page.press('Tab');
    await page.type('PO 7');
    const field = await focused();
    await page.press('Control+s');
    expect(new URL(page.page.url()).searchParams.get('id')).toMatch(/^[1-9]/);
    expect(field).toBeTruthy();
    expect(await focused()).toBe(field);
    await page.click(page.find('button', /Add a line/));
    await page.type('lamp');
    await page.press('Enter');
    await page.press('Tab');
    await page.press('Tab');
    await page.type('4');
    expect(await focused()).toBe('Quantity, line 1');
    await page.press('Control+s');
    expect(await page.text('.form-saved')).toMatch(/^Saved/);
    expect(await focused()).toBe('Quantity, line 1');
  });

  it('SCN-91 stands whole over its form while the search beside it has room to give', async () => {
    page = await app.open({ path: '/web?model=sale.order&view_type=form&id=1' });
    await page.page.setViewportSize({ width: 1024, height: 768 });
    const last = page.page.locator('.crumbs li').last();
    const over = () =>
      last.evaluate((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().right - one.getBoundingClientRect().right;
      });
    await expect.poll(over).toBeLessThanOrEqual(0);
  });
});
