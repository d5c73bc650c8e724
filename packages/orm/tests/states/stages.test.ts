import type { Env } from '@kontor/orm';
import { createTestEnv, expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';
import { jobs, trail, workshop } from './workshop.ts';

const clerk = { uid: 1, groups: new Set(['work.clerk']) };
const boss = { uid: 2, groups: new Set(['work.boss']) };
let world: TestWorld;
const stage: Record<string, number> = {};
const team: Record<string, number> = {};

beforeAll(async () => {
  world = await createTestEnv(workshop);
  await world.transact(async (env) => {
    for (const name of ['North', 'South']) team[name] = await env.model('work.team').create({ name });
    const rows = [
      { name: 'New', state: 'open', sequence: 1 },
      { name: 'Talks', state: 'open', sequence: 2 },
      { name: 'Old', state: 'open', sequence: 0, active: false },
      { name: 'Northern', state: 'open', sequence: 3, team_id: team.North },
      { name: 'Won', state: 'sold', sequence: 4 },
      { name: 'Paid', state: 'sold', sequence: 5 },
      { name: 'Northern won', state: 'sold', sequence: 3, team_id: team.North },
    ];
    for (const row of rows) stage[row.name] = await env.model('work.stage').create(row);
  });
});
afterAll(() => world.drop());
beforeEach(() => trail.splice(0));

const values = (more: object = {}) => ({ name: 'Roof', price: 5, line_ids: [['create', { name: 'A' }]], ...more });
const make = (more: object = {}, actor?: typeof clerk) =>
  world.transact((env) => jobs(env).create(values(more)), actor ?? clerk);
const write = (id: number, change: object, actor: typeof clerk | undefined = clerk) =>
  world.transact((env) => jobs(env).write([id], change as Record<string, unknown>), actor);
async function place(id: number): Promise<[unknown, string | undefined, string | undefined]> {
  const [row] = await jobs(world.env).read([id], ['state', 'stage_id', 'stage_before_id']);
  const nameOf = (of: unknown) => Object.entries(stage).find(([, known]) => known === of)?.[0];
  return [row?.state, nameOf(row?.stage_id), nameOf(row?.stage_before_id)];
}

describe('where new records begin', () => {
  it('CMP-11 in the first stage of their state that is for them and in use', async () => {
    expect(await place(await make())).toEqual(['open', 'New', undefined]);
    expect(await place(await make({ stage_id: stage.Talks }))).toEqual(['open', 'Talks', undefined]);
    expect(await place(await make({ stage_id: null }))).toEqual(['open', 'New', undefined]);
    expect(await place(await make({ stage_id: stage.Northern, team_id: team.North }))).toMatchObject([
      'open',
      'Northern',
      undefined,
    ]);
  });

  it('CMP-11 a stage of others, or of another state than the one given, is refused at the stage', async () => {
    for (const given of [{ stage_id: stage.Northern }, { state: 'open', stage_id: stage.Won }]) {
      expect(await refusal(make(given))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: { stage_id: [expect.anything()] } },
      });
    }
    expect(await refusal(make({ stage_id: stage.Northern }))).toMatchObject({ message: /not for this Team/ });
  });

  it('CMP-11 given a stage of another state they go there by the move that joins the two', async () => {
    expect(await place(await make({ stage_id: stage.Paid }))).toEqual(['sold', 'Paid', 'New']);
    expect(trail).toEqual(['wrote sold 1']);
    expect(await refusal(make({ stage_id: stage.Won, price: null }))).toMatchObject({ message: 'Say the price.' });
    const [row] = await jobs(world.env).searchRead([['state', '=', 'sold']], ['closed_at'], { limit: 1 });
    expect(row?.closed_at).not.toBeNull();
  });

  it('CMP-11 data of the server begins anywhere, and a stage brings its state along', async () => {
    const server = (more: object) => world.transact((env) => jobs(env).create(values(more)));
    expect(await place(await server({ state: 'sold' }))).toEqual(['sold', 'Won', undefined]);
    expect(await place(await server({ stage_id: stage.Paid }))).toEqual(['sold', 'Paid', undefined]);
    expect(await place(await server({ state: 'lost' }))).toEqual(['lost', 'New', undefined]);
    expect(trail).toEqual([]);
  });

  it('CMP-11 says to add a stage where there is none to begin with', async () => {
    const bare = await createTestEnv(workshop);
    try {
      const refused = await refusal(bare.transact((env) => jobs(env).create({ name: 'Roof' }), clerk));
      expect(refused).toMatchObject({ code: 'USER_ERROR', message: 'There is no Stage to begin with. Add one first.' });
    } finally {
      await bare.drop();
    }
  });

  it('CMP-11 a form shows the stage that saving it would give, and what follows from the stage', async () => {
    const shown = (given: object, changed: readonly string[], id = 0) =>
      world.transact((env) => jobs(env).onchange({ ...given }, changed, { id }), clerk);
    expect((await shown({}, [])).value).toMatchObject({ state: 'open', stage_id: stage.New });
    expect((await shown({ stage_id: stage.Talks }, [])).value).not.toHaveProperty('stage_id');
    expect((await shown({ name: 'Roof', stage_id: stage.Talks }, ['name'])).value).toEqual({});
    expect((await shown({ stage_id: stage.Northern, team_id: team.South }, ['team_id'])).value).toMatchObject({
      stage_id: stage.New,
    });
    const offers = (env: Env) => env.model('work.offer');
    const opened = await world.transact((env) => offers(env).onchange({ team_id: team.North }, []), clerk);
    expect(opened.value).toMatchObject({ stage_id: stage.Northern, chance: 3 });
    const saved = await make({ stage_id: stage.Northern, team_id: team.North });
    expect((await shown({ team_id: team.South }, ['team_id'], saved)).value).toMatchObject({ stage_id: stage.New });
    expect((await shown({ team_id: team.North }, ['team_id'], saved)).value).toEqual({});
    await write(saved, { team_id: team.South });
    expect(await place(saved)).toEqual(['open', 'New', undefined]);
  });

  it('CMP-11 a copy begins anew', async () => {
    const id = await make({ stage_id: stage.Paid });
    const copied = await world.transact((env) => jobs(env).copy(id), clerk);
    expect(await place(copied)).toEqual(['open', 'New', undefined]);
  });
});

describe('state and stage go together', () => {
  it('CMP-11 a state brings its first stage, and coming back the one that was left', async () => {
    const id = await make({ stage_id: stage.Talks });
    await write(id, { state: 'sold' });
    expect(await place(id)).toEqual(['sold', 'Won', 'Talks']);
    await write(id, { state: 'open' }, boss);
    expect(await place(id)).toEqual(['open', 'Talks', 'Won']);
    expect(trail).toEqual(['wrote sold 1', 'wrote open 1']);
  });

  it('CMP-11 a stage brings its state by a move, with what the move needs, sets and whom it is for', async () => {
    const id = await make({ price: null });
    expect(await refusal(write(id, { stage_id: stage.Paid }))).toMatchObject({ message: 'Say the price.' });
    await write(id, { stage_id: stage.Paid, price: 3 });
    expect(await place(id)).toEqual(['sold', 'Paid', 'New']);
    expect(await jobs(world.env).read([id], ['closed_at'])).not.toMatchObject([{ closed_at: null }]);
    expect(await refusal(write(id, { stage_id: stage.New }))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Ask the boss.',
    });
    await write(id, { stage_id: stage.Talks }, boss);
    expect(await place(id)).toEqual(['open', 'Talks', 'Paid']);
  });

  it('CMP-11 within a state stages change freely', async () => {
    const id = await make();
    await write(id, { stage_id: stage.Talks });
    expect(await place(id)).toEqual(['open', 'Talks', undefined]);
    expect(trail).toEqual([]);
  });

  it('CMP-11 a state without stages keeps the stage, which may change to one like it', async () => {
    const id = await make({ stage_id: stage.Talks });
    await write(id, { state: 'lost' });
    expect(await place(id)).toEqual(['lost', 'Talks', undefined]);
    await write(id, { stage_id: stage.New });
    expect(await place(id)).toEqual(['lost', 'New', undefined]);
    expect(await refusal(write(id, { stage_id: stage.Won }))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Roof is "Lost" and cannot become "Sold". From here it can become "Open".',
    });
    await write(id, { state: 'open' });
    expect(await place(id)).toEqual(['open', 'New', undefined]);
  });

  it('CMP-11 both at once must agree, unless one of them stays as it is', async () => {
    const id = await make();
    const both = { state: 'sold', stage_id: stage.Talks };
    expect(await refusal(write(id, both))).toMatchObject({ code: 'VALIDATION_ERROR', message: /another state/ });
    await write(id, { state: 'sold', stage_id: stage.Paid });
    expect(await place(id)).toEqual(['sold', 'Paid', 'New']);
    await write(id, { state: 'sold', stage_id: stage.Talks }, boss);
    expect(await place(id)).toEqual(['open', 'Talks', 'Paid']);
    await write(id, { state: 'sold', stage_id: stage.Talks });
    expect(await place(id)).toEqual(['sold', 'Paid', 'Talks']);
  });

  it('CMP-11 where the stage is no longer for the record it takes the first of the same state', async () => {
    const id = await make({ team_id: team.North, stage_id: stage.Northern });
    await write(id, { team_id: team.South });
    expect(await place(id)).toEqual(['open', 'New', undefined]);
    expect(await refusal(write(id, { stage_id: stage.Northern }))).toMatchObject({ code: 'VALIDATION_ERROR' });
    await write(id, { team_id: team.North, stage_id: stage.Northern });
    await write(id, { state: 'lost' });
    await write(id, { team_id: null });
    expect(await place(id)).toEqual(['lost', 'New', undefined]);
    await write(id, { team_id: team.North });
    await write(id, { state: 'open' });
    await write(id, { state: 'sold' });
    expect(await place(id)).toEqual(['sold', 'Northern won', 'New']);
  });

  it('CMP-11 stages are read once for many records, and nothing more is sent than for one', async () => {
    const count = async (env: Env, ids: readonly number[]) => {
      const before = env.db.statements;
      await jobs(env).write(ids, { stage_id: stage.Paid });
      return env.db.statements - before;
    };
    const ids = [await make(), await make(), await make()];
    const [one, three] = await world.transact(
      async (env) => [await count(env, [await jobs(env).create(values())]), await count(env, ids)],
      clerk,
    );
    expect(three).toBe(one);
  });

  it('CMP-11 a write that touches neither state nor stage costs what it did without', async () => {
    const id = await make();
    await world.transact(async (env) => {
      await expectQueries(env.db, 1, () => jobs(env).write([id], { remark: 'Hello' }));
    }, clerk);
  });
});

describe('editable computes and stages', () => {
  const offers = (env: Env) => env.model('work.offer');
  const read = async (id: number) => {
    const [row] = await offers(world.env).read([id], ['team_id', 'stage_id', 'chance', 'state']);
    return [row?.team_id, row?.stage_id, row?.chance, row?.state];
  };
  const change = (id: number, values: Record<string, unknown>) =>
    world.transact((env) => offers(env).write([id], values), clerk);

  it('CMP-11 what decides the stage comes before it, and what follows from it after', async () => {
    const [ada, bo] = await world.transact((env) =>
      env.model('work.boss').createMany([
        { name: 'Ada', team_id: team.North },
        { name: 'Bo', team_id: team.South },
      ]),
    );
    const id = await world.transact((env) => offers(env).create({ name: 'Roof', boss_id: ada }), clerk);
    expect(await read(id)).toEqual([team.North, stage.Northern, 3, 'open']);
    await change(id, { boss_id: bo });
    expect(await read(id)).toEqual([team.South, stage.New, 1, 'open']);
    await change(id, { stage_id: stage.Talks });
    expect(await read(id)).toEqual([team.South, stage.Talks, 2, 'open']);
    await change(id, { stage_id: stage.Paid });
    expect(await read(id)).toEqual([team.South, stage.Paid, 100, 'sold']);
    await change(id, { boss_id: ada });
    expect(await read(id)).toEqual([team.South, stage.Paid, 100, 'sold']);
    await change(id, { state: 'open' });
    expect(await read(id)).toEqual([team.South, stage.New, 1, 'open']);
  });
});
