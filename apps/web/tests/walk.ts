import type { Page } from 'playwright-core';
import { cutWords } from './cut-words.ts';
import { faults } from './page-looks.ts';

/** A window that walks: each step waits until the client is idle. */
export interface Walker {
  readonly page: Page;
  go(path: string): Promise<void>;
  visit(path: string): Promise<void>;
  idle(): Promise<void>;
}

export type Ask = <T>(model: string, method: string, args: readonly unknown[], kwargs?: object) => Promise<T>;

/** A screen, and whether what its buttons and menus open is looked at as well. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  readonly opens: boolean;
}

interface Action {
  readonly id: number;
  readonly model: string;
  readonly view_mode: string;
}

const screens = [
  ...['home', 'apps', 'settings', 'settings/app-logs', 'settings/customise', 'profile', 'proposals'],
  'reference?model=core.partner',
  'settings/rights?model=core.partner&user=1',
].map((path) => ({ name: path, path: `/web/${path}`, opens: true }));

/** Every screen of a server: its own, those of every action in each of its views, forms read and new, and every board. */
export async function stopsOf(ask: Ask): Promise<readonly Stop[]> {
  const actions = await ask<Action[]>('sys.action.window', 'search_read', [[], ['model', 'view_mode']], {
    order: 'id',
  });
  const boards = await ask<{ id: number }[]>('sys.board', 'search_read', [[], ['id']], { order: 'id' });
  const stops: Stop[] = [...screens];
  for (const { id } of boards)
    stops.push({ name: `board ${id}`, path: `/web?model=sys.board&view_type=form&id=${id}`, opens: false });
  const opened = new Set<string>();
  for (const { id, model, view_mode: modes } of actions) {
    const [record] = await ask<{ id: number }[]>(model, 'search_read', [[], ['id']], { limit: 1 }).catch(() => []);
    for (const view of modes.split(',').map((mode) => mode.trim())) {
      const name = `${model} ${view}`;
      const path = `/web?action=${id}&view_type=${view}`;
      const add = (more: Stop) => stops.push({ ...more, opens: more.opens && !opened.has(more.name) });
      // Buttons of the other views are those of the first one.
      add({ name, path, opens: modes.startsWith(view) });
      if (view === 'form' && record) add({ name: `${name} read`, path: `${path}&id=${record.id}`, opens: true });
      opened.add(name).add(`${name} read`);
    }
  }
  return stops;
}

/** Pages that the server draws for people who are not signed in: to sign in, and of a customer with links to documents. */
export async function publicStops(ask: Ask, url: string): Promise<readonly Stop[]> {
  // Without a mail server nobody can ask for a link.
  const stops = ['/web/login', '/portal'].map((path) => ({ name: path, path, opens: false }));
  for (const [model, state] of [
    ['sale.order', 'sale'],
    ['invoice.invoice', 'posted'],
  ] as const) {
    const wanted = [['state', '=', state]];
    const [record] = await ask<{ id: number }[]>(model, 'search_read', [wanted, ['id']], { limit: 1 });
    const path = `/portal/${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`;
    const link = { recipient: 'ines@lac.example', days: '30', address: `${url}${path}` };
    await ask(model, 'call', [record?.id, 'action_share', link]);
    stops.push({ name: `portal ${model}`, path, opens: false });
  }
  return stops;
}

export interface WalkOptions {
  readonly widths: readonly number[];
  /** Opens dialogs and menus; without it only the screens themselves are looked at. */
  readonly opens?: boolean;
  onStop?(stop: Stop, found: readonly string[]): Promise<void> | void;
}

/** What is wrong on these screens at these widths, each as a sentence that begins with its place. */
export async function walk(walker: Walker, stops: readonly Stop[], options: WalkOptions): Promise<readonly string[]> {
  const all: string[] = [];
  for (const stop of stops) {
    const found = await lookAt(walker, stop, options);
    await options.onStop?.(stop, found);
    all.push(...found);
  }
  return [...new Set(all)];
}

const desk = { width: 1440, height: 900 };

async function lookAt(walker: Walker, stop: Stop, { widths, opens = false }: WalkOptions): Promise<readonly string[]> {
  const { page } = walker;
  const found: string[] = [];
  const look = async (place: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width > 640 ? 900 : 844 });
      await page.evaluate(untilDrawn);
      await walker.idle();
      const seen = [...(await page.evaluate(cutWords)), ...(await page.evaluate(faults))];
      found.push(...seen.map((one) => `${place}, ${width} px: ${one}`));
    }
    await page.setViewportSize(desk);
  };
  await page.setViewportSize(desk);
  await (page.url().includes('/web') ? walker.visit(stop.path) : walker.go(stop.path));
  await look(stop.name);
  await checkDark(walker, stop.name, found);
  for (const tab of await page.locator('.main [role=tab]:not([aria-selected=true])').all()) {
    if (!(await tab.isVisible())) continue;
    const name = await tab.textContent();
    await tab.click();
    await walker.idle();
    await look(`${stop.name}, tab ${name}`);
  }
  if (opens && stop.opens) await lookInside(walker, stop, look);
  return found;
}

/** Colours alone depend on the theme. */
async function checkDark({ page }: Walker, name: string, found: string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const pale = (await page.evaluate(faults)).filter((one) => one.includes('a chip on the colour'));
  found.push(...pale.map((one) => `${name}, dark: ${one}`));
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Buttons of bars, and whatever says that it opens something; of rows the first one, as the others open the same. */
const ownOpeners =
  '.main :is(.bar, .form-bar, .page-head) button:not([role=tab], [aria-pressed]), .main [aria-haspopup]:not(tr:nth-child(n + 2) *)';
/** The bar above every screen is looked into on the first one. */
const openersOf = ({ name }: Stop) => (name === 'home' ? `${ownOpeners}, .top [aria-haspopup]` : ownOpeners);
const over = 'dialog[open], .popover:popover-open';

/** Opens each button that asks, and each entry of its menu that does; nothing is changed, as `keepsData` answers for the server. */
async function lookInside(walker: Walker, stop: Stop, look: (place: string) => Promise<void>): Promise<void> {
  const { page } = walker;
  const openers = openersOf(stop);
  const press = async (selector: string, at: number) => {
    const button = page.locator(selector).nth(at);
    if (!(await button.isVisible()) || !(await button.isEnabled())) return null;
    const name = ((await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '')
      .trim()
      .replaceAll(/\s+/g, ' ');
    await button.click({ force: true, noWaitAfter: true });
    await walker.idle();
    return name;
  };
  const start = page.url();
  const back = async () => {
    for (let at = 0; at < 3 && (await page.locator(over).count()) > 0; at++) {
      await page.keyboard.press('Escape');
      await walker.idle();
    }
    const isBack = async () => page.url() === start && (await page.locator(over).count()) === 0;
    if (await isBack()) return;
    await walker.visit(stop.path);
    if (!(await isBack())) await walker.go(stop.path);
  };
  const count = Math.min(await page.locator(openers).count(), mostOpeners);
  for (let at = 0; at < count; at++) {
    const name = await press(openers, at);
    if (name === null) continue;
    const isMenu = (await page.locator('[role=menu]:visible').count()) > 0;
    if ((await page.locator(over).count()) > 0) await look(`${stop.name} › ${name}`);
    const entries = isMenu ? await page.locator('[role=menu]:visible [role^=menuitem]').count() : 0;
    await back();
    for (let entry = 0; entry < Math.min(entries, mostOpeners); entry++) {
      if ((await press(openers, at)) === null) break;
      const said = await press('[role=menu]:visible [role^=menuitem]', entry);
      const isOver = (await page.locator(over).count()) > 0;
      if (said !== null && isOver) await look(`${stop.name} › ${said}`);
      await back();
    }
  }
}

const mostOpeners = 14;

const writes = /^(write|create|create_many|unlink|call|load|merge)$/;

/** From now on this page cannot change anything on the server: it may press every button. */
export async function keepsData(page: Page): Promise<void> {
  // What opens in a window of its own is another screen of the walk.
  page.on('popup', (opened) => void opened.close());
  await page.route('**/*', async (route) => {
    const request = route.request();
    // Nothing is shown instead: the page stays where it is.
    if (request.url().endsWith('/web/logout')) return route.fulfill({ status: 204 });
    if (request.method() !== 'POST') return route.fallback();
    const { method } = JSON.parse(request.postData() ?? '{}') as { method?: string };
    const isRead = request.url().endsWith('/api/rpc') && !writes.test(method ?? '');
    return isRead ? route.fallback() : route.fulfill({ status: 409, json: refused });
  });
}

const refused = {
  ok: false,
  result: null,
  error: { code: 'CONFLICT', message: 'Nothing is changed on this walk.', details: {} },
};

/** In the page: what is drawn in another way at this width has been, and has had its own layout. */
async function untilDrawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}
