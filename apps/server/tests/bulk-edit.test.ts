import { isDeepStrictEqual } from 'node:util';
import type { Env, Field, Model } from '@kontor/orm';
import { mayAccessModel } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { createTestKernel, isLong, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, describe, expect } from 'vitest';

type Values = Readonly<Record<string, unknown>>;

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps(), demo: true });
});
afterAll(() => world.close());

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const inFormat: Readonly<Record<string, string>> = {
  email: 'bulk@fjord.example',
  phone: '+47 22 33 44 55',
  url: 'https://fjord.example',
  iban: 'NO9386011117947',
};

/** A value that is not the present one, by type. */
const samples: Readonly<Record<string, (field: Field, now: unknown) => unknown>> = {
  char: ({ spec }) => (spec.format ? inFormat[spec.format] : 'Bulk'.slice(0, spec.size)),
  text: () => 'Changed in bulk',
  html: () => '<p>Changed in bulk</p>',
  integer: ({ spec }, now) => Math.min(spec.max ?? 9, Math.max(spec.min ?? 8, now === 8 ? 9 : 8)),
  float: () => 2.5,
  decimal: ({ spec }) => Math.min(spec.max ?? 3, Math.max(spec.min ?? 3, 3)),
  monetary: () => 12,
  boolean: (_field, now) => now !== true,
  date: () => '2026-12-24',
  datetime: () => '2026-12-24T10:30:00.000Z',
  selection: ({ selection }, now) => [...(selection?.keys() ?? [])].find((key) => key !== now),
  json: () => ({}),
  binary: () => png,
  image: () => png,
  reference: ({ spec }) => `${spec.models?.[0] ?? 'core.partner'},1`,
};

function isBulkEdited({ name, isReadonly, compute, related, spec, column }: Field): boolean {
  if (isReadonly || compute !== null || related !== null || spec.secret || name === 'id') return false;
  return column !== null || spec.type === 'many2many';
}

/** What a bulk edit writes into the field of these records: for lists, each of the three ways to change them. */
async function valuesFor(env: Env, field: Field, now: unknown): Promise<readonly unknown[]> {
  const { type, relation, domain = [] } = field.spec;
  if (relation === undefined) return [samples[type]?.(field, now)].filter((value) => value !== undefined);
  const other: Domain = [...domain, ['id', '!=', type === 'many2one' ? (now as number | null) : null]];
  const found = await env.model(relation).search(other, { limit: 2 });
  const [first, second] = found;
  if (first === undefined) return [];
  if (type === 'many2one') return [first];
  return [[['link', first]], [['set', found]], [['unlink', second ?? first]]];
}

async function snapshot(model: Model, ids: readonly number[]): Promise<readonly Values[]> {
  const kept = [...model.fields.values()].filter(
    ({ name, column, spec }) =>
      (column !== null || spec.relation !== undefined) && !/^write_/.test(name) && !spec.secret,
  );
  const names = kept.map(({ name }) => name);
  return world.work((env) =>
    env
      .sudo()
      .model(model.name)
      .searchRead([['id', 'in', [...ids]]], names),
  );
}

/** Fields of one type that are edited; the long run edits all of them. */
const enough = isLong ? Number.POSITIVE_INFINITY : 25;

/** What undo did not bring back. */
const left: string[] = [];

interface Refusal {
  readonly field: string;
  readonly message: string;
}

/** Edits the field in all the records, undoes it, and tells why it was refused. */
async function editAndUndo(
  model: Model,
  ids: readonly number[],
  field: Field,
  value: unknown,
): Promise<Refusal | null> {
  const name = `${model.name}.${field.name}`;
  const before = await snapshot(model, ids);
  let changeSet: number | null;
  try {
    ({ changeSet } = await world.kernel.transact(
      world.admin,
      (env) => env.model(model.name).write([...ids], { [field.name]: value }),
      { isOutside: true },
    ));
  } catch (error) {
    const { message, details } = error as Error & { details?: { fields?: Record<string, string[]> } };
    return { field: name, message: details?.fields?.[field.name]?.[0] ?? message };
  }
  if (changeSet) {
    const revert = world.work((env) => env.model('sys.change.set').call([changeSet as number], 'revert'));
    await revert.catch((error: Error) => left.push(`${name}: ${error.message}`));
  }
  const after = await snapshot(model, ids);
  for (const [index, record] of before.entries()) {
    for (const [each, value] of Object.entries(record)) {
      if (!isDeepStrictEqual(value, after[index]?.[each]))
        left.push(`${name}: ${each} of ${record.id} stays ${JSON.stringify(after[index]?.[each])}`);
    }
  }
  return null;
}

describe('bulk edit of shipped models', () => {
  long(
    'BLK-1 edits every field of every model in several records, and undo brings all of them back',
    {
      timeout: 300_000,
    },
    async () => {
      const models = await world.work(async (env) =>
        [...env.registry.models.values()].filter((model) => !model.isTransient && mayAccessModel(env, model, 'write')),
      );
      const refused: Refusal[] = [];
      const edited = new Map<string, number>();
      for (const model of models) {
        const ids = await world.work((env) => env.model(model.name).search([], { limit: 2 }));
        if (ids.length === 0) continue;
        for (const field of [...model.fields.values()].filter(isBulkEdited)) {
          if ((edited.get(field.spec.type) ?? 0) >= enough) continue;
          const [now] = await world.work((env) =>
            env.model(model.name).searchRead([['id', '=', ids[0] as number]], [field.name]),
          );
          const targets = field.spec.unique ? ids.slice(0, 1) : ids;
          for (const value of await world.work((env) => valuesFor(env, field, now?.[field.name]))) {
            const refusal = await editAndUndo(model, targets, field, value);
            if (refusal) refused.push(refusal);
            else edited.set(field.spec.type, (edited.get(field.spec.type) ?? 0) + 1);
          }
        }
      }
      expect(left).toEqual([]);
      // A value of the right type may break a rule of the model; its message is for people, not about types or commands.
      expect(refused.filter(({ message }) => /^Must be|command|array of/i.test(message))).toEqual([
        { field: 'sys.rule.domain', message: 'A domain is an array of conditions.' },
      ]);
      expect([...edited.keys()].sort()).toEqual([
        ...['boolean', 'char', 'date', 'datetime', 'decimal', 'float', 'html', 'image', 'integer', 'json', 'many2many'],
        ...['many2one', 'monetary', 'selection', 'text'],
      ]);
      const [all, no] = [[...edited.values()].reduce((sum, count) => sum + count, 0), refused.length];
      expect(no / (all + no)).toBeLessThan(0.2);
    },
  );
});
