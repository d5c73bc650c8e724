import { defineModel, type Env, type Field, fields, storeShippedWords } from '@kontor/orm';
import { parseAuthoredDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('t.stage', {
    order: 'name',
    fields: {
      name: fields.char({ required: true, translated: true }),
      task_ids: fields.one2many('t.task', 'stage_id'),
    },
  }),
  defineModel('t.task', {
    fields: {
      name: fields.char(),
      stage_id: fields.many2one('t.stage'),
      path: fields.char({ computed: true, stored: true }),
    },
    computes: {
      path: {
        depends: ['name', 'stage_id.name'],
        value: ({ name, stage_id }) => `${(stage_id as { name?: string } | null)?.name} / ${name}`,
      },
    },
  }),
];

/** A world whose data files were stored in German, for a reader of English. */
let world: TestWorld;
let env: Env;
let fresh: number;
let task: number;

beforeAll(async () => {
  world = await createTestEnv(definitions);
  env = world.env;
  fresh = await env.model('t.stage').create({ name: 'Neu' });
  await env.model('t.stage').create({ name: 'Mine' });
  task = await env.model('t.task').create({ name: 'Pump', stage_id: fresh });
  const model = env.registry.model('t.stage');
  const name = model.fields.get('name') as Field;
  await storeShippedWords(env, model, name, [{ id: fresh, text: 'Neu', words: { en: 'New', fr_FR: 'Nouveau' } }]);
});
afterAll(() => world.drop());

describe('TRL-14 a shipped text', () => {
  it('is read, found and sorted in the language of the reader', async () => {
    const stages = env.model('t.stage');
    expect((await stages.searchRead([], ['name'])).map(({ name }) => name)).toEqual(['Mine', 'New']);
    expect(await env.model('t.task').searchRead([], ['stage_id.display_name'])).toMatchObject([
      { 'stage_id.display_name': 'New' },
    ]);
    const groups = await env.model('t.task').readGroup({ domain: [], groupby: ['stage_id.name'], fields: [] });
    expect(groups).toMatchObject([{ 'stage_id.name': 'New', __count: 1 }]);
  });

  it('is found in any language, so that a saved filter finds the same for everybody', async () => {
    const [stages, tasks] = [env.model('t.stage'), env.model('t.task')];
    for (const name of ['New', 'Neu', 'Nouveau']) {
      expect(await stages.search([['name', '=', name]])).toEqual([fresh]);
      expect(await stages.search([['name', 'in', [name, 'x']]])).toEqual([fresh]);
      expect(await stages.search([['display_name', 'ilike', name.slice(1)]])).toEqual([fresh]);
      expect(await stages.search([['name', '!=', name]])).not.toContain(fresh);
      expect(await stages.search([['name', 'not ilike', name]])).not.toContain(fresh);
      expect(await tasks.search([['stage_id', '=', name]])).toEqual([task]);
      expect(await tasks.search([['stage_id.name', 'like', name]])).toEqual([task]);
    }
    expect(await stages.search([['name', '=', 'Novo']])).toEqual([]);
    expect(await stages.search([['name', '!=', null]])).toHaveLength(2);
  });

  it('is what is stored for computes, so that readers of all languages find the same', async () => {
    await env.model('t.task').write([task], { name: 'Valve' });
    expect(await env.model('t.task').read([task], ['path'])).toMatchObject([{ path: 'Neu / Valve' }]);
  });

  it('is what is stored for rules, so that rights do not depend on a language', async () => {
    const seen = (name: string) => {
      const domain = parseAuthoredDomain([['stage_id.name', '=', name]]);
      const rule = { name: 'stage', domain, groups: [], operations: new Set(['read'] as const) };
      const policy = { rules: new Map([['t.task', [rule]]]) };
      return world.as({ uid: 7 }, world.database, policy).model('t.task').search([]);
    };
    expect([await seen('Neu'), await seen('New')]).toEqual([[task], []]);
  });

  it('stays when it is written back in any language, with other texts or alone', async () => {
    const stages = env.model('t.stage');
    for (const name of ['New', 'Nouveau', 'Neu']) {
      await stages.write([fresh], { name });
      expect(await stages.load([fresh], ['name'])).toMatchObject([{ name: 'Neu' }]);
    }
    await stages.write([fresh], { name: 'Later' });
    expect(await stages.read([fresh], ['name'])).toMatchObject([{ name: 'Later' }]);
    // The old text is the shipped one again.
    await stages.write([fresh], { name: 'Neu' });
    expect(await stages.read([fresh], ['name'])).toMatchObject([{ name: 'New' }]);
  });
});
