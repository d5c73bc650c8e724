import { sql } from '@kontor/database';
import type { Actor } from '@kontor/orm';
import type { Arch, TileArch } from '@kontor/protocol';
import { countStatements } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeBoards } from '../boards/home-boards.ts';
import { userSettings } from '../settings/load-user-settings.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
const year = new Date().getUTCFullYear();
const thisYear = '[["deadline",">=","$year"],["deadline","<","$year+1"]]';
const byMonth = `domain=${encodeURIComponent(thisYear)}&group_by=deadline:month&measure=hours&compare=year`;

beforeAll(async () => {
  desk = await openDesk();
  const { New, Doing } = desk.stages;
  const [bright, nord] = desk.partners;
  const today = new Date().toISOString().slice(0, 10);
  const vienna = { latitude: 48.2, longitude: 16.4 };
  const bergen = { latitude: 60.4, longitude: 5.3 };
  await desk.create([
    {
      name: 'One',
      kind: 'bug',
      stage_id: Doing,
      partner_id: bright,
      hours: '1.25',
      deadline: `${year}-01-05`,
      ...vienna,
    },
    { name: 'Two', kind: 'bug', stage_id: New, partner_id: nord, hours: '2.50', deadline: `${year}-01-20`, ...vienna },
    {
      name: 'Three',
      kind: 'idea',
      stage_id: New,
      hours: '0.75',
      deadline: `${year - 1}-01-01`,
      user_id: desk.agent.uid,
    },
    {
      name: 'Four',
      kind: 'idea',
      hours: '8.00',
      deadline: `${year - 1}-12-31`,
      start_at: `${today}T09:00:00Z`,
      ...bergen,
    },
    { name: 'Five', kind: 'bug', hours: '16.00', deadline: `${year}-01-06`, is_private: true, ...bergen },
  ]);
});
afterAll(() => desk.close());

type Tile = Readonly<Record<string, unknown>>;

/** A board of the agent, or of somebody else. */
function makeBoard(tiles: readonly Tile[], values: Tile = {}, owner: Actor = desk.agent): Promise<number> {
  return desk.work(
    (env) =>
      env.model('sys.board').create({
        ...{ name: 'Desk', tile_ids: tiles.map((tile) => ['create', { action: 'desk.tickets', ...tile }]) },
        ...values,
      }),
    owner,
  );
}

async function tilesOf(board: number, actor?: Actor): Promise<readonly TileArch<Arch>[]> {
  const payload = await desk.open(`model=sys.board&view_type=form&id=${board}`, actor);
  return payload.arch.board?.tiles ?? [];
}

const answersOf = (tile: TileArch<Arch> | undefined) => tile?.screen?.arch.answers ?? [];
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

describe('tiles of a board', () => {
  it('BRD-1 a graph brings its groups, the period compared with and the same days of it, as SQL adds them up', async () => {
    const board = await makeBoard([{ name: 'Hours by month', kind: 'graph', query: byMonth }]);
    const answers = answersOf((await tilesOf(board))[0]);
    const [main, before] = answers;
    // On the last day of a year its days so far are all of them, and the days before are all of theirs.
    const soFar = answers[answers.length === 2 ? 1 : 2];
    const ofYear = (from: number) => sql`select to_char(deadline, 'YYYY-MM') as month, sum(hours)::text as hours
      from desk_ticket where not is_private and deadline >= ${`${from}-01-01`}::date and deadline < ${`${from + 1}-01-01`}::date
      group by 1 order by 1`;
    const told = (rows: readonly object[] | undefined) =>
      rows
        ?.map((row) => row as Record<string, unknown>)
        .filter((row) => row['deadline:month'] !== undefined)
        .map((row) => ({ month: row['deadline:month'], hours: String(row.hours) }));
    const exact = (rows: readonly { hours: string }[]) =>
      rows.map((row) => ({ ...row, hours: String(Number(row.hours)) }));
    const { database } = desk.kernel;
    expect(told(main?.rows)).toEqual(exact(await database.query(ofYear(year))));
    expect(told(before?.rows)).toEqual(exact(await database.query(ofYear(year - 1))));
    const [sum] = await database.query<{
      hours: string;
    }>(sql`select coalesce(sum(hours), 0)::text as hours from desk_ticket
      where not is_private and deadline >= ${`${year - 1}-01-01`}::date and deadline <= current_date - interval '1 year'`);
    const whole = soFar?.rows.find((row) => !Object.hasOwn(row, 'deadline:month'));
    expect(Number(whole?.hours)).toBe(Number(sum?.hours));
    expect(main?.rows[0]?.__domain).toBeDefined();
  });

  it('BRD-1 figures, pivots, lists and calendars show what their screens show', async () => {
    const board = await makeBoard([
      { name: 'Hours', kind: 'figure', query: byMonth, width: 3, height: 1 },
      { name: 'By kind', kind: 'pivot', query: 'group_by=kind&columns=stage_id&measure=hours,cost:max' },
      { name: 'Newest', kind: 'list', query: 'filter=bugs&sort=-name', height: 1 },
      { name: 'Planned', kind: 'calendar' },
      { name: 'By stage', kind: 'graph', query: 'group_by=stage_id&measure=__count' },
    ]);
    const [figure, pivot, list, calendar, stages] = await tilesOf(board);
    expect(figure).toMatchObject({ name: 'Hours', width: 3, height: 1 });
    expect([2, 4]).toContain(answersOf(figure).length);
    expect(Number(answersOf(figure)[0]?.rows[0]?.hours)).toBe(3.75);
    expect(pivot?.screen?.arch.pivot).toMatchObject({ rowGroups: ['kind'], columnGroups: ['stage_id'] });
    expect(Number(answersOf(pivot)[0]?.rows[0]?.hours)).toBe(12.5);
    expect(list?.screen?.records.map((record) => record.name)).toEqual(['Two', 'One']);
    expect(list?.screen?.arch.list?.columns.map(({ name }) => name)).not.toContain('note');
    expect(calendar?.screen?.records).toMatchObject([{ display_name: 'Four' }]);
    const order = answersOf(stages)[0]?.rows.flatMap((row) => ('stage_id' in row ? [row.stage_id] : []));
    expect(order).toEqual([desk.stages.New, desk.stages.Doing, null]);
    expect(new URLSearchParams(figure?.query).get('view_type')).toBe('graph');
    expect(new URLSearchParams(figure?.query).get('compare')).toBe('year');
  });

  it('BRD-1 a map counts the records at each place that the reader may see, and those without one', async () => {
    const board = await makeBoard([
      { name: 'Where', kind: 'map' },
      { name: 'In the north', kind: 'map', query: 'area=55,0,70,20' },
      { name: 'Bugs', kind: 'map', query: 'filter=bugs' },
    ]);
    const told = (await tilesOf(board)).map((tile) => {
      const { map } = tile.screen?.arch ?? {};
      return {
        places: map?.rows.map((row) => [row.latitude, row.longitude, row.__count]),
        on: tile.screen?.listTotal,
        unplaced: map?.unplaced,
      };
    });
    expect(told).toEqual([
      {
        places: [
          [48.2, 16.4, 2],
          [60.4, 5.3, 1],
        ],
        on: 3,
        unplaced: 1,
      },
      { places: [[60.4, 5.3, 1]], on: 1, unplaced: 1 },
      { places: [[48.2, 16.4, 2]], on: 2, unplaced: 0 },
    ]);
  });

  it('BRD-2 a tile is one statement, with its comparison, and all of a board are one request', async () => {
    const tiles = [
      { name: 'Graph', kind: 'graph', query: byMonth },
      { name: 'Figure', kind: 'figure', query: byMonth },
      { name: 'Pivot', kind: 'pivot', query: `${byMonth}&columns=kind` },
      { name: 'List', kind: 'list' },
      { name: 'Calendar', kind: 'calendar' },
      { name: 'Stages', kind: 'graph', query: 'group_by=stage_id,kind' },
      { name: 'Map', kind: 'map' },
    ];
    const [none, all] = [await makeBoard([]), await makeBoard(tiles)];
    const costOf = (board: number) => countStatements(() => tilesOf(board));
    await costOf(all);
    const bare = await costOf(none);
    expect((await costOf(all)) - bare).toBe(tiles.length);
    expect(bare).toBeLessThanOrEqual(6);
  });

  it('BRD-10 brings along the tiles that are asked for, and works out no others', async () => {
    const board = await makeBoard(['One', 'Two', 'Three'].map((name) => ({ name, kind: 'list' })));
    const all = await tilesOf(board);
    const only = (ids: string) => desk.open(`model=sys.board&view_type=form&id=${board}&tiles=${ids}`);
    const payload = await only(`${all[1]?.id},999999`);
    expect(payload.arch.board?.tiles).toEqual([all[1]]);
    const cost = (ids: string) => countStatements(() => only(ids));
    expect((await cost(all.map(({ id }) => id).join())) - (await cost(String(all[1]?.id)))).toBe(2);
    expect(await codeOf(only('x'))).toBe('INVALID_ARGS');
  });

  it('BRD-3 a tile that fails says so in its place, and the others go on', async () => {
    const board = await makeBoard([
      { name: 'Broken', kind: 'list', query: 'filter=nothing' },
      { name: 'Whole', kind: 'list' },
    ]);
    const [broken, whole] = await tilesOf(board);
    expect(broken).toMatchObject({ name: 'Broken', screen: null, error: { code: 'INVALID_ARGS' } });
    expect(whole?.screen?.records).toHaveLength(4);
  });
});

describe('what a tile may show', () => {
  it('FIG-16 a measure that is gone is said to be gone, and no other one stands in its place', async () => {
    const kinds = ['figure', 'graph', 'pivot'] as const;
    const board = await makeBoard(
      kinds.flatMap((kind) => [
        { name: 'Weight', kind, query: 'measure=weight' },
        { name: 'Weight and hours', kind, query: 'measure=hours,weight' },
        { name: 'Sum of names', kind, query: 'measure=name:sum' },
      ]),
    );
    const told = (await tilesOf(board)).map(({ name, screen, error }) => [name, screen, error?.code, error?.message]);
    const gone = ['INVALID_ARGS', 'This figure no longer exists.'];
    expect(told).toEqual(
      kinds.flatMap(() => [
        ['Weight', null, ...gone],
        ['Weight and hours', null, ...gone],
        ['Sum of names', null, 'INVALID_ARGS', 'Name cannot be measured this way.'],
      ]),
    );
  });

  it('BRD-9 a model or a screen that does not exist is refused at its field, on creation and on change', async () => {
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => 'ok',
        (error: { status: number; details: unknown }) => [error.status, error.details],
      );
    const noModel = [422, { fields: { model: ['There is no model desk.tiket. Did you mean "desk.ticket"?'] } }];
    const noAction = [422, { fields: { action: ['There is no action desk.tickts. Did you mean "desk.tickets"?'] } }];
    const board = await makeBoard([{ name: 'Right', kind: 'list' }]);
    const add = (values: Tile) =>
      refusal(
        desk.work(
          (env) => env.model('sys.board.tile').create({ board_id: board, name: 'Typo', ...values }),
          desk.agent,
        ),
      );
    expect(await add({ model: 'desk.tiket' })).toMatchObject(noModel);
    expect(await add({ action: 'desk.tickts' })).toMatchObject(noAction);
    const [tile] = await tilesOf(board);
    const change = (values: Tile) =>
      refusal(desk.work((env) => env.model('sys.board.tile').write([tile?.id as number], values), desk.agent));
    expect(await change({ model: 'desk.tiket' })).toMatchObject(noModel);
    expect(await change({ action: 'desk.tickts' })).toMatchObject(noAction);
    expect(await change({ action: null, model: 'desk.stage' })).toBe('ok');
  });
});

describe('who sees a board', () => {
  it('BRD-4 figures are those of the reader; what they may not read is left out, and named to nobody', async () => {
    const tiles = [
      { name: 'Hours', kind: 'figure', query: 'measure=hours' },
      { name: 'Secret stages', kind: 'list', action: null, model: 'sys.rule' },
    ];
    const board = await makeBoard(tiles, { is_shared: true }, desk.admin);
    const read = async (actor: Actor) => answersOf((await tilesOf(board, actor))[0])[0]?.rows[0]?.hours;
    expect(Number(await read(desk.admin))).toBe(28.5);
    expect(Number(await read(desk.agent))).toBe(12.5);
    expect((await tilesOf(board, desk.agent)).map(({ name }) => name)).toEqual(['Hours']);
    expect(await tilesOf(board, desk.admin)).toHaveLength(2);
    const own = await makeBoard(tiles);
    const [, hidden] = await tilesOf(own);
    expect(hidden).toMatchObject({ name: '', query: '', screen: null, error: { code: 'ACCESS_DENIED' } });
    expect(hidden?.error?.message).toBe('You may not see this.');
  });

  it('BRD-5 a board is its owner’s, a group’s or everyone’s; the owner alone changes it', async () => {
    const agents = await desk.work((env) => env.ref('desk.group_agent'));
    const leads = await desk.work((env) =>
      env.model('core.group').create({ name: 'Lead', key: 'desk.group_lead', implied_ids: [['set', [agents]]] }),
    );
    const lead = await desk.person('Lena Lead', [], { group_ids: [['set', [leads]]] });
    const [own, ofGroup, ofAll] = [
      await makeBoard([]),
      await makeBoard([], { group_ids: [['set', [agents]]] }, desk.reader),
      await makeBoard([], { is_shared: true }, desk.reader),
    ];
    const open = (board: number, actor: Actor) => codeOf(tilesOf(board, actor));
    expect(await open(own, desk.reader)).toBe('ACCESS_DENIED');
    expect(await open(ofGroup, desk.agent)).toBe('ok');
    // Whoever leads agents is one: groups that imply the group count.
    expect(await open(ofGroup, lead)).toBe('ok');
    expect(await open(ofGroup, await desk.person('Olaf Other'))).toBe('ACCESS_DENIED');
    expect(await open(ofAll, desk.agent)).toBe('ok');
    const rename = (board: number) =>
      desk.work((env) => env.model('sys.board').write([board], { name: 'Mine' }), desk.agent);
    const addTile = (board: number) =>
      desk.work(
        (env) => env.model('sys.board.tile').create({ board_id: board, name: 'T', model: 'desk.ticket' }),
        desk.agent,
      );
    expect(await codeOf(rename(own))).toBe('ok');
    expect(await codeOf(rename(ofAll))).toBe('ACCESS_DENIED');
    expect(await codeOf(addTile(ofGroup))).toBe('ACCESS_DENIED');
    const payload = await desk.open(`model=sys.board&view_type=form&id=${ofAll}`);
    expect(payload.arch.board?.isOwn).toBe(false);
    expect((await desk.open(`model=sys.board&view_type=form&id=${own}`)).arch.board?.isOwn).toBe(true);
  });

  it('BRD-6 home shows the board that a person chose, else the first that came with an app', async () => {
    const shownTo = async (actor: Actor) => {
      const settings = await userSettings(desk.kernel, actor.uid);
      return desk.kernel.read(actor, (env) => homeBoards(env, settings));
    };
    const person = await desk.person('Hanna Home');
    const shipped = await desk.work((env) =>
      env.sudo().model('sys.board').create({ name: 'Shipped', user_id: null, is_shared: true, sequence: 1 }),
    );
    const mine = await makeBoard([], { name: 'Hanna’s' }, person);
    expect((await shownTo(person)).shown).toBe(shipped);
    expect((await shownTo(person)).boards.map(({ name }) => name)).toContain('Hanna’s');
    await desk.work((env) => env.model('sys.user.setting').create({ key: 'home.board', value: mine }), person);
    expect((await shownTo(person)).shown).toBe(mine);
    expect((await shownTo(desk.admin)).boards.map(({ name }) => name)).not.toContain('Hanna’s');
  });
});
