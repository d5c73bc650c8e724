import {
  type AccessPolicy,
  type AccessRow,
  type Actor,
  defineModel,
  type Env,
  fields,
  type RuleRow,
} from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const doc = defineModel('test.doc', {
  label: 'Document',
  fields: {
    name: fields.char({ required: true }),
    owner: fields.integer(),
    is_public: fields.boolean(),
    cost: fields.integer({ groups: ['test.admin', 'test.user'] }),
    number: fields.char({ readonly: true }),
    hash: fields.char({ secret: true }),
  },
  actions: {
    async touch({ env, records }) {
      await env.model('test.doc').write(records.ids, { number: 'touched' });
    },
  },
});

const grant = (group: string, letters: string): AccessRow => ({
  group,
  read: letters.includes('r'),
  write: letters.includes('w'),
  create: letters.includes('c'),
  unlink: letters.includes('u'),
});
const rule = (name: string, group: string | null, domain: readonly unknown[], letters = 'rwcu'): RuleRow => ({
  name,
  domain: parseDomain(domain),
  groups: group === null ? [] : [group],
  operations: new Set(
    (['read', 'write', 'create', 'unlink'] as const).filter((operation) => letters.includes(operation[0] as string)),
  ),
});

const policy: AccessPolicy = {
  access: new Map([
    [
      'test.doc',
      [
        grant('test.admin', 'rwcu'),
        grant('test.user', 'rwc'),
        grant('test.restricted', 'rwcu'),
        grant('test.portal', 'r'),
      ],
    ],
  ]),
  rules: new Map([
    [
      'test.doc',
      [
        rule('nobody touches archived names', null, [['name', '!=', 'archived']]),
        rule('own documents', 'test.restricted', [['owner', '=', '$uid']]),
        rule('public documents', 'test.portal', [['is_public', '=', true]]),
      ],
    ],
  ]),
};

const people = {
  admin: { uid: 1, groups: new Set(['test.admin']) },
  user: { uid: 2, groups: new Set(['test.user']) },
  restricted: { uid: 3, groups: new Set(['test.restricted']) },
  portal: { uid: 4, groups: new Set(['test.portal']) },
  nobody: { uid: 0, groups: new Set<string>() },
} satisfies Record<string, Partial<Actor>>;
type Person = keyof typeof people;

/** What an operation comes to: done, how many rows it showed, or the layer that refused. */
type Outcome = 'done' | `${number} rows` | 'model' | 'rule' | 'field';

interface Docs {
  /** Owned by the restricted user. */
  readonly own: number;
  readonly foreign: number;
  readonly open: number;
  readonly archived: number;
}

const rowsOf = (found: readonly unknown[] | number): Outcome =>
  `${typeof found === 'number' ? found : found.length} rows`;
const done = async (work: Promise<unknown>): Promise<Outcome> => {
  await work;
  return 'done';
};
const of = (env: Env) => env.model('test.doc');
const values = { name: 'new', owner: 3 };

type Run = (env: Env, docs: Docs) => Promise<Outcome>;
type Row = readonly [what: string, run: Run, expected: Record<Person, Outcome>];

function expected(admin: Outcome, user: Outcome, restricted: Outcome, portal: Outcome): Record<Person, Outcome> {
  return { admin, user, restricted, portal, nobody: 'model' };
}

const matrix: readonly Row[] = [
  ['search', async (env) => rowsOf(await of(env).search([])), expected('3 rows', '3 rows', '1 rows', '1 rows')],
  ['count', async (env) => rowsOf(await of(env).count([])), expected('3 rows', '3 rows', '1 rows', '1 rows')],
  [
    'search_read',
    async (env) => rowsOf(await of(env).searchRead([], ['name'])),
    expected('3 rows', '3 rows', '1 rows', '1 rows'),
  ],
  [
    'search_read of a field with groups',
    async (env) => rowsOf(await of(env).searchRead([], ['cost'])),
    expected('3 rows', '3 rows', 'field', 'field'),
  ],
  [
    'search by a field with groups',
    async (env) => rowsOf(await of(env).search([['cost', '>', 0]])),
    expected('0 rows', '0 rows', 'field', 'field'),
  ],
  [
    'order by a field with groups',
    async (env) => rowsOf(await of(env).search([], { order: 'cost' })),
    expected('3 rows', '3 rows', 'field', 'field'),
  ],
  [
    'read of a secret',
    (env, { open }) => done(of(env).read([open], ['hash'])),
    expected('field', 'field', 'field', 'field'),
  ],
  [
    'read of an own one',
    (env, { own }) => done(of(env).read([own], ['name'])),
    expected('done', 'done', 'done', 'rule'),
  ],
  [
    'read of a foreign one',
    (env, { foreign }) => done(of(env).read([foreign], ['name'])),
    expected('done', 'done', 'rule', 'rule'),
  ],
  [
    'read of a public one',
    (env, { open }) => done(of(env).read([open], ['name'])),
    expected('done', 'done', 'rule', 'done'),
  ],
  [
    'read of what a global rule hides',
    (env, { archived }) => done(of(env).read([archived], ['name'])),
    expected('rule', 'rule', 'rule', 'rule'),
  ],
  ['load', (env, { foreign }) => done(of(env).load([foreign], ['name'])), expected('done', 'done', 'rule', 'rule')],
  [
    'read_group',
    async (env) => {
      const [row] = await of(env).readGroup({ domain: [], groupby: [], fields: [] });
      return rowsOf(row?.__count ?? 0);
    },
    expected('3 rows', '3 rows', '1 rows', '1 rows'),
  ],
  [
    'create for oneself',
    (env) => done(of(env).create({ ...values, owner: env.uid })),
    expected('done', 'done', 'done', 'model'),
  ],
  [
    'create for another',
    (env) => done(of(env).create({ ...values, owner: 9 })),
    expected('done', 'done', 'rule', 'model'),
  ],
  [
    'create of what a global rule hides',
    (env) => done(of(env).create({ ...values, name: 'archived' })),
    expected('rule', 'rule', 'rule', 'model'),
  ],
  [
    'create with a field with groups',
    (env) => done(of(env).create({ ...values, cost: 1 })),
    expected('done', 'done', 'field', 'model'),
  ],
  [
    'create with a readonly field',
    (env) => done(of(env).create({ ...values, number: 'x' })),
    expected('field', 'field', 'field', 'model'),
  ],
  [
    'create with a secret',
    (env) => done(of(env).create({ ...values, hash: 'x' })),
    expected('done', 'done', 'done', 'model'),
  ],
  [
    'create_many',
    (env) => done(of(env).createMany([values, { ...values, owner: 9 }])),
    expected('done', 'done', 'rule', 'model'),
  ],
  [
    'write of an own one',
    (env, { own }) => done(of(env).write([own], { name: 'x' })),
    expected('done', 'done', 'done', 'model'),
  ],
  [
    'write of a foreign one',
    (env, { foreign }) => done(of(env).write([foreign], { name: 'x' })),
    expected('done', 'done', 'rule', 'model'),
  ],
  [
    'write of both',
    (env, { own, foreign }) => done(of(env).write([own, foreign], { name: 'x' })),
    expected('done', 'done', 'rule', 'model'),
  ],
  [
    'write out of the rule',
    (env, { own }) => done(of(env).write([own], { owner: 9 })),
    expected('done', 'done', 'rule', 'model'),
  ],
  [
    'write of a field with groups',
    (env, { own }) => done(of(env).write([own], { cost: 1 })),
    expected('done', 'done', 'field', 'model'),
  ],
  [
    'write of a readonly field',
    (env, { own }) => done(of(env).write([own], { number: 'x' })),
    expected('field', 'field', 'field', 'model'),
  ],
  [
    'write with base',
    (env, { own }) => done(of(env).write([own], { name: 'x' }, { base: { name: 'own' } })),
    expected('done', 'done', 'done', 'model'),
  ],
  [
    'writeEach',
    (env, { foreign }) => done(of(env).writeEach([{ id: foreign, values: { name: 'x' } }])),
    expected('done', 'done', 'rule', 'model'),
  ],
  ['unlink of an own one', (env, { own }) => done(of(env).unlink([own])), expected('done', 'model', 'done', 'model')],
  [
    'unlink of a foreign one',
    (env, { foreign }) => done(of(env).unlink([foreign])),
    expected('done', 'model', 'rule', 'model'),
  ],
  [
    'unlink of what a global rule hides',
    (env, { archived }) => done(of(env).unlink([archived])),
    expected('rule', 'model', 'rule', 'model'),
  ],
  ['copy of an own one', (env, { own }) => done(of(env).copy(own)), expected('done', 'done', 'done', 'model')],
  [
    'copy of a foreign one',
    (env, { foreign }) => done(of(env).copy(foreign)),
    expected('done', 'done', 'rule', 'model'),
  ],
  ['onchange', (env) => done(of(env).onchange({ name: 'x' }, ['name'])), expected('done', 'done', 'done', 'done')],
  [
    'onchange of a field with groups',
    (env) => done(of(env).onchange({ cost: 1 }, ['cost'])),
    expected('done', 'done', 'field', 'field'),
  ],
  [
    'onchange of a foreign one',
    (env, { foreign }) => done(of(env).onchange({ name: 'x' }, ['name'], { id: foreign })),
    expected('done', 'done', 'rule', 'rule'),
  ],
  [
    'call on an own one',
    (env, { own }) => done(of(env).call([own], 'touch')),
    expected('done', 'done', 'done', 'model'),
  ],
  [
    'call on a foreign one',
    (env, { foreign }) => done(of(env).call([foreign], 'touch')),
    expected('done', 'done', 'rule', 'model'),
  ],
];

let world: TestWorld;
let docs: Docs;
beforeAll(async () => {
  world = await createTestEnv([doc], { policy });
  docs = await world.transact(async (env) => {
    const [own, foreign, open, archived] = await of(env).createMany([
      { name: 'own', owner: 3 },
      { name: 'foreign', owner: 9 },
      { name: 'open', owner: 9, is_public: true },
      { name: 'archived', owner: 3, is_public: true },
    ]);
    return { own, foreign, open, archived } as Docs;
  });
});
afterAll(() => world.drop());

/** As a caller outside would, and rolled back, so that every cell starts from the same records. */
async function outcome(person: Person | 'sudo', run: Run): Promise<Outcome> {
  try {
    return await world.database.transaction(
      (tx) => {
        const env = person === 'sudo' ? world.as({}, tx).sudo() : world.as(people[person], tx).outside(true);
        return run(env, docs);
      },
      { rollback: true },
    );
  } catch (error) {
    const { code, details } = error as { code: string; details: { layer: Outcome } };
    if (code !== 'ACCESS_DENIED') throw error;
    return details.layer;
  }
}

describe.each(Object.keys(people) as Person[])('ACC-6 matrix as %s', (person) => {
  it.each(matrix)('%s', async (_, run, cells) => {
    expect(await outcome(person, run)).toBe(cells[person]);
  });
});

describe('ACC-6 matrix under sudo', () => {
  it.each(matrix)('%s', async (_, run) => {
    expect(await outcome('sudo', run)).toMatch(/^(done|\d+ rows)$/);
  });
});

describe('ACC-6 matrix: id 1 is nobody special', () => {
  it.each(matrix)('%s', async (_, run) => {
    const work = world.database.transaction((tx) => run(world.as({ uid: 1 }, tx).outside(true), docs), {
      rollback: true,
    });
    await expect(work).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
  });
});
