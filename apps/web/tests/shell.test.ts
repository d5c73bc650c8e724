import { sql } from '@kontor/database';
import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import { lookAway } from './life-world.ts';
import type { TestPage } from './test-page.ts';

const countries = '/web?model=core.country&view_type=list';

describe('the shell', () => {
  let app: TestApp;
  let shell: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product'] });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    shell = await app.open({ path: '/web/home' });
  });
  afterEach(async () => {
    expect(shell.problems).toEqual([]);
    await shell.close();
  });

  long('BOO-1 shows the installed apps from what the page carries', async () => {
    expect(await shell.find('link', /Products/).count()).toBeGreaterThan(0);
    await shell.checkAccessible();
  });

  long('goes from app to app without loading the page, and brings the other menus', async () => {
    await shell.page.evaluate('window.isSamePage = true');
    await shell.click(shell.find('button', /^Apps$/));
    await shell.click(shell.page.locator('.launcher').getByRole('link', { name: 'Products' }));
    expect(await shell.text('.side')).toContain('Price lists');
    await shell.click(shell.find('button', /^Apps$/));
    await shell.click(shell.page.locator('.launcher').getByRole('link', { name: 'Contacts' }));
    expect(await shell.text('.side')).not.toContain('Price lists');
    expect(await shell.page.evaluate('window.isSamePage')).toBe(true);
    await shell.page.goBack();
    await shell.idle();
    expect(await shell.text('.side')).toContain('Price lists');
  });

  long('ACC-15 shows the records of another company with those of the active one', async () => {
    const [euro] = await app.rpc<{ id: number }[]>('core.currency', 'search_read', [[['name', '=', 'EUR']], ['id']]);
    const other = await app.rpc<number>('core.company', 'create', [{ name: 'Harbour Ltd.', currency_id: euro?.id }]);
    const zinnia = await app.rpc<number>('core.partner', 'create', [{ name: 'Zinnia of the harbour' }]);
    await app.database.execute(sql`update core_partner set company_id = ${other} where id = ${zinnia}`);
    await shell.go('/web?model=core.partner&view_type=list&q=zinnia');
    expect(await shell.text('main')).not.toContain('of the harbour');
    const choose = async () => {
      await shell.click('.top .company');
      const loaded = shell.page.waitForEvent('load');
      await shell.click(shell.find('menuitemcheckbox', 'Harbour Ltd.').last());
      await loaded;
      await shell.idle();
    };
    await choose();
    expect(await shell.text('.top .company')).toContain('+1');
    expect(await shell.text('main')).toContain('Zinnia of the harbour');
    await shell.click('.top .company');
    await shell.checkAccessible();
    await shell.page.keyboard.press('Escape');
    await choose();
    expect(await shell.text('main')).not.toContain('of the harbour');
  });

  it('SCN-76 asks again for what is on the screen when it is looked at after a long time, where no bus told it', async () => {
    const [albania] = await app.rpc<{ id: number }[]>('core.country', 'search_read', [[['name', '=', 'Albania']], []]);
    const rename = (name: string) => app.rpc('core.country', 'write', [[albania?.id], { name }]);
    await shell.visit(countries);
    await lookAway(shell.page, 2, () => rename('Albania the fair'));
    await shell.page.locator('.list-link', { hasText: 'Albania the fair' }).waitFor();
    const asked: string[] = [];
    shell.page.on('request', (request) => asked.push(request.url()));
    await lookAway(shell.page, 0.5, () => rename('Albania'));
    await shell.idle();
    expect(asked).toEqual([]);
  });

  long('finds menus, commands and records in the palette', async () => {
    await shell.visit(countries);
    await shell.press('Control+k');
    await shell.type('norw');
    await shell.page.getByRole('option', { name: 'Norway' }).waitFor();
    await shell.checkAccessible();
    await shell.press('Enter');
    expect(await shell.text('.crumbs')).toContain('Norway');
    await shell.press('Control+k');
    await shell.type('dark');
    await shell.press('Enter');
    expect(await shell.page.locator('html').getAttribute('data-theme')).toBe('dark');
    await shell.go('/web/home');
    expect(await shell.page.locator('html').getAttribute('data-theme')).toBe('dark');
    await shell.checkAccessible();
  });

  long('loses nothing that is typed for the palette while its code is on its way', async () => {
    const slow = await app.open({});
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await slow.page.route(/\/palette-[^/]*\.js/, async (route) => {
      await arrived;
      await route.continue();
    });
    await slow.page.goto(countries);
    await slow.page.locator('.list-link').first().waitFor();
    await slow.page.keyboard.press('Control+k');
    await slow.page.keyboard.type('norw');
    arrive();
    await slow.page.getByRole('option', { name: 'Norway' }).waitFor();
    expect(await slow.page.locator('.palette-input').inputValue()).toBe('norw');
  });

  long('BOO-15 finds records of every app in one call, the nearest first, and forgets what is typed over', async () => {
    await app.rpc('core.partner', 'create', [{ name: 'Quillfeather Ltd' }]);
    const [unit] = await app.rpc<{ id: number }[]>('product.uom', 'search_read', [[], ['id']]);
    await app.rpc('product.product', 'create', [{ name: 'Quillfeather pen', uom_id: unit?.id }]);
    await shell.visit('/web?action=product.products&view_type=list');
    await shell.press('Control+k');
    const asked: URLSearchParams[] = [];
    shell.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/web/wc/find') asked.push(searchParams);
    });
    await shell.page.getByRole('combobox', { name: 'Search and commands' }).fill('zzquillf');
    await shell.idle();
    expect(asked.map((query) => query.get('q'))).toEqual(['zzquillf']);
    expect(asked[0]?.get('models')).toMatch(/^product\.product,.*core\.partner/);
    expect(await shell.find('option').count()).toBe(0);
    await shell.page.getByRole('combobox', { name: 'Search and commands' }).fill('quillf');
    await shell.find('option', 'Quillfeather Ltd').waitFor();
    expect(await shell.find('option').allInnerTexts()).toEqual(['Quillfeather pen', 'Quillfeather Ltd']);
    expect(await shell.page.locator('.palette .menu-head').allInnerTexts()).toEqual(['Products', 'Contact']);
    await shell.checkAccessible();
    await shell.press('ArrowDown');
    await shell.press('Enter');
    expect(await shell.text('.crumbs')).toContain('Quillfeather Ltd');
    expect(await shell.text('.side')).toContain('Contacts');
  });

  it('SCN-30 finds by e-mail, phone and city, makes records from anywhere, and shows what was open last first', async () => {
    const contact = {
      name: 'Marta Brandl',
      email: 'office@zirbenhof.at',
      phone: '+43 (512) 904-771',
      city: 'Grinzens',
    };
    const id = await app.rpc<number>('core.partner', 'create', [contact]);
    await app.rpc('core.partner', 'create', [{ name: 'Adele Grinzenser' }]);
    const palette = shell.page.getByRole('combobox', { name: 'Search and commands' });
    const options = shell.page.locator('.palette').getByRole('option');
    await shell.press('Control+k');
    const by = {
      zirbenhof: contact.email,
      '0512 904771': contact.phone,
      '512904771': contact.phone,
      GRINZENS: contact.city,
    };
    for (const [typed, value] of Object.entries(by)) {
      await palette.fill(typed);
      const found = options.filter({ hasText: 'Marta Brandl' }).locator('.menu-item-end');
      await expect.poll(() => found.allInnerTexts()).toEqual([value]);
    }
    await palette.fill('5129047712');
    await expect.poll(() => options.allInnerTexts()).toEqual([]);
    await palette.fill('new prod');
    await options.filter({ hasText: 'New product' }).waitFor();
    await shell.press('Enter');
    await shell.page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await shell.text('.side')).toContain('Products');
    await app.database.execute(sql`
      insert into sys_recent (user_id, model, res_id, seen_at, create_date, write_date)
      select id, 'core.partner', ${id}, now(), now(), now() from core_user where login = ${admin.login}`);
    await shell.go(countries);
    await shell.press('Control+k');
    await expect.poll(() => options.first().textContent()).toContain('Marta Brandl');
    await shell.checkAccessible();
    await palette.fill('grinz');
    await options.filter({ hasText: 'Adele' }).waitFor();
    expect((await options.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Marta Brandl',
      'Adele Grinzenser',
    ]);
    // What has the name comes before what speaks of it, also from a screen where that is nearer.
    await app.rpc('product.category', 'create', [{ name: 'Spare parts for Norrsken 7781' }]);
    await app.rpc('core.partner', 'create', [{ name: 'Norrsken 7781' }]);
    await shell.go('/web?model=product.category&view_type=list');
    await shell.press('Control+k');
    await palette.fill('norrsken 7781');
    await options.filter({ hasText: 'Spare part' }).waitFor();
    expect((await options.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Norrsken 7781',
      'Spare parts for Norrsken 7781',
    ]);
  });

  long('shows its keys', async () => {
    await shell.visit(countries);
    await shell.page.keyboard.type('?');
    const help = shell.find('dialog', 'Keys');
    await help.waitFor();
    expect(await help.textContent()).toContain('Open row');
    await shell.checkAccessible();
    await shell.press('Escape');
    expect(await help.count()).toBe(0);
  });

  long('leads back to exactly where one was', async () => {
    await shell.visit(`${countries}&q=land&sort=-name`);
    await shell.click(shell.find('link', 'Swaziland').or(shell.find('link', 'Switzerland')).first());
    await shell.click(shell.page.locator('.crumbs a').last());
    const { searchParams } = new URL(shell.page.url());
    expect([searchParams.get('q'), searchParams.get('sort')]).toEqual(['land', '-name']);
  });

  long('lets people sign in again in place, and goes on', async () => {
    await shell.visit(countries);
    await shell.page.context().clearCookies();
    await shell.page.locator('.list-scroll').evaluate((scroll) => scroll.scrollTo(0, scroll.scrollHeight));
    await shell.find('dialog', 'Sign in again').waitFor();
    await shell.checkAccessible();
    await shell.page.getByLabel(/Password of/).fill('not it');
    await shell.click(shell.find('button', 'Sign in'));
    expect(await shell.page.locator('#sign-in-problem').textContent()).not.toBe('');
    await shell.page.getByLabel(/Password of/).fill(admin.password);
    await shell.click(shell.find('button', 'Sign in'));
    await shell.page.getByRole('link', { name: 'Zimbabwe' }).waitFor();
    expect(await shell.find('dialog').count()).toBe(0);
    shell.forgive(/401/);
  });

  long('says that the network is gone, and when it is back goes on', async () => {
    await shell.visit(countries);
    await shell.page.context().setOffline(true);
    await shell.page.locator('.list-scroll').evaluate((scroll) => scroll.scrollTo(0, scroll.scrollHeight));
    await shell.page.getByText('No connection.').waitFor();
    await shell.page.context().setOffline(false);
    await shell.page.getByText('No connection.').waitFor({ state: 'detached' });
    await shell.page.getByRole('link', { name: 'Zimbabwe' }).waitFor();
    shell.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  long('has a screen for what is not there, with the request to quote', async () => {
    await shell.page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: '/web?model=no.such&view_type=list',
        id: 'astray',
      });
      link.textContent = 'astray';
      document.querySelector('main')?.append(link);
    });
    await shell.click('#astray');
    await shell.find('heading', 'There is nothing here').waitFor();
    expect(await shell.page.locator('main code').textContent()).toMatch(/\w{8}-/);
    await shell.checkAccessible();
    shell.forgive(/404/);
  });

  const nowhere = [
    ['/web?action=product.products&view_type=form&id=987654', 'Product 987654 does not exist.'],
    ['/web/nowhere', 'There is no such page.'],
    ['/web?action=product.nothing', 'There is no action product.nothing.'],
  ] as const;
  it.each(isLong ? nowhere : nowhere.slice(0, 1))(
    'BOO-14 stays around %s, which leads nowhere',
    async (path, message) => {
      await shell.go(path);
      await shell.find('heading', 'There is nothing here').waitFor();
      expect(await shell.text('main [role=alert]')).toContain(message);
      expect(await shell.page.locator('main code').textContent()).toMatch(/\w{8}-/);
      await shell.checkAccessible();
      await shell.press('Control+k');
      await shell.type('price lists');
      await shell.press('Enter');
      expect(await shell.text('.crumbs')).toContain('Price lists');
      await shell.page.goBack();
      await shell.idle();
      await shell.find('heading', 'There is nothing here').waitFor();
      await shell.click(shell.page.locator('main').getByRole('button', { name: 'Back' }));
      expect(new URL(shell.page.url()).pathname).toBe('/web/home');
      shell.forgive(/404/);
    },
  );

  long('fits a phone: the menu slides in, targets are large, nothing scrolls sideways', async () => {
    const phone = await app.open({ path: '/web/home', size: 'phone' });
    await phone.checkAccessible();
    await phone.click(phone.find('link', /Products/).first());
    await phone.click(phone.find('button', 'Menu'));
    await phone.checkAccessible();
    await phone.click(phone.find('link', 'Price lists'));
    expect(await phone.text('.crumbs')).toContain('Price lists');
    const small = await phone.page.evaluate(() =>
      [...document.querySelectorAll('.top button, .top a, .side a')]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && (height < 44 || width < 44)),
    );
    expect(small).toEqual([]);
    expect(
      await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
  });

  long('is in a window without anything of the one that was closed before', async () => {
    const before = shell.page;
    await shell.page.evaluate(() => {
      localStorage.setItem('left', 'here');
      sessionStorage.setItem('left', 'here');
      // biome-ignore lint/suspicious/noDocumentCookie: what a page may leave behind.
      document.cookie = 'left=here';
    });
    await shell.close();
    shell = await app.open({ path: '/web/home' });
    expect(shell.page).toBe(before);
    const left = await shell.page.evaluate(() => [
      localStorage.getItem('left'),
      sessionStorage.getItem('left'),
      document.cookie.includes('left'),
      history.length > 2,
    ]);
    expect(left).toEqual([null, null, false, false]);
  });
});
