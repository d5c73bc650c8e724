import { assembleRegistry, defineModel, fields, type ModelSpec } from '@kontor/orm';
import { createTestEnv } from '@kontor/testing';
import { expect, it, onTestFinished } from 'vitest';

const model = (spec: Partial<ModelSpec>) => defineModel('day.thing', { fields: {}, ...spec });

it('LAN-15 a stored value that asks for today and does not say so is refused when it is calculated', async () => {
  const silent = model({
    fields: { name: fields.char(), on: fields.char({ computed: true, stored: true }) },
    computes: { on: { depends: ['name'], value: (_, { today }) => today } },
  });
  const world = await createTestEnv([silent]);
  onTestFinished(world.drop);
  await expect(world.transact((env) => env.model('day.thing').create({}))).rejects.toThrow(
    "The compute of day.thing.on asks for today, but the value is stored: say changes: 'daily', or do not store it.",
  );
});

it('LAN-15 changes are for stored values that people do not overrule', () => {
  const daily = { depends: [], changes: 'daily', value: () => 'x' } as const;
  const assemble = (field: ReturnType<typeof fields.char>) => () =>
    assembleRegistry([{ module: 'day', definitions: [model({ fields: { on: field }, computes: { on: daily } })] }]);
  expect(assemble(fields.char({ computed: true }))).toThrow('it has "changes", which is for stored values');
  expect(assemble(fields.char({ computed: true, stored: true, editable: true }))).toThrow(
    'it has "changes", but what people may overrule',
  );
});
