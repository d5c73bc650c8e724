import { ident, sql } from '@kontor/database';
import { dispatch, type RpcCaller } from '@kontor/kernel';
import { type Field, isCopyable, type Model, mayAccessModel } from '@kontor/orm';
import { createTestKernel, findLeaks, isLong, type Leak, type TestKernel, testSeed } from '@kontor/testing';
import { shippedApps } from '@kontor/testing/shipped-apps';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEnvelope, okEnvelope, toCallerError } from '../http/envelope.ts';

/** Every model of every addon, with a record in it that a rule hides from everybody. */
let world: TestKernel;
let told: readonly Leak[];
let hidden: Map<string, number>;
const missing = 2_000_000_000;
/** All of it takes minutes: a short run tries two fields of some models, by the seed. */
const fieldsTried = isLong ? Number.POSITIVE_INFINITY : 2;
const modelsTried = isLong ? Number.POSITIVE_INFINITY : 14;

beforeAll(async () => {
  world = await createTestKernel({
    modules: shippedApps(),
    demo: true,
  });
  told = await findLeaks(world);
  hidden = await hideOneOfEach(world);
});
afterAll(() => world.close());

async function hideOneOfEach({ kernel, person, work }: TestKernel): Promise<Map<string, number>> {
  await person('Hidden Hilda');
  await work(async (env) =>
    env
      .sudo()
      .model('core.company')
      .create({ name: 'Hidden Ltd.', currency_id: await env.ref('base.EUR') }),
  );
  const last = new Map<string, number>();
  for (const model of kernel.registry.models.values()) {
    const [row] = await kernel.database.query<{ id: number | null }>(sql`
      select max(id) as id from ${ident(model.table)}`);
    if (row?.id) last.set(model.name, row.id);
  }
  const rules = [...last].map(([model, id]) => ({
    ...{ name: `hides ${model} ${id}`, model, domain: [['id', '!=', id]], active: true },
    ...{ perm_read: true, perm_write: true, perm_create: true, perm_unlink: true },
  }));
  await work((env) => env.sudo().model('sys.rule').createMany(rules));
  return last;
}

function some<T>(all: readonly T[], count: number): readonly T[] {
  if (count >= all.length) return all;
  return fc.sample(fc.shuffledSubarray([...all], { minLength: count, maxLength: count }), {
    seed: testSeed,
    numRuns: 1,
  })[0] as T[];
}

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

async function answerTo(model: string, { method, args, kwargs = {} }: Call): Promise<string> {
  const actor = (await world.kernel.actor(1)) as RpcCaller['actor'];
  const caller = { actor, scope: null, requestId: 'r', address: '::1', idempotency: null, lastWrite: null };
  try {
    return okEnvelope((await dispatch(world.kernel, caller, { model, method, args: [...args], kwargs })).json);
  } catch (error) {
    return errorEnvelope(toCallerError(error, { requestId: 'r', bodyLimit: 0 }));
  }
}

const byFormat = {
  email: 'x@example.com',
  phone: '+49 30 123456',
  url: 'https://example.com',
  iban: 'DE89370400440532013000',
};

/** A value of the right type and format: what is of a wrong one is refused before anybody looks at a record. */
function someValue({ kind, spec }: Field): unknown {
  if (kind.isList) return [['clear']];
  if (kind.isToOne) return missing;
  if (spec.selection) return Object.keys(spec.selection).at(-1);
  const byType: Record<string, unknown> = {
    boolean: true,
    date: '2031-01-01',
    datetime: '2031-01-01T00:00:00Z',
    json: {},
    reference: null,
    binary: null,
    image: null,
  };
  if (spec.type in byType) return byType[spec.type];
  if (kind.isNumber) return Math.max(1, spec.min ?? 1);
  return spec.format === undefined ? 'x' : byFormat[spec.format];
}

/** Calls on one record, by kind; those of a kind differ in what they bring along, which must not matter. */
function callsOn(model: Model, id: number): Record<string, Call[]> {
  const all = [...model.fields.values()].filter(({ name }) => name !== 'id' && name !== 'display_name');
  const tried = some(all, fieldsTried);
  const bodies = [{}, ...tried.map((field) => ({ [field.name]: someValue(field) }))];
  const emptied = tried
    .filter(({ required }) => !required)
    .map((field) => ({ [field.name]: field.kind.isList ? [] : null }));
  const open = tried.filter(({ spec }) => !spec.secret);
  const actions = [...model.actions.values()].filter(
    ({ groups }) => groups === null || groups.includes('base.group_system'),
  );
  return {
    read: [[], ['id'], ['display_name'], ...open.map(({ name }) => [name])].map((fields) => ({
      method: 'read',
      args: [[id], fields],
    })),
    write: [...bodies, ...emptied].map((values) => ({ method: 'write', args: [[id], values] })),
    write_many: bodies.map((values) => ({ method: 'write_many', args: [[id], values] })),
    dry: bodies.map((values) => ({ method: 'write', args: [[id], values], kwargs: { dry_run: true } })),
    base: [{ method: 'write', args: [[id], {}], kwargs: { base: {} } }],
    unlink: [
      { method: 'unlink', args: [[id]] },
      { method: 'unlink_many', args: [[id]] },
      { method: 'unlink', args: [[id]], kwargs: { dry_run: true } },
    ],
    onchange: bodies
      .slice(0, 1)
      .map((values) => ({ method: 'onchange', args: [values, Object.keys(values)], kwargs: { id } })),
    ...Object.fromEntries(
      actions.map(({ name }) => [
        `call ${name}`,
        [
          { method: 'call', args: [id, name] },
          { method: 'call', args: [0, name, { active_ids: String(id) }] },
          { method: 'call', args: [id, name], kwargs: { dry_run: true } },
        ],
      ]),
    ),
    ...Object.fromEntries(
      actions.map(({ name }) => [
        `dialog of ${name}`,
        [{ method: 'onchange', args: [{}, []], kwargs: { action: name, active_ids: [id] } }],
      ]),
    ),
  };
}

async function wrongAnswers(code: string, idOf: (model: Model) => number | undefined): Promise<string[]> {
  const wrong: string[] = [];
  const models = [...world.kernel.registry.models.values()].filter(
    // Those that are served have no records of their own to be hidden.
    (model) => idOf(model) !== undefined && !model.served,
  );
  for (const model of some(models, modelsTried)) {
    const id = idOf(model) as number;
    for (const [kind, calls] of Object.entries(callsOn(model, id))) {
      const answers = new Set<string>();
      for (const call of calls) answers.add(await answerTo(model.name, call));
      const [first = ''] = answers;
      const isRight = answers.size === 1 && (first.includes(`"code":"${code}"`) || first.includes('"layer":"model"'));
      if (!isRight) wrong.push(`${model.name} ${kind}: ${[...answers].join(' | ').slice(0, 600)}`);
    }
  }
  return wrong;
}

describe('records that are not for the caller', () => {
  it('ACC-12 a hidden one is ACCESS_DENIED, byte by byte the same whatever is asked, in every model and method', async () => {
    expect(await wrongAnswers('ACCESS_DENIED', ({ name }) => hidden.get(name))).toEqual([]);
  });

  it('ACC-12 a missing one is NOT_FOUND in the same way', async () => {
    expect(await wrongAnswers('NOT_FOUND', () => missing)).toEqual([]);
  });
});

describe('forms', () => {
  const isDerived = ({ compute, related, isEditable }: Field) => !isEditable && (compute !== null || related !== null);
  const unstored = ({ fields }: Model) =>
    [...fields.values()].filter((field) => isDerived(field) && !field.isStored && !field.spec.secret);
  /** Fields that a form sends back as they are: what nobody computes, without handlers that would change others. */
  const typed = ({ fields, onchange }: Model) =>
    [...fields.values()].filter(
      (field) =>
        !['id', 'display_name'].includes(field.name) &&
        !['binary', 'image'].includes(field.spec.type) &&
        !(isDerived(field) || field.spec.secret || onchange.has(field.name)),
    );

  it('CMP-15 onchange of a form as it is stored gives what read gives, in every model and unstored compute', async () => {
    const differing: string[] = [];
    const compared = new Set<string>();
    for (const model of world.kernel.registry.models.values()) {
      const computed = unstored(model);
      if (model.served || computed.length === 0) continue;
      const [given, last] = [typed(model), hidden.get(model.name) ?? 0];
      const rows = await world.kernel.database.query<{ id: number }>(sql`
        select id from ${ident(model.table)} where id <> ${last} order by id desc limit ${isLong ? 1000 : 3}`);
      for (const { id } of rows) {
        const singles = given.filter(({ kind }) => !kind.isList);
        const names = [...computed, ...singles].map(({ name }) => name);
        const [read] = JSON.parse(await answerTo(model.name, { method: 'read', args: [[id], names] })).result ?? [];
        if (!read) continue;
        const values = Object.fromEntries(given.map(({ name, kind }) => [name, kind.isList ? [] : read[name]]));
        const call = { method: 'onchange', args: [values, Object.keys(values)], kwargs: { id } };
        const { result, error } = JSON.parse(await answerTo(model.name, call));
        if (error) differing.push(`${model.name} ${id}: ${JSON.stringify(error)}`);
        for (const { name } of computed) {
          if (result?.value[name] === undefined) continue;
          compared.add(`${model.name}.${name}`);
          const [here, there] = [result.value[name], read[name]].map((value) => JSON.stringify(value));
          if (here !== there) differing.push(`${model.name}.${name} of ${id}: onchange ${here}, read ${there}`);
        }
      }
    }
    expect(differing).toEqual([]);
    expect(compared.size).toBeGreaterThan(20);
  });
});

describe('copies', () => {
  it('RPC-24 every model that offers a copy makes one', async () => {
    const failed: string[] = [];
    for (const model of world.kernel.registry.models.values()) {
      const mayCreate = await world.kernel.read(world.admin, async (env) => mayAccessModel(env, model, 'create'));
      if (model.isTransient || !mayCreate || !isCopyable(model)) continue;
      const [row] = await world.kernel.database.query<{ id: number | null }>(sql`
        select min(id) as id from ${ident(model.table)}`);
      if (!row?.id) continue;
      const copy = world.kernel.transact(
        world.admin,
        (env) =>
          env
            .sudo()
            .model(model.name)
            .copy(row.id as number),
        {
          isDryRun: true,
        },
      );
      await copy.catch((error: unknown) => failed.push(`${model.name}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  });
});

describe('changes', () => {
  it('ACC-16 are kept with the company of the record, in every model, also where another record gives it', async () => {
    const copied: string[] = [];
    const wrong: string[] = [];
    for (const model of world.kernel.registry.models.values()) {
      if (!model.hasCompany || model.quiet || model.isTransient || model.fields.get('company_id')?.column == null)
        continue;
      const [row] = await world.kernel.database.query<{ id: number | null }>(sql`
        select max(id) as id from ${ident(model.table)} where company_id is not null`);
      if (!row?.id) continue;
      const copy = world.work((env) =>
        env
          .sudo()
          .model(model.name)
          .copy(row.id as number),
      );
      // Some models have no copies, such as those that only the server writes.
      const made = await copy.catch(() => null);
      if (made === null) continue;
      copied.push(model.name);
    }
    for (const model of world.kernel.registry.models.values()) {
      if (!model.hasCompany || model.fields.get('company_id')?.column == null) continue;
      const rows = await world.kernel.database.query<{ res_id: number }>(sql`
        select c.res_id from sys_change c join ${ident(model.table)} t on t.id = c.res_id
        where c.model = ${model.name} and c.operation = 'create' and c.company_id is distinct from t.company_id`);
      if (rows.length > 0) wrong.push(`${model.name}: ${rows.length}`);
    }
    expect(wrong).toEqual([]);
    expect(copied).toEqual(expect.arrayContaining(['sale.order', 'crm.lead', 'project.task']));
  });
});

describe('agents', () => {
  it('AGT-2 do not write what the server carries out later, when nobody would be asked any more', () => {
    const later = [
      'automation.rule',
      'mailing.mailing',
      'recurring.plan',
      'sys.automation',
      'sys.cron',
      'webhook.subscription',
    ];
    const open = later.filter((name) => world.kernel.registry.models.get(name)?.isClosedToAgents !== true);
    expect(open).toEqual([]);
  });
});

describe('values that are made from records of others', () => {
  it('ACC-13 are those that say why', async () => {
    expect(Object.fromEntries(told.map(({ field, reason }) => [field, reason]))).toEqual({
      'calendar.event.hours': 'How long a meeting lasts is the same for everybody who sees it.',
      'calendar.event.remind_at': 'When the next reminder is due is for the job alone; everybody may read reminders.',
      'core.company.work_calendar': 'When a company works is known to everybody who plans.',
      'core.partner.match_keys':
        'What a contact shares with its company is left out of the keys: they hold what is its own.',
      'core.user.work_calendar':
        'When a person works is known to everybody who plans with them; why they do not is not in it.',
      'crm.lead.ordered_total': 'What an opportunity brought is said of the opportunity, whoever sold it.',
      'sale.team.forecast': 'A forecast is that of the whole team, whoever asks.',
      'invoice.allocation.is_valid': 'Whether a settlement counts is for everyone who reads it.',
      'invoice.invoice.amount_credited': 'What is left of an invoice depends on all its credit notes.',
      'invoice.invoice.amount_residual': 'What is due depends on all payments.',
      'invoice.invoice.amount_tax': 'The sums of an invoice are those of all its lines and taxes.',
      'invoice.invoice.e_invoice': 'Names and addresses are printed on the invoice.',
      'invoice.invoice.receivable': 'The rates of currencies are no secret.',
      'invoice.invoice.reminder_step': 'Which reminder is due depends on all that were sent.',
      'invoice.invoice.shortcomings': 'Names and addresses are printed on the invoice.',
      'invoice.invoice.tax_sums': 'The sums of an invoice are those of all its lines and taxes.',
      'invoice.line.price_subtotal': 'What a customer pays has all its taxes in it.',
      'invoice.line.price_tax': 'What a customer pays has all its taxes in it.',
      'invoice.line.price_total': 'What a customer pays has all its taxes in it.',
      'invoice.payment.amount_left': 'What is left of a payment depends on all that it settles.',
      'project.project.amount_billed': 'A budget is used up by everybody’s time.',
      'project.project.amount_open': 'A budget is used up by everybody’s time.',
      'project.project.amount_time': 'A budget is used up by everybody’s time.',
      'project.project.cost': 'A budget is used up by everybody’s time.',
      'project.project.hours_billable': 'A budget is used up by everybody’s time.',
      'project.project.hours_open': 'A budget is used up by everybody’s time.',
      'project.project.revenue': 'What an order comes to is for project managers too.',
      'project.time.billed.is_held': 'Whether time was invoiced is the same for everyone.',
      'project.time.billing_state': 'Whether time was invoiced is the same for everyone.',
      'project.time.invoice_line_id': 'Whether time was invoiced is the same for everyone.',
      'project.project.hours_spent': 'Everybody’s time uses up the hours that were planned.',
      'project.project.open_task_count': 'How far a project is depends on all its tasks, whoever asks.',
      'project.project.progress': 'How far a project is depends on all its tasks, whoever asks.',
      'project.project.task_count': 'How far a project is depends on all its tasks, whoever asks.',
      'project.task.child_count': 'A task is closed once all its subtasks are.',
      'project.task.hours_own': 'Everybody’s time uses up the hours that were planned.',
      'project.task.hours_spent': 'Everybody’s time uses up the hours that were planned.',
      'project.task.is_blocked': 'A task waits for others also where its people do not see them.',
      'sale.order.down_payment_left': 'What was invoiced of an order is for everyone who reads the order.',
      'sale.order.invoice_status': 'What was invoiced of an order is for everyone who reads the order.',
      'sale.order.line.qty_invoiced': 'What was invoiced of an order is for everyone who reads the order.',
      'sale.order.line.margin': 'What a customer pays has all its taxes in it.',
      'sale.order.line.margin_in_company':
        'The rate of a price list is no secret: it is the quotient of two amounts of the line.',
      'sale.order.line.option_subtotal': 'What a customer pays has all its taxes in it.',
      'sale.order.line.option_total': 'What a customer pays has all its taxes in it.',
      'sale.order.line.price_subtotal': 'What a customer pays has all its taxes in it.',
      'sale.order.line.price_tax': 'What a customer pays has all its taxes in it.',
      'sale.order.line.price_total': 'What a customer pays has all its taxes in it.',
      'sale.order.line.turnover':
        'The rate of a price list is no secret: it is the quotient of two amounts of the line.',
    });
  });
});
