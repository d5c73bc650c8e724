import { sql } from '@kontor/database';
import {
  type CustomChange,
  customLimits,
  emptyDocument,
  publishDocument,
  readChange,
  readDocument,
  readPublished,
} from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, describeCustomise, returnTo } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

const publish = async (changes: readonly unknown[], actor: Actor = world.admin) => {
  const { base, draft } = await customiseState(world.kernel);
  return customise(
    world.kernel,
    actor,
    { base, draft },
    { changes: changes.map(readChange), note: '', isPublished: true },
  );
};
const add = (name: string, field: object, more: object = {}): unknown => ({
  ...{ do: 'add_field', model: 'crm.lead', name, field },
  ...more,
});
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'published',
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details.fields ? Object.values(details.fields).flat().join(' ') : `${code} ${message}`,
  );

describe('who may customise', () => {
  it('CUS-8 a person without the group neither sees nor changes anything', async () => {
    const lena = await world.person('Lena', ['base.group_user', 'crm.group_manager']);
    expect(await refusal(publish([add('x_a', { type: 'char', label: 'A' })], lena))).toMatch(/^ACCESS_DENIED/);
    expect(await refusal(returnTo(world.kernel, lena, { base: 0, draft: 0 }, 0))).toMatch(/^ACCESS_DENIED/);
    expect(await refusal(describeCustomise(world.kernel, lena, 'crm.lead'))).toMatch(/^ACCESS_DENIED/);
    const read = (model: string) => refusal(world.work((env) => env.model(model).search([]), lena));
    expect(await read('sys.custom.revision')).toMatch(/^ACCESS_DENIED/);
    expect(await read('sys.custom.draft')).toMatch(/^ACCESS_DENIED/);
  });

  it('CUS-8 revisions cannot be written by anybody', async () => {
    await publish([add('x_first', { type: 'char', label: 'First' })]);
    const change = (method: 'write' | 'unlink') =>
      refusal(
        world.work(async (env) => {
          const ids = await env.model('sys.custom.revision').search([]);
          return method === 'write'
            ? env.model('sys.custom.revision').write(ids, { note: 'Not me' })
            : env.model('sys.custom.revision').unlink(ids);
        }),
      );
    expect([await change('write'), await change('unlink')].map((each) => each.slice(0, 13))).toEqual([
      'ACCESS_DENIED',
      'ACCESS_DENIED',
    ]);
  });

  it('CUS-8 a field reaches no model and no field that its author may not read', async () => {
    const nils = await world.person('Nils', ['base.group_customise']);
    const field = { type: 'char', label: 'A' };
    expect(await refusal(publish([add('x_a', field)], nils))).toContain('You may not change Lead');
    const link = (relation: string) => ({
      ...(add('x_a', { type: 'many2one', label: 'A', relation }) as object),
      model: 'core.partner',
    });
    expect(await refusal(publish([link('crm.lead')], nils))).toContain('You may not read Lead');
    expect(await refusal(publish([link('sys.rule')], nils))).toContain('You may not read');
    expect(await refusal(publish([{ ...(add('x_a', field) as object), model: 'sys.rule' }]))).toContain(
      'Fields cannot be added to',
    );
    const { models } = await describeCustomise(world.kernel, nils, 'core.partner');
    expect(models.map(({ name }) => name)).not.toContain('crm.lead');
    expect(await refusal(describeCustomise(world.kernel, nils, 'crm.lead'))).toMatch(/^MODEL_NOT_FOUND/);
  });
});

describe('what a document can hold', () => {
  it.each([
    'name',
    'x_',
    'X_a',
    'x_a b',
    '__proto__',
    'constructor',
    "x_a'; drop table crm_lead; --",
    `x_${'a'.repeat(60)}`,
  ])('CUS-9 no field is called %s', async (name) => {
    expect(await refusal(publish([add(name, { type: 'char', label: 'A' })]))).toMatch(/begins with x_|another field/);
  });

  it.each(['__proto__', 'constructor', 'crm', "crm.lead'"])('CUS-9 no model is called %s', async (model) => {
    const change = { ...(add('x_a', { type: 'char', label: 'A' }) as object), model };
    expect(await refusal(publish([change]))).not.toBe('published');
    expect(({} as Record<string, unknown>).x_a).toBeUndefined();
  });

  it('CUS-9 texts are data wherever they appear: SQL, XML, placeholders', async () => {
    const nasty = `"/><xpath expr='//*'/> '); drop table crm_lead; -- {label} <b>&amp;</b> $1`;
    await publish([
      add(
        'x_nasty',
        { type: 'char', label: nasty.slice(0, 100), help: nasty, default: nasty },
        { words: { de_DE: { [nasty.slice(0, 100)]: `de ${nasty}` } } },
      ),
      add('x_choice', {
        type: 'selection',
        label: 'Choice',
        choices: [{ value: 'a', label: nasty.slice(0, 100), look: 'bad' }],
        default: 'a',
      }),
    ]);
    const field = world.kernel.registry.model('crm.lead').fields.get('x_nasty');
    expect([field?.label, field?.spec.help]).toEqual([nasty.slice(0, 100), nasty]);
    const id = await world.work((env) => env.model('crm.lead').create({ name: 'A' }));
    const [row] = await world.work((env) => env.model('crm.lead').read([id], ['x_nasty', 'x_choice']));
    expect([row?.x_nasty, row?.x_choice]).toEqual([nasty, 'a']);
  });

  it('CUS-9 an anchor is a field by name and nothing else', async () => {
    for (const after of ["phone'] | //*[@name='x", '*', "phone' or '1'='1"])
      expect(await refusal(publish([add('x_b', { type: 'char', label: 'B' }, { after })]))).toContain(
        'must be an element of the view',
      );
  });

  it('CUS-9 control characters, unknown keys and wrong types are refused', async () => {
    const says = (field: object) => refusal(publish([add('x_c', field)]));
    expect(await says({ type: 'char', label: 'A\u0000' })).toContain('"label" must be');
    expect(await says({ type: 'char', label: 'A', compute: 'process.exit()' })).toContain('Unknown key "compute"');
    expect(await says({ type: 'one2many', label: 'A', relation: 'crm.lead' })).toContain('"type" must be one of');
    expect(await says({ type: 'selection', label: 'A' })).toContain('Add a choice.');
    expect(await says({ type: 'many2one', label: 'A' })).toContain('Choose what it links to.');
    expect(await says({ type: 'char', label: 'A', default: { source: 'env' } })).toContain('"default" must be');
  });

  it('CUS-10 limits are named: fields, choices, labels, the whole document', async () => {
    const label = 'A'.repeat(customLimits.label + 1);
    expect(await refusal(publish([add('x_d', { type: 'char', label })]))).toContain(
      `1 to ${customLimits.label} characters`,
    );
    const choices = Array.from({ length: customLimits.choices + 1 }, (_, at) => ({
      value: `c${at}`,
      label: `C ${at}`,
    }));
    expect(await refusal(publish([add('x_d', { type: 'selection', label: 'D', choices })]))).toContain(
      `at most ${customLimits.choices} choices`,
    );
    const fields = Object.fromEntries(
      Array.from({ length: customLimits.fields + 1 }, (_, at) => [`x_f${at}`, { type: 'char', label: `F ${at}` }]),
    );
    expect(() => readDocument({ ...emptyDocument, extends: { 'crm.lead': { fields } } })).toThrow(
      `A model has at most ${customLimits.fields} added fields.`,
    );
    const words = {
      de_DE: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`W ${at}`, 'x'.repeat(1000)])),
    };
    expect(() => readDocument({ ...emptyDocument, words })).toThrow('at most 1000000 characters');
  });

  it('CUS-9 a step cannot hide a field that must have a value', async () => {
    const { number, document } = await readPublished(world.kernel.database);
    const step = { expr: "//field[@name='name']", position: 'attributes', attributes: { invisible: 'true' } };
    const hidden = readDocument({ ...document, views: [...document.views, { view: 'crm.lead_form', steps: [step] }] });
    const publication = { document: hidden, base: number, draft: 0, authorId: world.admin.uid, note: '' };
    const done = world.kernel.changeModules((context) => publishDocument(context, publication));
    expect(await refusal(done)).toContain('must have a value, so it cannot be hidden');
  });

  it('CUS-2 a publication that dies in the middle leaves nothing', async () => {
    const { database } = world.kernel;
    const before = await readPublished(database);
    const done = world.kernel.changeModules(async (context) => {
      const change = await publishDocument(context, {
        ...{
          document: readDocument({ ...before.document, views: [] }),
          base: before.number,
          draft: 0,
          authorId: 1,
          note: '',
        },
      });
      await context.tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
      return change;
    });
    expect(await refusal(done)).not.toBe('published');
    expect((await readPublished(database)).number).toBe(before.number);
    const change = add('x_after', { type: 'char', label: 'After' }) as CustomChange;
    expect(await publish([change])).toMatchObject({ base: before.number + 1 });
  });
});
