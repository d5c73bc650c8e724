import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ZipEntry, zipFile } from '@kontor/exchange';
import { type CustomChange, type CustomDocument, readPublished } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addonFiles, customise, customiseState, exportAddon, importAddon, sourceFile } from '../index.ts';

const addon = 'acme';
const folder = mkdtempSync(join(tmpdir(), 'kontor-import-'));
let custom: TestKernel;
let other: TestKernel;
let document: CustomDocument;

const field = (model: string, name: string, spec: object) => ({ do: 'add_field', model, name, field: spec });
const nasty = 'Not "so" \\ `now`';
const changes = [
  {
    ...{ do: 'add_model', model: 'x_machine' },
    spec: { label: 'Machine', plural: 'Machines', access: [{ group: 'base.group_system', write: true, create: true }] },
  },
  field('x_machine', 'x_state', {
    ...{ type: 'selection', label: 'State' },
    choices: [
      { value: 'free', label: 'Free', look: 'ok' },
      { value: 'out', label: 'Out' },
    ],
  }),
  field('x_machine', 'x_due', { type: 'date', label: 'Due' }),
  field('x_machine', 'x_since', { type: 'datetime', label: 'Since' }),
  {
    ...{ do: 'change_states', model: 'x_machine', words: { de_DE: { 'Rent out': 'Vermieten' } } },
    states: {
      field: 'x_state',
      initial: ['free'],
      removable: ['free'],
      locks: [{ state: 'out', fields: ['name', 'x_due'] }],
      conditions: [{ name: 'x_ready', formula: 'not isempty(x_due)', message: nasty }],
      moves: [
        {
          ...{ name: 'x_rent', from: ['free'], to: 'out', label: 'Rent out', needs: ['x_ready'], warns: 'Sure?' },
          sets: [{ field: 'x_since', value: { source: 'now' } }],
        },
        { name: 'x_back', from: ['out'], to: 'free', label: 'Take back', groups: ['base.group_system'] },
      ],
      places: [{ state: 'out', x: 10, y: 20 }],
    },
  },
  {
    ...{ do: 'change_checks', model: 'x_machine' },
    checks: [{ name: 'x_long', formula: 'length(name) < 20', message: 'The name is too long.', field: 'name' }],
  },
  {
    ...{ do: 'change_states', model: 'sale.order' },
    states: {
      field: 'state',
      choices: [{ value: 'x_waiting', label: 'Waiting', look: 'warn' }],
      moves: [
        { name: 'x_ask', from: ['draft'], to: 'x_waiting', label: 'Ask' },
        { name: 'confirm', from: ['x_waiting'] },
      ],
    },
  },
] as unknown as readonly CustomChange[];

const seen = async ({ kernel }: TestKernel) => {
  const { base, draft } = await customiseState(kernel);
  return { base, draft };
};

beforeAll(async () => {
  custom = await createTestKernel({ modules: ['sale'] });
  await customise(custom.kernel, custom.admin, await seen(custom), { changes, note: '', isPublished: true });
  document = (await readPublished(custom.kernel.database)).document;
  for (const [path, content] of addonFiles(custom.kernel, document, addon)) {
    const file = join(folder, addon, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  other = await createTestKernel({ modules: ['sale'] });
});
afterAll(async () => {
  await Promise.all([custom.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

describe('CUS-56 an exported addon', () => {
  it('has the same states, moves, conditions and rules as code', async () => {
    const coded = await createTestKernel({ modules: [addon], addonsPath: [folder] });
    try {
      const shape = ({ kernel }: TestKernel, model: string) => {
        const { states, constraints } = kernel.registry.model(model);
        const moves = [...(states?.moves.values() ?? [])].flat().map((move) => ({
          ...{ name: move.name, from: [...move.from], to: move.to, label: move.label, needs: move.needs },
          ...{ sets: [...move.sets], groups: move.groups, warns: move.warns, runs: move.run !== null },
        }));
        const conditions = [...(states?.conditions ?? [])].map(([name, { message, reads }]) => [name, message, reads]);
        const rules = constraints.map(({ name, message, on }) => [name, message, on]);
        const rest = [
          states?.field,
          [...(states?.initial ?? [])],
          [...(states?.locks ?? [])].map(([at, names]) => [at, [...names]]),
        ];
        return JSON.stringify([moves, conditions, rules, rest]).replaceAll(`${addon}_`, 'x_');
      };
      expect(shape(coded, 'acme.machine')).toBe(shape(custom, 'x_machine'));
      expect(shape(coded, 'sale.order').replaceAll('"x_waiting"', '')).toBe(
        shape(custom, 'sale.order').replaceAll('"x_waiting"', ''),
      );
      const id = await coded.work((env) => env.model('acme.machine').create({ name: 'Lift' }));
      await expect(coded.work((env) => env.model('acme.machine').call([id], 'acme_rent'))).rejects.toThrow(nasty);
      await expect(coded.work((env) => env.model('acme.machine').create({ name: 'x'.repeat(30) }))).rejects.toThrow(
        'too long',
      );
    } finally {
      await coded.close();
    }
  });

  it('comes back into the browser of another database as it was, in the draft', async () => {
    const file = await exportAddon(custom.kernel, custom.admin, addon);
    const taken = await importAddon(other.kernel, other.admin, await seen(other), file);
    expect(taken).toEqual({ base: 0, draft: 1, made: 0, waiting: 0, hasRights: false });
    await customise(other.kernel, other.admin, taken, { changes: [], note: '', isPublished: true });
    expect((await readPublished(other.kernel.database)).document).toEqual(document);
    await expect(importAddon(other.kernel, other.admin, await seen(other), file)).rejects.toThrow('there already');
    const lena = await other.person('Lena', ['base.group_user']);
    await expect(importAddon(other.kernel, lena, await seen(other), file)).rejects.toThrow('members of the group');
  });

  it('is refused if it is no export, was changed by hand, or differs from what is there; its code is never run', async () => {
    const zip = (files: ReadonlyMap<string, string>) =>
      zipFile(
        [...files].map(([path, content]): ZipEntry => ({ name: `${addon}/${path}`, bytes: Buffer.from(content) })),
      );
    const printed = addonFiles(custom.kernel, document, addon);
    const source = (given: unknown) => JSON.stringify({ customisation: 1, document: given });
    const attempt = async (world: TestKernel, file: Buffer) =>
      importAddon(world.kernel, world.admin, await seen(world), file);
    await expect(attempt(other, Buffer.from('no archive'))).rejects.toThrow('no addon that was exported');
    const without = new Map([...printed].filter(([path]) => path !== sourceFile));
    await expect(attempt(other, zip(without))).rejects.toThrow('no addon that was exported');
    const path = 'models/acme-machine.ts';
    const edited = new Map([...printed, [path, 'throw new Error("run")'], [sourceFile, source(document)]]);
    await expect(attempt(other, zip(edited))).rejects.toThrow(path);
    const worse = new Map([
      ...printed,
      [sourceFile, source({ ...document, extends: { 'sys.cron': { fields: { name: {} } } } })],
    ]);
    await expect(attempt(other, zip(worse))).rejects.toThrow('begins with x_');
    const state = document.extends.x_machine?.fields.x_state;
    const changed = {
      ...document,
      extends: {
        ...document.extends,
        x_machine: {
          ...document.extends.x_machine,
          fields: { ...document.extends.x_machine?.fields, x_state: { ...state, label: 'Other' } },
        },
      },
    } as CustomDocument;
    const different = new Map([...addonFiles(custom.kernel, changed, addon), [sourceFile, source(changed)]]);
    await expect(attempt(other, zip(different))).rejects.toThrow('there already, and different');
  });
});
