import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { layoutWork } from './layout-work.ts';
import { watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

const path = '/web?action=gallery.pieces&view_type=kanban';
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

describe('a kanban that is worked in', () => {
  let app: Gallery;
  let board: TestPage;
  let rooms: { hall: number; cellar: number };
  let pieces: number[];
  beforeAll(async () => {
    app = await openGallery({ keepsClient: true });
    rooms = {
      hall: await app.make('room', { name: 'Hall', sequence: 1 }),
      cellar: await app.make('room', { name: 'Cellar', sequence: 2 }),
    };
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<{ id: number }[]>('gallery.piece', 'search_read', [[], ['id']]);
    await app.rpc('gallery.piece', 'unlink_many', [old.map(({ id }) => id)]);
    const [euro, dollar] = [await app.currency('EUR'), await app.currency('USD')];
    pieces = await app.rpc<number[]>('gallery.piece', 'create_many', [
      [
        { name: 'Dawn', room_id: rooms.hall, sequence: 1, price: 100, currency_id: euro, image: picture },
        { name: 'Noon', room_id: rooms.hall, sequence: 2, price: 40, currency_id: dollar },
        { name: 'Dusk', room_id: rooms.cellar, sequence: 3, price: 7, currency_id: euro },
      ],
    ]);
  });
  afterEach(async () => {
    expect(board.problems).toEqual([]);
    await board.close();
  });

  const column = (name: string) => board.page.locator(`section[aria-label="${name}"]`);
  const view = (name: string) => board.page.locator(`.seg a[aria-label="${name}"]`);
  const hang = (count: number) => {
    const lot = (at: number) => ({ name: `Lot ${at}`, room_id: rooms.hall, sequence: 10 + at });
    return app.rpc('gallery.piece', 'create_many', [Array.from({ length: count }, (_, at) => lot(at))]);
  };
  const card = (name: string) => board.page.locator('article[data-card]', { hasText: name });
  const cards = (name: string) => column(name).locator('.kanban-title').allTextContents();
  const roomOf = async (name: string) => {
    const [found] = await app.rpc<{ room_id: number }[]>('gallery.piece', 'search_read', [
      [['name', '=', name]],
      ['room_id'],
    ]);
    return found?.room_id;
  };

  long('VIEW-6 runs the buttons of its header on the cards that are chosen, all of them in one call', async () => {
    board = await app.open({ path });
    const calls = watchChanges(board);
    await card('Dawn').hover();
    await board.page.getByLabel('Select Dawn').check();
    await card('Dusk').locator('.kanban-title').focus();
    await board.press('x');
    const bar = board.find('toolbar', 'Selection');
    expect(await board.text(bar.locator('[role=status]'))).toBe('2 selected');
    await board.checkAccessible();
    await board.click(bar.getByRole('button', { name: 'Put on show' }));
    const active_ids = [pieces[0], pieces[2]].join();
    expect(calls).toMatchObject([{ method: 'call', args: [0, 'action_show', { active_ids }] }]);
    const open = () => app.rpc('gallery.piece', 'search', [[['is_open', '=', true]]]);
    expect(await open()).toHaveLength(2);
    await board.click(bar.getByRole('button', { name: 'Take down' }));
    await board.click(board.find('dialog', 'Take down').getByRole('button', { name: 'Take down' }));
    expect(await open()).toHaveLength(0);
    await card('Dusk').locator('.kanban-title').focus();
    await board.press('Escape');
    expect(await bar.count()).toBe(0);
  });

  it('shows pictures on cards, and sums for each currency', async () => {
    board = await app.open({ path });
    const image = card('Dawn').locator('img');
    expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(10);
    expect(await board.text(column('Hall').locator('.kanban-sum'))).toBe('€100 + $40');
    expect(await board.text(column('Cellar').locator('.kanban-sum'))).toBe('€7');
    expect(await board.text('.kanban-summary')).toContain('€107 + $40');
    await board.checkAccessible();
  });

  long('FIG-25 converts the sums of columns by choice', async () => {
    await app.setRates();
    board = await app.open({ path: `${path}&convert=company` });
    expect(await board.text(column('Hall').locator('.kanban-sum'))).toBe('$165');
    expect(await board.text('.kanban-summary')).toContain('$174');
    expect(await board.text('.kanban-summary')).toContain('Converted to USD at stored rates');
  });

  long('moves a card with a finger that rests on it, and scrolls with one that does not', async () => {
    board = await app.open({ path, size: 'phone' });
    const touch = await board.page.context().newCDPSession(board.page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const box = await card('Dawn').boundingBox();
    if (!box) throw new Error('The card is not on screen.');
    const [x, y] = [box.x + 60, box.y + 14];
    await send('touchStart', x, y);
    await send('touchMove', x, y + 60);
    expect(await board.page.locator('.drag-ghost').count()).toBe(0);
    await send('touchEnd');
    await board.page.evaluate(scrollsNoMore);
    await send('touchStart', x, y);
    await board.page.locator('.drag-ghost').waitFor();
    await send('touchMove', 380, y + 20);
    // Near the edge the board goes on by itself, until the next column is under the finger.
    await column('Cellar').locator('article', { hasText: 'Dawn' }).waitFor();
    await send('touchEnd');
    await board.idle();
    expect(await roomOf('Dawn')).toBe(rooms.cellar);
    await board.click(board.find('button', 'Undo'));
    expect(await roomOf('Dawn')).toBe(rooms.hall);
  });

  long('says why a card cannot be made, and keeps its title for another try', async () => {
    board = await app.open({ path });
    const calls = watchChanges(board);
    await board.click(board.find('button', 'New card in Cellar'));
    await board.type('Untitled');
    await board.press('Enter');
    board.forgive(/422/);
    expect(await board.find('alert').textContent()).toBe('Give it a title of its own.');
    const title = board.find('textbox', 'Title of the new card');
    expect(await title.inputValue()).toBe('Untitled');
    await board.click(board.find('button', 'Open the form'));
    expect(await board.page.getByLabel('Title', { exact: true }).inputValue()).toBe('Untitled');
    expect(await board.page.getByRole('combobox', { name: 'Room' }).inputValue()).toBe('Cellar');
    await board.page.goBack();
    await board.idle();
    await board.click(board.find('button', 'New card in Cellar'));
    await board.type('Named');
    await board.press('Enter');
    expect(calls.at(-1)?.args[0]).toMatchObject({ name: 'Named', room_id: rooms.cellar });
    expect(await cards('Cellar')).toContain('Named');
  });

  long('WSP-23 keeps folded columns for the person, in every browser', async () => {
    board = await app.open({ path });
    await column('Cellar').hover();
    await board.click(board.find('button', 'Collapse Cellar'));
    await board.close();
    board = await app.open({ path });
    expect(await column('Cellar').locator('.kanban-cards').count()).toBe(0);
    await board.click(column('Cellar').getByRole('button'));
    expect(await column('Cellar').locator('.kanban-cards').count()).toBe(1);
    await board.go(path);
    expect(await column('Cellar').locator('.kanban-cards').count()).toBe(1);
  });

  long('orders cards within a column by keyboard, where a move is refused puts the card back', async () => {
    board = await app.open({ path });
    await card('Noon').locator('.kanban-title').focus();
    await board.press('Space');
    await board.press('ArrowUp');
    await board.press('Space');
    expect(await cards('Hall')).toEqual(['Noon', 'Dawn']);
    await board.go(path);
    expect(await cards('Hall')).toEqual(['Noon', 'Dawn']);
    await app.rpc('gallery.piece', 'unlink', [[pieces[2]]]);
    await card('Dusk').locator('.kanban-title').focus();
    await board.press('Space');
    await board.press('ArrowLeft');
    await board.press('Space');
    board.forgive(/404/);
    await card('Dusk').waitFor({ state: 'detached' });
    expect(await board.find('alert').count()).toBeGreaterThan(0);
  });

  it('SCN-84 shows many cards in the first frame of a board that was seen, with no request for them and no layout before it', async () => {
    await hang(497);
    board = await app.open({ path: path.replace('kanban', 'list') });
    for (const name of ['Kanban', 'List']) await board.click(view(name));
    const asked: string[] = [];
    board.page.on('request', (request) => asked.push(request.postData() ?? request.url()));
    let drawn: readonly number[] = [];
    const work = await layoutWork(board, async () => {
      drawn = await board.page.evaluate(watchSwitch, 'Kanban');
      await board.idle();
    });
    expect(drawn[0]).toBeGreaterThan(5);
    // One that is higher than others may have taken the room of the last; none came later.
    expect(Math.max(...drawn)).toBe(drawn[0]);
    expect(work.forced).toEqual([]);
    // What its columns hold of each currency is asked for anew; cards are not.
    expect(asked.filter((one) => !one.includes('read_group'))).toEqual([]);
  });

  it('SCN-67 holds 500 cards, draws those in sight, and moves one without drawing the others again', async () => {
    await hang(497);
    board = await app.open({ path: `${path}&limit=500` });
    const size = await board.page.locator('.kanban-windowed li').first().getAttribute('aria-setsize');
    expect(Number(size)).toBeGreaterThanOrEqual(497);
    expect(await board.page.locator('article[data-card]').count()).toBeLessThan(60);
    const untouched = await card('Lot 3').first().elementHandle();
    await card('Noon').locator('.kanban-title').focus();
    await board.page.evaluate(() => {
      const changed = new Set<string>();
      Object.assign(window, { changed });
      new MutationObserver((records) => {
        for (const { target } of records) {
          const near =
            target instanceof Element ? target.closest('[data-card]') : target.parentElement?.closest('[data-card]');
          if (near) changed.add(near.getAttribute('data-card') ?? '');
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    await board.press('Space');
    await board.press('ArrowRight');
    await board.press('Space');
    expect(await roomOf('Noon')).toBe(rooms.cellar);
    expect(await board.page.evaluate(() => (window as unknown as { changed: Set<string> }).changed.size)).toBeLessThan(
      20,
    );
    expect(await untouched?.evaluate((one) => one.isConnected)).toBe(true);
  });
});

/** Goes to another view, and tells how many cards its screen had after each change of it, up to the end of its second frame. */
async function watchSwitch(name: string): Promise<readonly number[]> {
  const found: number[] = [];
  const watcher = new MutationObserver(() => {
    if (document.querySelector('.kanban-board')) found.push(document.querySelectorAll('.kanban-board article').length);
  });
  watcher.observe(document.body, { subtree: true, childList: true });
  document.querySelector<HTMLElement>(`.seg a[aria-label="${name}"]`)?.click();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  watcher.disconnect();
  return found;
}

/** A finger that comes down while the last scroll runs on goes on scrolling. */
function scrollsNoMore(): Promise<void> {
  const places = () => [...document.querySelectorAll('*')].map((one) => `${one.scrollLeft},${one.scrollTop}`).join();
  return new Promise((resolve) => {
    let [before, quietFrames] = [places(), 0];
    const look = () => {
      const now = places();
      quietFrames = now === before ? quietFrames + 1 : 0;
      before = now;
      if (quietFrames > 10) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}
