import { ident, sql, syncSchema } from '@kontor/database';
import { type Operation, parseDomain } from '@kontor/protocol';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFieldRead, checkFieldWrite, mayReadField } from '../access/field-access.ts';
import { checkModelAccess } from '../access/model-access.ts';
import { ruleNode } from '../access/rule-node.ts';
import { assembleRegistry } from '../assemble/assemble-registry.ts';
import { fields } from '../author/builders.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { defineModel } from '../model/define-model.ts';
import type { Env, Field } from '../model/model.ts';
import type { AccessPolicy, AccessRow, RuleRow } from '../model/policy.ts';
import { tableSpecs } from '../schema/table-specs.ts';
import { type BareEnvOptions, bareEnv } from './domain/bare-env.ts';
import { insertRows } from './domain/domain-world.ts';

const company = defineModel('core.company', { fields: { name: fields.char() } });
const doc = defineModel('x.doc', {
  fields: {
    name: fields.char({ readonly: true }),
    owner: fields.integer(),
    company_id: fields.many2one('core.company'),
    cost: fields.integer({ groups: ['g.boss', 'g.owner'] }),
    password: fields.char({ secret: true }),
    line_ids: fields.one2many('x.line', 'doc_id'),
  },
});
const line = defineModel('x.line', {
  fields: { doc_id: fields.many2one('x.doc', { required: true, ondelete: 'cascade' }), size: fields.integer() },
});
const note = defineModel('x.note', {
  partOf: 'line_id',
  fields: { line_id: fields.many2one('x.line') },
});
const open = defineModel('x.open', { companyRule: false, fields: { company_id: fields.many2one('core.company') } });
const registry = assembleRegistry([{ module: 'test', definitions: [company, doc, open, line, note] }]);
const model = registry.model('x.doc');
const operations = ['read', 'write', 'create', 'unlink'] as const;

function row(group: string | null, ...granted: Operation[]): AccessRow {
  const may = (operation: Operation) => granted.includes(operation);
  return { group, read: may('read'), write: may('write'), create: may('create'), unlink: may('unlink') };
}

function rule(domain: unknown, groups: string[] = [], granted: readonly Operation[] = operations): RuleRow {
  return { name: 'rule', domain: parseDomain(domain), groups, operations: new Set(granted) };
}

function envWith(policy: { access?: AccessRow[]; rules?: RuleRow[] }, options: Partial<BareEnvOptions> = {}): Env {
  const whole: AccessPolicy = {
    access: new Map([['x.doc', policy.access ?? []]]),
    rules: new Map([['x.doc', policy.rules ?? []]]),
  };
  return bareEnv(registry, { ...options, policy: whole });
}

const denied = (layer: string) =>
  expect.objectContaining({ code: 'ACCESS_DENIED', details: expect.objectContaining({ layer, model: 'x.doc' }) });

/** A part as its author says it, and what is wrong with that. */
function partFault(partOf: string): () => void {
  const part = defineModel('x.part', {
    partOf,
    fields: { up: fields.many2one('x.part'), other: fields.many2one('x.doc'), size: fields.integer() },
  });
  return () => void assembleRegistry([{ module: 'test', definitions: [company, doc, line, part] }]);
}

describe('ACC-1 model access', () => {
  const may = (env: Env) =>
    operations.filter((operation) => {
      try {
        checkModelAccess(env, model, operation);
        return true;
      } catch (error) {
        expect(error).toEqual(denied('model'));
        return false;
      }
    });
  const access = [row('g.user', 'read'), row('g.boss', 'write', 'unlink'), row(null, 'create')];

  it('no row: denied, whoever asks', () => {
    expect(may(envWith({}, { groups: ['g.boss'], uid: 1 }))).toEqual([]);
  });
  it('rows of the user’s groups are ORed', () => {
    expect(may(envWith({ access }, { groups: ['g.user'] }))).toEqual(['read', 'create']);
    expect(may(envWith({ access }, { groups: ['g.user', 'g.boss'] }))).toEqual([...operations]);
    expect(may(envWith({ access }, { groups: ['g.other'] }))).toEqual(['create']);
  });
  it('a row without group is for signed-in users', () => {
    expect(may(envWith({ access }, { uid: 0 }))).toEqual([]);
  });
  it('ACC-7 only sudo passes without a row', () => {
    expect(may(envWith({}, { isSudo: true }))).toEqual([...operations]);
  });
});

describe('ACC-3 fields', () => {
  const field = (name: string) => model.fields.get(name) as Field;
  const nobody = envWith({});
  const boss = envWith({}, { groups: ['g.boss'] });
  const sudo = envWith({}, { isSudo: true });
  const outside = { ...boss, isOutside: true };

  it('a member of any of the groups reads and writes it', () => {
    expect(mayReadField(nobody, field('cost'))).toBe(false);
    expect(mayReadField(boss, field('cost'))).toBe(true);
    expect(() => checkFieldRead(nobody, field('cost'))).toThrow(denied('field'));
    expect(() => checkFieldWrite(nobody, field('cost'))).toThrow(denied('field'));
    expect(() => checkFieldWrite(outside, field('cost'))).not.toThrow();
  });
  it('SCN-35 a refusal names the field as people know it', () => {
    expect(() => checkFieldRead(nobody, field('cost'))).toThrow('You may not see Cost.');
    expect(() => checkFieldWrite(nobody, field('cost'))).toThrow('You may not change Cost.');
    expect(() => checkFieldWrite(outside, field('create_date'))).toThrow('cannot be changed.');
  });
  it('ACC-4 a secret is read by sudo only, and written by anyone who may write', () => {
    expect([nobody, boss, sudo].map((env) => mayReadField(env, field('password')))).toEqual([false, false, true]);
    expect(() => checkFieldWrite(outside, field('password'))).not.toThrow();
  });
  it('readonly binds callers outside, not server code', () => {
    expect(() => checkFieldWrite(outside, field('name'))).toThrow(denied('field'));
    expect(() => checkFieldWrite(outside, field('create_date'))).toThrow(denied('field'));
    expect(() => checkFieldWrite(boss, field('name'))).not.toThrow();
    expect(() => checkFieldWrite(sudo, field('name'))).not.toThrow();
  });
});

describe('ACC-2 record rules', () => {
  let world: TestDatabase;

  beforeAll(async () => {
    world = await createTestDatabase({ maxConnections: 1 });
    await world.database.transaction((tx) => syncSchema(tx, tableSpecs(registry)));
    await insertRows(world.database, registry.model('core.company'), [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ]);
    await insertRows(world.database, model, [
      { id: 1, name: 'a', owner: 5, company_id: 1, cost: 1 },
      { id: 2, name: 'b', owner: 6, company_id: 1, cost: 2 },
      { id: 3, name: 'a', owner: 5, company_id: 2, cost: 3 },
      { id: 4, name: 'b', owner: 5, company_id: null, cost: 4 },
      { id: 5, name: null, owner: null, company_id: null, cost: null },
    ]);
  });
  afterAll(() => world.drop());

  async function visible(env: Env, operation: Operation = 'read'): Promise<number[]> {
    const rules = rulePredicate(env, model, operation, 't') ?? sql`true`;
    const table = ident(model.table);
    const kept = await world.database.query<{ id: number }>(sql`select t.id from ${table} t where ${rules} order by 1`);
    const refused = await world.database.query<{ id: number }>(
      sql`select t.id from ${table} t where (${rules}) is not true order by 1`,
    );
    expect(kept.length + refused.length).toBe(5);
    return kept.map((one) => one.id);
  }

  const mine = rule([['owner', '=', '$uid']], ['g.user']);
  const named = rule([['name', '=', 'b']], ['g.namer']);
  const everything = rule([], ['g.boss']);
  const inOne = { companyId: 1, uid: 5 };

  it('ACC-5 the company rule: rows of the active company and rows without', async () => {
    expect(await visible(envWith({}, { companyId: 1 }))).toEqual([1, 2, 4, 5]);
    expect(await visible(envWith({}, { companyId: 2 }))).toEqual([3, 4, 5]);
    expect(await visible(envWith({}, { companyId: null }))).toEqual([4, 5]);
    for (const operation of operations)
      expect(await visible(envWith({}, { companyId: 2 }), operation)).toEqual([3, 4, 5]);
  });
  it('ACC-11 what is part of a record is seen with it and changed by who may change it, over several steps', async () => {
    await insertRows(world.database, registry.model('x.line'), [
      { id: 1, doc_id: 1, size: 1 },
      { id: 2, doc_id: 2, size: 2 },
      { id: 3, doc_id: 3, size: 3 },
    ]);
    await insertRows(world.database, registry.model('x.note'), [
      { id: 1, line_id: 1 },
      { id: 2, line_id: 2 },
      { id: 3, line_id: 3 },
      { id: 4, line_id: null },
    ]);
    const env = envWith({ rules: [rule([['owner', '=', '$uid']], [], ['write'])] }, inOne);
    const seen = async (name: string, operation: Operation) => {
      const { table } = registry.model(name);
      const rules = rulePredicate(env, registry.model(name), operation, 't') ?? sql`true`;
      const rows = await world.database.query<{ id: number }>(
        sql`select t.id from ${ident(table)} t where ${rules} order by 1`,
      );
      return rows.map((row) => row.id);
    };
    expect([await seen('x.line', 'read'), await seen('x.note', 'read')]).toEqual([
      [1, 2],
      [1, 2, 4],
    ]);
    for (const operation of ['write', 'create', 'unlink'] as const) {
      expect([await seen('x.line', operation), await seen('x.note', operation)]).toEqual([[1], [1, 4]]);
    }
    expect(rulePredicate(envWith({}, { isSudo: true }), registry.model('x.note'), 'read', 't')).toBeNull();
  });
  it('ACC-11 a part names a many2one to another model', () => {
    expect(partFault('other')).not.toThrow();
    expect(partFault('up')).toThrow('a record is not part of another of its own model');
    expect(partFault('size')).toThrow('it is no stored many2one');
  });
  it('a model can opt out of it', () => {
    expect(ruleNode(envWith({}), registry.model('x.open'), 'read')).toBeNull();
  });
  it('global rules are ANDed, on top of the company', async () => {
    const rules = [rule([['name', '=', 'b']]), rule([['owner', '=', 5]])];
    expect(await visible(envWith({ rules }, inOne))).toEqual([4]);
  });
  it('rules of the user’s groups are ORed', async () => {
    const rules = [mine, named, everything];
    expect(await visible(envWith({ rules }, { ...inOne, groups: ['g.user'] }))).toEqual([1, 4]);
    expect(await visible(envWith({ rules }, { ...inOne, groups: ['g.user', 'g.namer'] }))).toEqual([1, 2, 4]);
    expect(await visible(envWith({ rules }, { ...inOne, groups: ['g.user', 'g.boss'] }))).toEqual([1, 2, 4, 5]);
  });
  it('group rules bind members only', async () => {
    expect(await visible(envWith({ rules: [mine, named] }, { ...inOne, groups: ['g.other'] }))).toEqual([1, 2, 4, 5]);
  });
  it('group rules do not open what a global rule closes', async () => {
    const rules = [rule([['name', '!=', 'a']]), everything];
    expect(await visible(envWith({ rules }, { ...inOne, groups: ['g.boss'] }))).toEqual([2, 4, 5]);
  });
  it('a rule holds for its operations', async () => {
    const rules = [rule([['owner', '=', '$uid']], [], ['write', 'unlink'])];
    const env = envWith({ rules }, inOne);
    expect(await visible(env, 'read')).toEqual([1, 2, 4, 5]);
    expect(await visible(env, 'write')).toEqual([1, 4]);
  });
  it('a rule may look at what its subject may not read', async () => {
    expect(await visible(envWith({ rules: [rule([['cost', '>', 1]])] }, inOne))).toEqual([2, 4]);
  });
  it('ACC-7 sudo is not restricted', async () => {
    expect(await visible(envWith({ rules: [mine] }, { groups: ['g.user'], isSudo: true }))).toEqual([1, 2, 3, 4, 5]);
  });
});
