import { readUpload, stageImport } from '@kontor/exchange';
import { type Env, type Field, type Model, mayAccessModel } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Values = Record<string, unknown>;

/** Made by the server, by a button or by a program alone: nobody types them into a form. */
const notTyped = /^(sys\.|core\.user|mail\.message|invoice\.allocation)/;

/** Values that must be of a certain kind, and records that must be in a certain state. */
const samples: Readonly<Record<string, unknown>> = {
  'core.partner.email.address': 'post@fjord.example',
  'core.partner.phone.number': '+47 22 33 44 55',
  'mail.mailbox.address': 'office@fjord.example',
  'automation.rule.model': 'core.partner',
  'mail.activity.model': 'core.partner',
  'mail.follow.kind.model': 'crm.lead',
  'mail.template.model': 'core.partner',
  'mail.activity.res_id': 1,
  'webhook.subscription.model': 'core.partner',
  'webhook.subscription.url': 'https://receiver.example/orders',
};
const known: Domain = [['name', '=', 'Known Customer']];
const chosen: Readonly<Record<string, Domain>> = {
  'sale.order.partner_id': known,
  'crm.lead.partner_id': known,
  'sale.order.line.order_id': [['state', '=', 'draft']],
  'invoice.line.invoice_id': [['state', '=', 'draft']],
  'project.task.project_id': [['state', '=', 'running']],
  'project.time.project_id': [['state', '=', 'running']],
};
/** What must fit another value, which the kernel finds by itself. */
const unsaid: ReadonlySet<string> = new Set([
  // It follows the taxes, and no form has it.
  'invoice.line.tax_left_out',
  'invoice.line.uom_id',
  'project.task.parent_id',
  'project.time.task_id',
  'sale.order.line.uom_id',
]);
/** What follows from another value that need not be there: it must be said where that is not. */
const alsoSaid: ReadonlySet<string> = new Set([
  'invoice.line.name',
  'project.task.project_id',
  'project.time.project_id',
  'sale.order.line.name',
]);

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps(), demo: true });
  const seller = await world.person('Selma Seller', ['sale.group_user', 'crm.group_user']);
  await world.work(async (env) => {
    // A rate for everybody would overlap with one of the demonstration data.
    const rates = env.model('project.rate');
    await rates.unlink(await rates.search([]));
    const [pricelist_id] = await env.model('product.pricelist').search([], { limit: 1 });
    const address = {
      street: 'Strandgaten 1',
      zip: '5013',
      city: 'Bergen',
      country_id: await env.ref('base.country_NO'),
    };
    await env.model('core.partner').create({
      ...{ name: 'Known Customer', email: 'post@fjord.example', phone: '+47 22 33 44 55', is_company: true },
      ...{ user_id: seller.uid, payment_days: 14, pricelist_id, ...address },
    });
  });
});
afterAll(() => world.close());

/** One transaction as RPC has it, taken back at its end. */
async function tried<T>(work: (env: Env) => Promise<T>): Promise<T> {
  const options = { isDryRun: true, isOutside: true };
  const { result } = await world.kernel.transact(world.admin, work, options);
  return result;
}

function typedModels(env: Env): Model[] {
  const models = [...env.registry.models.values()];
  return models.filter(
    (model) => !notTyped.test(model.name) && mayAccessModel(env, model, 'create') && !model.isTransient,
  );
}

function isTyped(field: Field): boolean {
  if (field.isReadonly || field.compute !== null || field.related !== null || field.spec.secret) return false;
  return field.column !== null;
}

const simple: Readonly<Record<string, (field: Field) => unknown>> = {
  char: (field) => `A ${field.name}`.slice(0, field.spec.size),
  text: (field) => `Some ${field.name}`,
  html: (field) => `<p>${field.name}</p>`,
  integer: ({ spec }) => Math.min(spec.max ?? 7, Math.max(spec.min ?? 7, 7)),
  float: () => 2.5,
  decimal: ({ spec }) => Math.min(spec.max ?? 3, Math.max(spec.min ?? 3, 3)),
  monetary: () => 12,
  boolean: () => true,
  date: () => '2026-12-24',
  datetime: () => '2026-12-24T10:30:00.000Z',
  selection: ({ selection }) => [...(selection?.keys() ?? [])][0],
};

/** What a person must say, and what else other values are made from. */
async function sampleOf(env: Env, model: Model, isRich: boolean): Promise<Values | null> {
  const sources = isRich ? sourcesIn(env, model) : new Set<string>();
  const values: Values = {};
  for (const field of model.fields.values()) {
    const key = `${model.name}.${field.name}`;
    // A company has a currency by its country, which is only said where more is said.
    const isSaid = alsoSaid.has(key) || (!isRich && key === 'core.company.currency_id');
    const isFilled = field.isEditable && !isSaid;
    const mustSay = field.required && field.spec.default === undefined && !isFilled;
    if (!isTyped(field) || (!mustSay && !sources.has(field.name))) continue;
    if (!mustSay && unsaid.has(key)) continue;
    const value = samples[key] ?? (await sampleValue(env, field));
    if (value !== undefined) values[field.name] = value;
    else if (mustSay && !model.hooks.some((hook) => hook.beforeCreate)) return null;
  }
  return values;
}

function sourcesIn(env: Env, model: Model): ReadonlySet<string> {
  const depends = env.registry.editableComputes(model.name).flatMap((field) => field.editableCompute?.depends ?? []);
  return new Set([...model.onchange.keys(), ...depends.map((path) => path.split('.', 1)[0] as string)]);
}

async function sampleValue(env: Env, field: Field): Promise<unknown> {
  if (field.spec.type !== 'many2one') return simple[field.spec.type]?.(field);
  const related = env.registry.model(field.spec.relation as string);
  const own: Domain = chosen[`${field.model}.${field.name}`] ?? [];
  const active: Domain = related.hasActive ? [['active', '=', true]] : [];
  const domain = [...own, ...active, ...(field.spec.domain ?? [])];
  const [id] = await env.model(related.name).search(domain, { limit: 1 });
  return id;
}

/** Opens a form, types one field after the other, and saves what then stands there. */
async function byForm(env: Env, model: Model, sample: Values): Promise<number> {
  const records = env.model(model.name);
  let form: Values = { ...(await records.onchange({}, [])).value };
  for (const [name, value] of Object.entries(sample)) {
    form = { ...form, [name]: value };
    form = { ...form, ...(await records.onchange(writable(model, form), [name])).value };
  }
  return records.create(writable(model, form));
}

function writable(model: Model, form: Values): Values {
  return Object.fromEntries(
    Object.entries(form).filter(([name]) => {
      const field = model.fields.get(name) as Field;
      return !field.isReadonly && field.compute === null && field.related === null;
    }),
  );
}

async function byImport(env: Env, model: Model, sample: Values): Promise<number> {
  const names = Object.keys(sample);
  const cells = names.map((name) => `"${String(sample[name]).replaceAll('"', '""')}"`);
  const inside = env.outside(false);
  const file = await readUpload(Buffer.from(`${names.join(',')}\n${cells.join(',')}\n`));
  const upload = { model: model.name, fileName: 'new.csv', fields: [], mode: 'create', next: null, file } as const;
  const batch = await stageImport(inside, upload, () => []);
  const mapping = JSON.stringify(Object.fromEntries(names.map((name) => [name, name])));
  await inside.model('sys.bulk.import').call([batch], 'confirm_import', { column_mapping: mapping });
  const made = env.work.changes.find((change) => change.operation === 'create' && change.model === model.name);
  return made?.id ?? 0;
}

/** What a new record has, but for what differs from record to record: its id, its number, and when it was made. */
async function valuesOf(env: Env, model: Model, id: number): Promise<Values> {
  const fields = [...model.fields.values()].filter((field) => {
    const source = (field.spec.default as { source?: string } | undefined)?.source;
    const isOwn = field.column !== null || field.through !== null;
    return isOwn && !field.spec.secret && source !== 'sequence' && source !== 'now' && !isStamp(field);
  });
  const names = fields.map((field) => field.name);
  const [record] = await env.sudo().model(model.name).read([id], names);
  return Object.fromEntries(fields.map((field) => [field.name, shown(env, field, id, record?.[field.name] ?? null)]));
}

function shown(env: Env, field: Field, id: number, value: unknown): string {
  const isNow = field.spec.type === 'datetime' && value === env.now.toISOString();
  const text = isNow ? 'now' : String(value);
  // A day of the month may be the same number.
  return field.compute === null || !field.kind.isText ? text : text.replace(new RegExp(`\\b${id}\\b`, 'g'), 'its id');
}

function isStamp({ name }: Field): boolean {
  return ['id', 'create_date', 'create_uid', 'write_date', 'write_uid'].includes(name);
}

describe('CMP-10 form, RPC and import give a new record the same values', () => {
  it.each([
    ['what must be said', false],
    ['what else follows from', true],
  ])('%s', async (_case, isRich) => {
    const different: Record<string, unknown> = {};
    const compared: string[] = [];
    const models = await tried(async (env) => typedModels(env));
    for (const model of models) {
      const sample = await tried((env) => sampleOf(env, model, isRich));
      if (sample === null || Object.keys(sample).length === 0) continue;
      const made = (way: (env: Env) => Promise<number>) =>
        tried(async (env) => valuesOf(env, model, await way(env))).catch((error: Error) => ({ error: error.message }));
      const rpc = await made((env) => env.model(model.name).create(sample));
      const form = await made((env) => byForm(env, model, sample));
      const file = await made((env) => byImport(env, model, sample));
      const names = Object.keys({ ...rpc, ...form, ...file }).filter((name) => {
        const [one, two, three] = [rpc, form, file].map((values) => (values as Values)[name]);
        return one !== two || two !== three;
      });
      const own = names.map((name) => [name, [rpc, form, file].map((values) => (values as Values)[name])]);
      if (own.length > 0) different[model.name] = Object.fromEntries(own);
      compared.push(model.name);
    }
    expect(compared.length).toBeGreaterThan(25);
    expect(different).toEqual({});
  });
});

describe('RPC-14 a form is opened and left empty', () => {
  it('on every model, with lines that say nothing, and with everything taken away', async () => {
    const failed: Record<string, string> = {};
    for (const model of world.kernel.registry.models.values()) {
      const lists = [...model.fields.values()].filter((field) => field.spec.type === 'one2many' && !field.compute);
      const lines = Object.fromEntries(lists.map((field) => [field.name, [['create', {}]]]));
      const nothing = Object.fromEntries([...model.fields.values()].filter(isTyped).map((field) => [field.name, null]));
      const asked: readonly (readonly [Values, readonly string[]])[] = [
        [{}, []],
        [lines, Object.keys(lines)],
        [nothing, Object.keys(nothing)],
      ];
      for (const [values, changed] of asked) {
        await tried((env) => env.sudo().outside(true).model(model.name).onchange(values, changed)).catch(
          (error: Error & { code?: string }) => {
            if (error.code === undefined) failed[`${model.name} ${changed.length}`] = error.message;
          },
        );
      }
    }
    expect(failed).toEqual({});
  });
});
