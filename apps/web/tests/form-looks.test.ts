import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('how a form looks', () => {
  let app: TestApp;
  let desk: TestPage;
  let path: string;
  let customer: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['sale'], keepsClient: true });
    customer = await app.rpc('core.partner', 'create', [{ name: 'Fjordkontoret AS' }]);
    const partner_id = customer;
    const line_ids = [['create', { name: 'Desk', quantity: 2, price_unit: 400 }]];
    const make = () => app.rpc<number>('sale.order', 'create', [{ partner_id, payment_days: 14, line_ids }]);
    path = `/web?action=sale.quotations&view_type=form&id=${await make()}`;
    await make();
    desk = await app.open({ path });
  });
  afterAll(() => app.close());

  const order = (values: object = {}) => app.rpc<number>('sale.order', 'create', [{ partner_id: customer, ...values }]);
  const bar = () => desk.page.locator('.form-bar');
  /** Nothing of it is outside of it, above or below something else. */
  const isOneRow = () =>
    bar().evaluate((node) => {
      const own = node.getBoundingClientRect();
      const parts = [...node.querySelectorAll('.btn, .icon-btn, .status, .seg')].map((one) =>
        one.getBoundingClientRect(),
      );
      const isInside = parts.every((part) => part.left >= own.left && part.right <= own.right + 1);
      return isInside && own.height < 60 && node.scrollWidth <= node.clientWidth;
    });
  const inBar = () => bar().locator('.form-actions').getByRole('button').allInnerTexts();
  const inMenu = async () => {
    await desk.click(bar().getByRole('button', { name: /More|Mehr|Plus/ }));
    const entries = await desk.find('menuitem').allInnerTexts();
    await desk.press('Escape');
    return entries;
  };

  it.each(isLong ? ['en_US', 'de_DE', 'fr_FR'] : ['de_DE'])(
    'SCN-49 its bar is one row at any width, and loses no button (%s)',
    async (lang) => {
      await app.rpc('core.user', 'write', [[1], { lang }]);
      await desk.go(path);
      const buttons = new Set<string>();
      for (const width of [1440, 1180, 1024, 800, 720]) {
        await desk.page.setViewportSize({ width, height: 900 });
        await expect.poll(isOneRow, { message: `${width}` }).toBe(true);
        const shown = await inBar();
        expect(shown.length).toBeGreaterThan(0);
        const all = [...shown, ...(await inMenu())].join();
        buttons.add(all.split(',').sort().join());
      }
      expect(buttons.size).toBe(1);
      await desk.page.setViewportSize({ width: 1440, height: 900 });
      await app.rpc('core.user', 'write', [[1], { lang: 'en_US' }]);
    },
  );

  it('SCN-49 what is changed has a dot that tells the old value; after a save the bar says when', async () => {
    await desk.go(path);
    expect(await desk.page.locator('.form-saved, .form-dot, .grid-changed').count()).toBe(0);
    await desk.page.getByLabel('Days to pay', { exact: true }).fill('45');
    await desk.page.locator('.grid-pair [role=gridcell]').first().click();
    await desk.page.keyboard.insertText('3');
    await desk.idle();
    expect(await desk.page.getByRole('img', { name: 'Was: 14' }).count()).toBe(1);
    expect(await desk.page.locator('.grid-changed').first().getAttribute('title')).toBe('Was: 2');
    expect(await desk.text('.form-changes')).toBe('2 changes');
    await desk.checkAccessible();
    const place = await bar().getByRole('button', { name: 'Save' }).boundingBox();
    await desk.press('Control+s');
    expect(await desk.text('.form-saved')).toMatch(/^Saved \d{1,2}:\d{2}/);
    expect(await desk.page.locator('.form-dot, .grid-changed').count()).toBe(0);
    await desk.page.getByLabel('Days to pay', { exact: true }).fill('46');
    expect(await bar().getByRole('button', { name: 'Save' }).boundingBox()).toEqual(place);
    await desk.click(desk.find('button', 'Discard'));
  });

  it('SCN-19 on a phone a long value of a card stays in its cell', async () => {
    const person = { name: 'Ingrid', email: 'ingrid.fjordkontoret.purchasing@fjord.example', phone: '+47 22 22 22 22' };
    const id = await app.rpc<number>('core.partner', 'create', [
      { name: 'Fjordkontoret Nord', is_company: true, child_ids: [['create', person]] },
    ]);
    const phone = await app.open({ path: `/web?action=contacts.partners&view_type=form&id=${id}`, size: 'phone' });
    await phone.find('row').nth(1).scrollIntoViewIfNeeded();
    const beyond = await phone.page.locator('.grid-value').evaluateAll((values) =>
      values
        .filter((value) => {
          const cell = value.parentElement?.getBoundingClientRect();
          return cell && value.getBoundingClientRect().right > cell.right + 1;
        })
        .map((value) => value.textContent),
    );
    expect(await phone.page.locator('.grid-value', { hasText: person.email }).count()).toBe(1);
    expect(beyond).toEqual([]);
    await phone.close();
  });

  it('SCN-50 on a phone the steps are segments, and total and next step are at the foot', async () => {
    const phone = await app.open({ path, size: 'phone' });
    const foot = phone.page.locator('.form-foot');
    expect(await phone.text(foot)).toMatch(/^Total\s+\$1,200\.00\s+Send$/);
    const [bottom, height] = await foot.evaluate((node) => [node.getBoundingClientRect().bottom, innerHeight]);
    expect(bottom).toBe(height);
    const steps = await phone.page.locator('.status-step').evaluateAll((all) => all.map((one) => one.clientWidth));
    expect(steps.length).toBeGreaterThan(3);
    expect(Math.min(...steps)).toBeGreaterThan(20);
    expect(await phone.text('.status-step[aria-current] > *')).toBe('Quotation');
    await phone.checkAccessible();
    const lines = phone.page.locator('.form-main .grid-row');
    const before = await lines.count();
    await phone.click(foot.getByRole('button', { name: 'Add a line' }));
    expect(await lines.count()).toBe(before + 1);
    expect(await lines.last().locator(':focus').count()).toBe(1);
    await phone.close();
  });

  const covers = (page: TestPage, what: string) =>
    page.page.evaluate((selector) => {
      const toast = document.querySelector('.toasts')?.getBoundingClientRect();
      return [...document.querySelectorAll(selector)].some((one) => {
        const box = one.getBoundingClientRect();
        return (
          toast && toast.top < box.bottom && toast.bottom > box.top && toast.left < box.right && toast.right > box.left
        );
      });
    }, what);

  /** To the next record with something unsaved: a toast says that it is kept. */
  const leave = async (page: TestPage) => {
    await page.page.getByLabel('Days to pay', { exact: true }).fill('50');
    await page.press('Alt+PageUp');
    await page.page.locator('.toast').waitFor();
  };

  it('SCN-54 a toast covers neither the bars of a form nor the field that one types in', async () => {
    await desk.go(path);
    await leave(desk);
    expect(await covers(desk, '.form-bar, .form-main, .chatter')).toBe(false);
    const phone = await app.open({ path, size: 'phone' });
    await leave(phone);
    expect(await covers(phone, '.top, .form-bar, .form-foot')).toBe(false);
    for (const field of await phone.page.locator('.form-main :is(input, textarea):visible').all()) {
      await field.evaluate((one: HTMLElement) => {
        one.scrollIntoView({ block: 'end' });
        one.focus();
      });
      expect(await covers(phone, '.main :focus')).toBe(false);
    }
    expect(await phone.page.locator('.toast').count()).toBe(1);
    await phone.close();
  });

  const screens = [
    '/web/home',
    '/web/settings',
    '/web/apps',
    '/web/profile',
    '/web?action=sale.quotations&view_type=list',
    '/web?action=sale.quotations&view_type=kanban',
    '/web?action=sale.quotations&view_type=calendar',
    '/web?action=sale.order_analysis&view_type=graph',
    '/web?action=sale.order_analysis&view_type=pivot',
  ];

  it('SCN-52 at 200 % the menu folds, and nothing overlaps or scrolls sideways', async () => {
    await desk.page.setViewportSize({ width: 720, height: 450 });
    await desk.go(path);
    for (const screen of [...screens, path]) {
      await desk.visit(screen);
      const found = await desk.page.evaluate(() => {
        const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        const [side, main, top] = [boxOf('.side'), boxOf('.main'), document.querySelector('.top')];
        const parts = [...(top?.children ?? [])]
          .map((one) => one.getBoundingClientRect())
          .filter(({ width }) => width > 0);
        return {
          isWide: document.documentElement.scrollWidth > innerWidth,
          isFolded: main?.left === 0 && (side?.right ?? 0) <= 0,
          isTight: parts.some((part, at) => at > 0 && part.left < (parts[at - 1]?.right ?? 0) - 1),
          isCut: parts.some((part) => part.right > innerWidth),
        };
      });
      expect([screen, found]).toEqual([screen, { isWide: false, isFolded: true, isTight: false, isCut: false }]);
    }
    const covered = await desk.page.locator('.dated > .remaining').evaluateAll((all) =>
      all.filter((one) => {
        const field = one.parentElement?.querySelector('input');
        const pen = document.createElement('canvas').getContext('2d');
        if (!field || !pen) return true;
        const { font, paddingLeft } = getComputedStyle(field);
        pen.font = font;
        const [own, box] = [one.getBoundingClientRect(), field.getBoundingClientRect()];
        const end = box.left + Number.parseFloat(paddingLeft) + pen.measureText(field.value).width;
        return own.top < box.bottom && own.left < end;
      }),
    );
    expect(covered).toEqual([]);
    expect(await desk.page.locator('.dated > .remaining').count()).toBe(1);
    await desk.click(desk.find('button', 'Menu'));
    await expect.poll(() => desk.page.locator('.side').evaluate((side) => side.getBoundingClientRect().left)).toBe(0);
    await desk.checkAccessible();
    await desk.click(desk.page.locator('.side a').nth(1));
    await expect
      .poll(() => desk.page.locator('.side').evaluate((side) => side.getBoundingClientRect().right))
      .toBeLessThan(1);
    expect(desk.problems).toEqual([]);
  });

  it('SCN-62 what belongs to a record opens beside it: its list by keys, a record of it in place, Escape back to where one was', async () => {
    const own = await order({ client_reference: 'Beside' });
    await desk.page.setViewportSize({ width: 1440, height: 900 });
    await desk.visit(`/web?action=contacts.partners&view_type=form&id=${customer}`);
    const stat = desk.find('button', /^Orders/);
    const focused = () => desk.page.evaluate(() => document.activeElement?.closest('tr, button')?.textContent ?? '');
    const before = desk.page.url();
    await stat.focus();
    await desk.press('Enter');
    const list = desk.find('dialog', /^Orders · Fjordkontoret/);
    const [number] = await app.rpc<{ name: string }[]>('sale.order', 'read', [[own], ['name']]);
    await list.getByText(String(number?.name)).waitFor();
    await expect.poll(focused).toContain('S0');
    await desk.checkAccessible();
    await desk.press('Enter');
    const record = desk.page.locator('dialog.dialog-over');
    await record.getByLabel("Customer's reference").fill('From beside');
    await record.getByRole('tab', { name: /^Files/ }).waitFor();
    await desk.press('Control+s');
    await record.waitFor({ state: 'detached' });
    await expect.poll(focused).toContain('S0');
    const saved = await app.rpc<object[]>('sale.order', 'search_read', [
      [['client_reference', '=', 'From beside']],
      ['partner_id'],
    ]);
    expect(saved).toMatchObject([{ partner_id: customer }]);
    await desk.click(list.getByRole('button', { name: /^New/ }));
    await record.getByLabel('Customer', { exact: true }).first().waitFor();
    expect(await record.getByLabel('Customer', { exact: true }).first().inputValue()).toContain('Fjordkontoret');
    await desk.press('Escape');
    await record.waitFor({ state: 'detached' });
    await desk.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await stat.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(desk.page.url()).toBe(before);
    await desk.click(stat);
    await desk.click(list.getByRole('link', { name: 'Whole screen' }));
    expect(desk.page.url()).toContain('sale.all_orders');
    expect(await desk.page.locator('dialog[open]').count()).toBe(0);

    const phone = await app.open({
      path: before.replace(/^https?:\/\/[^/]+/, ''),
      size: 'phone',
    });
    await phone.click(phone.find('button', /^Orders/));
    await phone.page.locator('dialog .list-card').first().waitFor();
    const box = await phone.page.locator('dialog[open]').boundingBox();
    expect([box?.width, box?.height]).toEqual([390, 844]);
    await phone.close();
  });

  it('SCN-64 the status bar of a cancelled order says so, and no step as passed', async () => {
    const id = await order();
    await app.rpc('sale.order', 'call', [id, 'action_cancel']);
    await desk.visit(`/web?action=sale.quotations&view_type=form&id=${id}`);
    const current = desk.page.locator('.status [aria-current]');
    expect(await current.textContent()).toBe('Cancelled');
    expect(await desk.page.locator('.status-was').count()).toBe(0);
    await desk.click(desk.find('button', 'Reset to quotation'));
    await expect.poll(() => current.textContent()).toBe('Quotation');
    expect(await desk.page.locator('.status').getByText('Cancelled').count()).toBe(0);
  });

  it('SCN-65 a button that is seldom needed is in the menu of the bar', async () => {
    await desk.visit(`/web?action=contacts.partners&view_type=form&id=${customer}`);
    expect(await desk.find('button', 'Personal data').count()).toBe(0);
    await desk.click(desk.find('button', 'More'));
    await desk.find('menuitem', 'Personal data').waitFor();
  });
});
