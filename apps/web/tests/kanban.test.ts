import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const pipeline = '/web?action=crm.pipeline&view_type=kanban';

interface Lead {
  readonly id: number;
  readonly name: string;
  readonly stage_id: number;
  readonly sequence: number;
}

describe('the kanban', () => {
  let app: TestApp;
  let board: TestPage;
  let stages: Map<string, number>;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], hasBus: true, keepsClient: true });
    const rows = await app.rpc<{ id: number; name: string }[]>('crm.stage', 'search_read', [[], ['name']]);
    stages = new Map(rows.map(({ id, name }) => [name, id]));
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<Lead[]>('crm.lead', 'search_read', [[], ['name']]);
    if (old.length > 0) await app.rpc('crm.lead', 'unlink', [old.map(({ id }) => id)]);
    const leads = [
      ['Ash table', 'New', 1000],
      ['Birch shelf', 'New', 2500],
      ['Cedar chest', 'New', 500],
      ['Desk', 'Qualified', 4000],
    ] as const;
    const all = { type: 'opportunity', sequence: 10 };
    await app.rpc('crm.lead', 'create_many', [
      leads.map(([name, stage, revenue]) => ({ ...all, name, stage_id: stages.get(stage), expected_revenue: revenue })),
    ]);
    board = await app.open({ path: pipeline });
  });
  afterEach(async () => {
    expect(board.problems).toEqual([]);
    await board.close();
  });

  const column = (name: string, page = board) => page.page.locator(`section[aria-label="${name}"]`);
  const card = (name: string, page = board) => page.page.locator('article[data-card]', { hasText: name });
  const cards = (name: string, page = board) => column(name, page).locator('.kanban-title').allTextContents();
  const lead = async (name: string) => {
    const fields = ['name', 'stage_id', 'sequence'];
    const [found] = await app.rpc<Lead[]>('crm.lead', 'search_read', [[['name', '=', name]], fields]);
    return found;
  };
  const drag = async (name: string, to: { x: number; y: number }) => {
    const box = await card(name).boundingBox();
    if (!box) throw new Error(`The card ${name} is not on screen.`);
    await board.page.mouse.move(box.x + 40, box.y + 12);
    await board.page.mouse.down();
    await board.page.mouse.move(box.x + 60, box.y + 30, { steps: 3 });
    await board.page.mouse.move(to.x, to.y, { steps: 6 });
  };
  const middle = async (name: string) => {
    const box = await column(name).boundingBox();
    if (!box) throw new Error(`The column ${name} is not on screen.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };

  long('shows columns with counts and sums, and cards in them', async () => {
    expect(await cards('New')).toHaveLength(3);
    expect(await board.text(column('New').locator('.kanban-count'))).toContain('3');
    expect(await board.text(column('New').locator('.kanban-sum'))).toContain('4,000');
    expect(await board.text('.kanban-summary')).toContain('4 cards');
    await board.checkAccessible();
  });

  long('moves a card by mouse, shows it at once, and takes it back', async () => {
    await drag('Ash table', await middle('Qualified'));
    await board.page.locator('.drag-ghost').waitFor();
    await board.page.mouse.up();
    await expect.poll(() => cards('Qualified')).toContain('Ash table');
    expect(await board.text(column('Qualified').locator('.kanban-sum'))).toContain('5,000');
    await board.idle();
    expect((await lead('Ash table'))?.stage_id).toBe(stages.get('Qualified'));
    expect(new URL(board.page.url()).searchParams.get('view_type')).toBe('kanban');
    await board.click(board.find('button', 'Undo'));
    expect((await lead('Ash table'))?.stage_id).toBe(stages.get('New'));
    await column('New').locator('article', { hasText: 'Ash table' }).waitFor();
  });

  long('SCN-21 takes a move back by keys, and offers to no longer', async () => {
    await drag('Ash table', await middle('Qualified'));
    await board.page.mouse.up();
    await board.find('button', 'Undo').waitFor();
    await board.idle();
    await board.press('Control+z');
    await expect.poll(async () => (await lead('Ash table'))?.stage_id).toBe(stages.get('New'));
    await board.idle();
    expect(await board.find('button', 'Undo').count()).toBe(0);
  });

  long('keeps the order that cards are dragged into', async () => {
    const before = await cards('New');
    const [first, , last] = before as [string, string, string];
    const box = await card(first).boundingBox();
    await drag(last, { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 4 });
    await board.page.mouse.up();
    await board.idle();
    const wanted = [last, ...before.slice(0, 2)];
    expect(await cards('New')).toEqual(wanted);
    await board.go(pipeline);
    expect(await cards('New')).toEqual(wanted);
  });

  long('puts a card back on Escape', async () => {
    await drag('Ash table', await middle('Qualified'));
    await board.press('Escape');
    await board.page.mouse.up();
    await board.idle();
    expect(await cards('New')).toContain('Ash table');
    expect((await lead('Ash table'))?.stage_id).toBe(stages.get('New'));
  });

  long('moves a card by keyboard alone', async () => {
    await card('Birch shelf').locator('.kanban-title').focus();
    await board.press('Space');
    await board.press('ArrowRight');
    expect(await cards('Qualified')).toContain('Birch shelf');
    expect((await lead('Birch shelf'))?.stage_id).toBe(stages.get('New'));
    await board.press('Escape');
    expect(await cards('New')).toContain('Birch shelf');
    await board.press('Space');
    await board.press('ArrowRight');
    await board.press('ArrowRight');
    await board.press('Space');
    expect((await lead('Birch shelf'))?.stage_id).toBe(stages.get('Proposition'));
    expect(await board.page.locator('.kanban-title:focus').textContent()).toBe('Birch shelf');
    await board.press('ArrowLeft');
    expect(await board.page.locator('.kanban-title:focus').textContent()).toBe('Desk');
  });

  it('SCN-42 announces the place where a card will stand, and says what the stripes mean', async () => {
    const found = await app.rpc<{ id: number }[]>('crm.lead', 'search_read', [[['name', '=', 'Desk']], ['name']]);
    const desk = found.map(({ id }) => id);
    await app.rpc('crm.lead', 'write', [desk, { priority: '3', color: 1 }]);
    await board.visit(pipeline);
    expect(await board.text('.kanban-legend')).toMatch(/Colour\s*Red\s*1/);
    await board.checkAccessible();
    await card('Ash table').locator('.kanban-title').focus();
    await board.press('Space');
    await board.press('ArrowRight');
    // What is more important stays above it, wherever it is dropped.
    const place = (await cards('Qualified')).indexOf('Ash table') + 1;
    const total = (await cards('Qualified')).length;
    expect(place).toBe(2);
    await board.page
      .getByText(`Qualified, position ${place} of ${total}`, { exact: true })
      .waitFor({ state: 'attached' });
    await board.press('Space');
    expect((await cards('Qualified')).indexOf('Ash table') + 1).toBe(place);
    await board.press('Control+z');
    await expect.poll(() => cards('New')).toContain('Ash table');
    await app.rpc('crm.lead', 'write', [desk, { priority: '0', color: 0 }]);
  });

  long('makes a card in a column, with the defaults of the action', async () => {
    await board.click(board.find('button', 'New card in Qualified'));
    await board.press('Enter');
    expect(await board.page.getByRole('alert').textContent()).toContain('required');
    await board.type('Elm bench');
    await board.press('Enter');
    await card('Elm bench').waitFor();
    expect(await cards('Qualified')).toContain('Elm bench');
    const [made] = await app.rpc<{ type: string; stage_id: number }[]>('crm.lead', 'search_read', [
      [['name', '=', 'Elm bench']],
      ['type', 'stage_id'],
    ]);
    expect(made).toMatchObject({ type: 'opportunity', stage_id: stages.get('Qualified') });
    await board.type('Fir door');
    await board.press('Enter');
    await card('Fir door').waitFor();
    await board.checkAccessible();
  });

  it('SCN-33 SCN-34 SCN-61 asks for customer and revenue, keeps columns without cards, and counts as the menu does', async () => {
    const partner = await app.rpc<number>('core.partner', 'create', [{ name: 'Elmwood Ltd' }]);
    await board.click(board.find('button', 'New card in Qualified'));
    const form = board.page.locator('.kanban-quick');
    // By keys alone: Tab leads from field to field, past what opens the chosen customer.
    await board.type('Elm bench');
    await board.press('Tab');
    await board.type('elmw');
    await board.find('option', 'Elmwood Ltd').waitFor();
    await board.press('Enter');
    await board.press('Alt+Enter');
    await board.find('dialog', 'Elmwood Ltd').waitFor();
    await board.press('Escape');
    await board.page.getByRole('dialog').waitFor({ state: 'detached' });
    await form.getByRole('combobox', { name: 'Customer' }).focus();
    await board.press('Tab');
    await board.type('1234');
    await board.checkAccessible();
    await board.press('Enter');
    await card('Elm bench').waitFor();
    expect(await board.text(card('Elm bench'))).toMatch(/Elmwood Ltd[\s\S]*1,234/);
    expect(await form.getByLabel('Expected revenue').inputValue()).toBe('');
    const [made] = await app.rpc<Lead[]>('crm.lead', 'search_read', [
      [['name', '=', 'Elm bench']],
      ['partner_id', 'expected_revenue'],
    ]);
    expect(made).toMatchObject({ partner_id: partner });
    const all = await app.rpc<Lead[]>('crm.lead', 'search_read', [[], ['name']]);
    await app.rpc('crm.lead', 'unlink', [all.map(({ id }) => id)]);
    const reason = await app.rpc<number>('crm.lost.reason', 'create', [{ name: 'Too dear' }]);
    const id = await app.rpc<number>('crm.lead', 'create', [{ type: 'opportunity', name: 'Gone' }]);
    await app.rpc('crm.lead', 'call', [id, 'action_lose', { lost_reason_id: String(reason) }]);
    await board.visit(pipeline);
    expect(await board.page.locator('article[data-card]').count()).toBe(0);
    expect(await column('Qualified').count()).toBe(1);
    expect(await board.text('.kanban-empty')).toContain('Add your first opportunity');
    expect(await board.text('.kanban-empty')).toContain('Use the plus button of a column');
    expect(
      await board.text(
        board.page
          .locator('.side')
          .getByRole('link', { name: /Pipeline/ })
          .first(),
      ),
    ).not.toContain('1');
    await board.visit(`${pipeline}&q=zzz`);
    expect(await board.text('.kanban-empty')).toContain('match your search');
    expect(await column('Qualified').count()).toBe(1);
    await board.click(board.find('button', 'Clear search'));
    await card('Gone').waitFor();
  });

  long('folds a column, and remembers it', async () => {
    await column('Proposition').hover();
    await board.click(board.find('button', 'Collapse Proposition'));
    expect(await column('Proposition').locator('.kanban-cards').count()).toBe(0);
    await board.go(pipeline);
    expect(await column('Proposition').locator('.kanban-cards').count()).toBe(0);
    await board.click(column('Proposition').getByRole('button'));
    expect(await column('Proposition').locator('.kanban-cards').count()).toBe(1);
  });

  long('shows a move to whoever else looks at the board', async () => {
    const other = await app.open({ path: pipeline });
    await drag('Cedar chest', await middle('Qualified'));
    await board.page.mouse.up();
    await board.idle();
    await column('Qualified', other).locator('article', { hasText: 'Cedar chest' }).waitFor();
    expect(await cards('New', other)).not.toContain('Cedar chest');
    await other.close();
  });

  long('SCN-67 fetches more cards of a full column, and draws those in sight', async () => {
    const stage = stages.get('Negotiation');
    const rows = Array.from({ length: 95 }, (_, at) => ({ name: `Lot ${at}`, type: 'opportunity', stage_id: stage }));
    await app.rpc('crm.lead', 'create_many', [rows]);
    await board.visit(pipeline);
    expect(await board.text(column('Negotiation').locator('.kanban-count'))).toContain('95');
    const list = column('Negotiation').locator('.kanban-cards');
    await expect
      .poll(async () => {
        await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
        return column('Negotiation').locator('li').last().getAttribute('aria-posinset');
      })
      .toBe('95');
    expect(await column('Negotiation').locator('article').count()).toBeLessThan(40);
    expect(await column('Negotiation').locator('.kanban-more').count()).toBe(0);
  });

  long('opens a card, and the way back leads to the board', async () => {
    await board.click(card('Desk').locator('.kanban-title'));
    expect(new URL(board.page.url()).searchParams.get('view_type')).toBe('form');
    await board.page.goBack();
    await board.idle();
    expect(await cards('Qualified')).toEqual(['Desk']);
  });

  long('CHA-11 shows on cards what is next to do, and plans it there', async () => {
    const asked: string[] = [];
    board.page.on('request', (request) => {
      if (request.url().includes('/web/wc/activities?')) asked.push(new URL(request.url()).search);
    });
    await board.go(pipeline);
    expect(asked.filter((query) => query.includes('ids='))).toHaveLength(1);
    const card = board.page.locator('article[data-card]', { hasText: 'Ash table' });
    await board.click(card.getByRole('button', { name: 'Plan an activity' }));
    const box = card.locator('.next-box');
    await board.click(box.getByRole('button', { name: 'Plan an activity' }));
    await box.getByLabel('Summary').fill('Ring the owner');
    await board.checkAccessible();
    await board.click(box.getByRole('button', { name: 'Plan', exact: true }));
    await board.press('Escape');
    const next = card.getByRole('button', { name: 'Ring the owner, today' });
    await next.waitFor();
    expect(await next.getAttribute('class')).toContain('next-today');
    await board.checkAccessible();
    await board.click(next);
    expect(await box.locator('.activity').count()).toBe(1);
    expect(new URL(board.page.url()).searchParams.get('view_type')).toBe('kanban');
  });

  long('is a row of pages on a phone, and clean in the dark', async () => {
    const phone = await app.open({ path: pipeline, size: 'phone' });
    const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await phone.checkAccessible();
    await phone.close();
    const dark = await app.open({ path: pipeline, theme: 'dark' });
    await dark.checkAccessible();
    await dark.close();
  });

  it('SCN-25 on a phone the other views are in one menu, in the line of the search, with what is searched by', async () => {
    const phone = await app.open({ path: `${pipeline}&q=Desk`, size: 'phone' });
    const bar = phone.page.locator('.bar');
    const views = bar.getByRole('button', { name: 'Views' });
    const middle = (box: Awaited<ReturnType<typeof views.boundingBox>>) => box && Math.round(box.y + box.height / 2);
    expect(middle(await views.boundingBox())).toBe(middle(await bar.locator('.searchbar').boundingBox()));
    expect(await bar.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(120);
    await phone.click(views);
    await phone.checkAccessible();
    const named = phone.find('menuitemcheckbox');
    expect(await named.count()).toBeGreaterThan(3);
    expect(await phone.page.locator('[role=menuitemcheckbox][aria-checked=true]').textContent()).toBe('Kanban');
    await phone.click(phone.find('menuitemcheckbox', 'List'));
    await phone.page.getByRole('article').filter({ hasText: 'Desk' }).waitFor();
    expect(await phone.page.getByRole('article').count()).toBe(1);
    expect(new URL(phone.page.url()).searchParams.get('view_type')).toBe('list');
    await phone.close();
  });
});
