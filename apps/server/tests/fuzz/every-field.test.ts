import { isLong, testSeed } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FuzzWorld, failureOf, flaw, startFuzzWorld } from './judge.ts';
import { type KnownField, type KnownModel, knownModels } from './known-models.ts';

/**
 * Every field of every model is given what it cannot hold, by every method that takes values, and asked for it in every way.
 * Nothing is left behind: what changes is a dry run.
 */
let world: FuzzWorld;
let models: ReadonlyMap<string, KnownModel>;
beforeAll(async () => {
  world = await startFuzzWorld();
  models = await knownModels(world);
});
afterAll(() => world.close());

/** Something of every kind of JSON, most of which no field can hold. */
const strange: readonly unknown[] = [
  ...['x', '', 'a\0b', '2026-02-30', '2026-11-14T09:30:00Z', 'x.y,1', 'x'.repeat(300)],
  ...[0, -1, 1.5, 2 ** 31, 1e21, 999_999],
  ...[true, null, [], {}, ['x'], [['create']], [['create', 7]], [['set', ['x']]]],
];
/** Fewer, for what is tried in many ways. */
const few: readonly unknown[] = ['x', '', 1.5, 999_999, true, null, [], [1, 'x'], {}];
const operators = ['=', '!=', '<', '>=', 'in', 'not in', 'ilike', '=like', 'child_of', 'parent_of'];
const trial = { dry_run: true };

interface Call {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs?: object;
}

function* changes(model: KnownModel): Generator<Call> {
  const [id = 1] = model.ids;
  for (const field of model.fields) {
    for (const value of field.isSettable ? strange : few) {
      const values = { [field.name]: value };
      const whole = { ...model.seed, ...values };
      yield { model: model.name, method: 'create', args: [whole], kwargs: trial };
      yield { model: model.name, method: 'write', args: [[id], values], kwargs: trial };
      yield { model: model.name, method: 'onchange', args: [whole, field.name] };
      yield { model: model.name, method: 'onchange', args: [values, [field.name]], kwargs: { id } };
    }
  }
}

function* nested(model: KnownModel): Generator<Call> {
  const [id = 1] = model.ids;
  for (const { name, type, relation } of model.fields) {
    const lines = type.endsWith('2many') ? models.get(relation ?? '') : undefined;
    if (!lines) continue;
    const [line = 1] = lines.ids;
    for (const field of lines.fields) {
      for (const value of field.isSettable ? few : [1]) {
        const made = { [name]: [['create', { ...lines.seed, [field.name]: value }]] };
        const changed = { [name]: [['update', line, { [field.name]: value }]] };
        yield { model: model.name, method: 'create', args: [{ ...model.seed, ...made }], kwargs: trial };
        yield { model: model.name, method: 'write', args: [[id], made], kwargs: trial };
        yield { model: model.name, method: 'write', args: [[id], changed], kwargs: trial };
        yield { model: model.name, method: 'onchange', args: [{ ...model.seed, ...made }, name] };
      }
    }
  }
}

function* questions(model: KnownModel): Generator<Call> {
  for (const field of model.fields) {
    for (const value of few) {
      for (const operator of operators) {
        yield { model: model.name, method: 'search', args: [[[field.name, operator, value]]], kwargs: { limit: 1 } };
      }
    }
    yield* groups(model, field);
  }
}

function* groups({ name }: KnownModel, field: KnownField): Generator<Call> {
  for (const granularity of ['', ':month', ':hour', ':century']) {
    const spec = { domain: [], groupby: [`${field.name}${granularity}`], fields: [], limit: 3 };
    yield { model: name, method: 'read_group', args: [spec] };
  }
  for (const measure of ['sum', 'count', 'avg', 'min', 'max', 'count_distinct']) {
    const fields = [{ name: 'm', field: field.name, measure }];
    yield { model: name, method: 'read_group', args: [{ domain: [], groupby: [], fields }] };
  }
  yield { model: name, method: 'search', args: [[]], kwargs: { order: `-${field.name}`, limit: 1 } };
  yield { model: name, method: 'search_read', args: [[], [field.name]], kwargs: { limit: 2 } };
}

function* actions(model: KnownModel): Generator<Call> {
  const [id = 1] = model.ids;
  for (const [action, asks] of model.actions) {
    yield { model: model.name, method: 'call', args: [id, action], kwargs: trial };
    for (const value of strange) {
      yield { model: model.name, method: 'call', args: [value, action], kwargs: trial };
      yield { model: model.name, method: 'call', args: [id, action, value], kwargs: trial };
      for (const name of new Set([...asks, 'active_ids', 'field', 'values', 'note'])) {
        yield { model: model.name, method: 'call', args: [id, action, { [name]: value }], kwargs: trial };
      }
    }
    for (const name of asks) {
      yield { model: model.name, method: 'onchange', args: [{}, [name]], kwargs: { action, active_ids: [id] } };
      for (const value of few) {
        const args = [{ [name]: value }, [name]];
        yield { model: model.name, method: 'onchange', args, kwargs: { action, active_ids: [id] } };
      }
    }
  }
}

/** All of them in a long run; in a short one every so many. */
const share = isLong ? 1 : 293;
const start = testSeed % share;
const together = 16;

async function findFlaws(calls: Iterable<Call>): Promise<{ readonly made: number; readonly flaws: readonly string[] }> {
  const flaws: string[] = [];
  const waiting = calls[Symbol.iterator]();
  let at = 0;
  let made = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      if (at++ % share !== start) continue;
      made++;
      const body = JSON.stringify(next.value);
      const answer = await world.post(body);
      const wrong = flaw(answer);
      if (wrong !== null) flaws.push(`${wrong}: ${body.slice(0, 700)}${failureOf(world, answer)}`);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return { made, flaws };
}

it.each([
  ['changes', changes],
  ['nested commands', nested],
  ['questions', questions],
  ['actions', actions],
])(
  `RPC-23 no %s of any model find a 500 (seed ${testSeed})`,
  async (name, of) => {
    const all = function* () {
      for (const model of models.values()) yield* of(model);
    };
    const { made, flaws } = await findFlaws(all());
    console.log(`${made} ${name} of ${models.size} models`);
    expect(flaws).toEqual([]);
    expect(made).toBeGreaterThan(100);
  },
  3_600_000,
);
