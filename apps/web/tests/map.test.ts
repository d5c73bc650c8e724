import { readFile } from 'node:fs/promises';
import { sql } from '@kontor/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const contacts = '/web?action=contacts.partners&view_type=map&filter=';
/** Central Europe: Hamburg, Berlin and Vienna lie apart. */
const europe = `${contacts}&at=51,12,5.5`;

describe('the map', () => {
  let app: TestApp;
  let screen: TestPage;
  const countries: Record<string, number> = {};
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], hasBus: true, keepsClient: true });
    const found = await app.rpc<{ id: number; code: string }[]>('core.country', 'search_read', [
      [['code', 'in', ['DE', 'AT', 'JP']]],
      ['code'],
    ]);
    for (const { id, code } of found) countries[code] = id;
    const towns = ['Hamburg', 'Hamburg', 'Hamburg', 'Berlin', 'Berlin', 'Potsdam', 'München', 'Hooge'];
    for (const [at, city] of towns.entries()) await make(`${city} ${at + 1}`, city, 'DE');
    await make('Wiener Café', 'Wien', 'AT');
    await make('Kissaten', '東京', 'JP');
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  const make = (name: string, city: string, code: string) =>
    app.rpc<number>('core.partner', 'create', [{ name, city, country_id: countries[code], is_company: true }]);
  const pin = (name: string) => screen.page.locator('.map-pin').and(screen.page.getByLabel(name, { exact: true }));
  const row = (name: string) => screen.page.locator('.map-row', { hasText: name });
  const address = () => new URL(screen.page.url()).searchParams;
  const counts = async () => {
    const texts = await screen.page.locator('.map-cluster').evaluateAll((all) => all.map((one) => one.textContent));
    return texts.map(Number).sort();
  };
  const surface = async () => {
    const box = await screen.page.locator('.map-surface').boundingBox();
    if (!box) throw new Error('There is no map.');
    return box;
  };
  const drag = async (right: number, down: number) => {
    const { x, y, width, height } = await surface();
    await screen.page.mouse.move(x + width / 2, y + height * 0.9);
    await screen.page.mouse.down();
    await screen.page.mouse.move(x + width / 2 + right, y + height * 0.9 + down, { steps: 4 });
    await screen.page.mouse.up();
    await screen.idle();
  };

  it('MAP-4 clusters tell how many the database has there, and open by zooming until each stands alone', async () => {
    screen = await app.open({ path: europe });
    const [atCities] = await app.database.query<{
      hamburg: number;
      berlin: number;
      placed: number;
      unplaced: number;
    }>(sql`
      select count(*) filter (where city = 'Hamburg')::int as hamburg, count(*) filter (where latitude is null)::int as unplaced,
        count(*) filter (where city in ('Berlin', 'Potsdam'))::int as berlin, count(latitude)::int as placed
      from core_partner where active`);
    expect(await counts()).toEqual([atCities?.hamburg, atCities?.berlin].sort());
    expect(await screen.text('.map-head h2')).toBe(`${atCities?.placed} on the map`);
    expect(await screen.text('.map-foot [role=status]')).toBe(`${atCities?.unplaced} without a position`);
    await screen.checkAccessible();
    // Berlin and Potsdam come apart, the two in Berlin are at one spot.
    await screen.click(screen.page.locator('.map-cluster', { hasText: '3' }).nth(0));
    const isBerlin = (await pin('Potsdam 6').count()) === 1;
    if (!isBerlin) {
      // The other circle of three: Hamburg is one spot, so it opened a list of names.
      expect(await screen.page.locator('.map-card-list li').count()).toBe(3);
      await screen.click(screen.page.locator('.map-card-close'));
      await screen.click(screen.page.locator('.map-cluster', { hasText: '3' }).nth(1));
    }
    expect(await pin('Potsdam 6').count()).toBe(1);
    expect(await counts()).toContain(2);
    expect(Number(address().get('at')?.split(',')[2])).toBeGreaterThan(6);
  });

  it('MAP-5 list and map share what is chosen; the card opens the record, and back leads to the same map', async () => {
    screen = await app.open({ path: europe });
    await screen.click(pin('Wiener Café'));
    expect(await row('Wiener Café').getAttribute('class')).toContain('is-on');
    expect(await screen.text('.map-card')).toContain('Austria');
    await screen.click(row('München 7').locator('.map-row-main'));
    expect(await pin('München 7').getAttribute('aria-pressed')).toBe('true');
    await row('Wiener Café').hover();
    expect(await pin('Wiener Café').getAttribute('class')).toContain('is-hovered');
    await screen.click(screen.page.locator('.map-card').getByRole('button', { name: 'Open' }));
    expect(address().get('view_type')).toBe('form');
    await screen.page.goBack();
    await screen.idle();
    expect(address().get('at')).toBe('51,12,5.5');
    expect(await pin('Wiener Café').count()).toBe(1);
  });

  it('MAP-6 moving changes nothing but the address; an area is searched when asked for', async () => {
    screen = await app.open({ path: europe });
    expect(await screen.find('button', 'Search this area').count()).toBe(0);
    await drag(-160, 0);
    expect(await row('Kissaten').count()).toBe(1);
    expect(address().get('at')).not.toBe('51,12,5.5');
    await screen.click(screen.find('button', 'Search this area'));
    expect(await row('Kissaten').count()).toBe(0);
    expect(await row('Wiener Café').count()).toBe(1);
    const [south = 0, west = 0, north = 0, east = 0] = (address().get('area') ?? '').split(',').map(Number);
    const [inside] = await app.database.query<{ n: number }>(sql`
      select count(*)::int as n from core_partner where active
        and latitude between ${south} and ${north} and longitude between ${west} and ${east}`);
    expect(await screen.text('.map-head h2')).toBe(`${inside?.n} on the map`);
    await screen.click(screen.find('button', 'Search everywhere'));
    expect(await row('Kissaten').count()).toBe(1);
    // The keyboard does the same.
    await screen.page.locator('.map-surface').focus();
    const before = address().get('at');
    await screen.press('ArrowRight');
    await screen.press('+');
    expect(address().get('at')).not.toBe(before);
  });

  long(
    'MAP-7 what has no position is listed, and placed by its city or by a click; what others change comes by itself',
    async () => {
      const lost = await make('Lost and found', 'Atlantis', 'DE');
      screen = await app.open({ path: europe });
      await screen.click(screen.find('button', 'Place on the map'));
      await screen.checkAccessible();
      const input = row('Hooge 8').getByRole('combobox');
      await input.fill('Flensb');
      await screen.idle();
      await screen.click(row('Hooge 8').getByRole('option', { name: /Flensburg/ }));
      expect(await row('Hooge 8').count()).toBe(0);
      await screen.click(row('Lost and found').getByRole('button', { name: 'On the map' }));
      const { x, y, width, height } = await surface();
      await screen.page.mouse.click(x + width / 2, y + height / 2);
      await screen.idle();
      const [placed] = await app.rpc<{ latitude: number; longitude: number; placed_by_hand: boolean }[]>(
        'core.partner',
        'read',
        [[lost], ['latitude', 'longitude', 'placed_by_hand']],
      );
      expect(placed?.latitude).toBeCloseTo(51, 1);
      expect(placed?.longitude).toBeCloseTo(12, 1);
      expect(placed?.placed_by_hand).toBe(true);
      expect(await pin('Lost and found').count()).toBe(1);
      expect(await screen.text('.map-unplaced')).toBe('');
      await app.rpc('core.partner', 'write', [[lost], { latitude: null, longitude: null }]);
      await row('Lost and found').waitFor();
      await app.rpc('core.partner', 'unlink', [[lost]]);
      await row('Lost and found').waitFor({ state: 'detached' });
    },
  );

  it('MAP-8 a route goes through the stops in the order chosen, and stays in the address', async () => {
    screen = await app.open({ path: europe });
    for (const name of ['Wiener Café', 'München 7', 'Hamburg 1']) {
      await screen.click(row(name).locator('.map-row-stop'));
    }
    const names = () => screen.page.locator('.map-stop-name').allTextContents();
    expect(await names()).toEqual(['Wiener Café', 'München 7', 'Hamburg 1']);
    // 355 km from Vienna to Munich, 615 km on to Hamburg, as the crow flies.
    expect(await screen.text('.map-total')).toBe('970 km');
    await screen.click(screen.find('button', 'Move Hamburg 1 up'));
    expect(await names()).toEqual(['Wiener Café', 'Hamburg 1', 'München 7']);
    await screen.page.reload();
    await screen.idle();
    expect(await names()).toEqual(['Wiener Café', 'Hamburg 1', 'München 7']);
    const points = await screen.page.locator('.map-route polyline').getAttribute('points');
    expect(points?.split(' ')).toHaveLength(3);
  });

  it('MAP-9 the map downloads as SVG and PNG; leads have one too, with the places of their customers', async () => {
    const found = await app.rpc<{ id: number }[]>('core.partner', 'search_read', [
      [['name', '=', 'Wiener Café']],
      ['id'],
    ]);
    await app.rpc('crm.lead', 'create', [{ name: 'Coffee corner', type: 'opportunity', partner_id: found[0]?.id }]);
    screen = await app.open({ path: '/web?action=crm.pipeline&view_type=map' });
    expect(await pin('Coffee corner').count()).toBe(1);
    for (const [entry, start] of [
      ['Vector image (SVG)', '<svg xmlns="http://www.w3.org/2000/svg"'],
      ['Image (PNG)', '\u0089PNG'],
    ] as const) {
      const coming = screen.page.waitForEvent('download');
      await screen.click(screen.find('button', 'More'));
      await screen.click(screen.find('menuitem', entry));
      const file = await readFile(await (await coming).path());
      expect(file.toString('latin1').startsWith(start)).toBe(true);
      expect(file.length).toBeGreaterThan(5_000);
    }
  });

  long(
    'BRD-1 BRD-7 goes to a board as a tile that counts what SQL counts, and opens the records of a place',
    async () => {
      // Near enough for Hamburg to stand alone, also on the tile, which is half as wide.
      screen = await app.open({ path: `${contacts}&at=53,10,7` });
      await screen.click(screen.find('button', 'More'));
      await screen.click(screen.find('menuitem', 'Add to a board …'));
      await screen.find('dialog').getByLabel('Name', { exact: true }).fill('Where');
      await screen.click(screen.find('dialog').getByRole('button', { name: 'Add' }));
      await screen.click(screen.find('button', 'Open'));
      const tile = screen.page.getByRole('article', { name: 'Where' });
      await tile.locator('.map-cluster').first().waitFor();
      await screen.idle();
      const [at] = await app.database.query<{ spot: string; hamburg: number; placed: number; unplaced: number }>(sql`
      select max(latitude || ',' || longitude) filter (where city = 'Hamburg') as spot,
        count(*) filter (where city = 'Hamburg')::int as hamburg,
        count(latitude)::int as placed, count(*) filter (where latitude is null)::int as unplaced
      from core_partner where active`);
      const foot = await screen.text(tile.locator('.tile-map-foot'));
      expect(foot).toContain(`${at?.placed} on the map`);
      expect(foot.includes(`${at?.unplaced} without a position`)).toBe((at?.unplaced ?? 0) > 0);
      await screen.checkAccessible();
      const hamburg = tile.locator(`[data-spot="${at?.spot}"]`);
      expect(await hamburg.textContent()).toBe(String(at?.hamburg));
      // Somebody else finds one more customer there.
      const found = await make('Hamburg 9', 'Hamburg', 'DE');
      await tile.locator(`[data-spot="${at?.spot}"][data-count="${(at?.hamburg ?? 0) + 1}"]`).waitFor();
      await screen.click(hamburg);
      expect(address().get('view_type')).toBe('list');
      expect(await screen.page.locator('[data-row]').count()).toBe((at?.hamburg ?? 0) + 1);
      await app.rpc('core.partner', 'unlink', [[found]]);
    },
  );

  it('MAP-10 axe finds nothing in the dark and on a phone, where two fingers zoom', async () => {
    screen = await app.open({ path: europe, theme: 'dark' });
    // East stays right where words go from right to left; what is read on the map goes with them.
    await screen.page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    await screen.click(pin('Wiener Café'));
    expect(await screen.page.locator('.map-card').getAttribute('dir')).toBe('rtl');
    expect(await screen.page.locator('.map-surface').getAttribute('dir')).toBe('ltr');
    await screen.checkAccessible();
    await screen.close();
    screen = await app.open({ path: contacts, size: 'phone' });
    await screen.checkAccessible();
    const before = address().get('at');
    const { x, y, width, height } = await surface();
    await screen.page.locator('.map-surface').evaluate(
      (map, [cx, cy]) => {
        const finger = (type: string, pointerId: number, clientX: number) =>
          map.dispatchEvent(
            new PointerEvent(type, { pointerId, clientX, clientY: cy, bubbles: true, pointerType: 'touch', button: 0 }),
          );
        map.setPointerCapture = () => {};
        finger('pointerdown', 11, cx - 30);
        finger('pointerdown', 12, cx + 30);
        finger('pointermove', 11, cx - 80);
        finger('pointermove', 12, cx + 80);
        finger('pointerup', 11, cx - 80);
        finger('pointerup', 12, cx + 80);
      },
      [x + width / 2, y + height / 2] as const,
    );
    await screen.idle();
    expect(address().get('at')).not.toBe(before);
    expect(Number(address().get('at')?.split(',')[2])).toBeGreaterThan(1.5);
  });
});
