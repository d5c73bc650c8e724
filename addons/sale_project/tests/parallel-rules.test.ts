import { createDatabase, type PooledDatabase, sql } from '@kontor/database';
import { type Env, findRecord } from '@kontor/orm';
import { addMonths, type Domain, dateIn } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const modules = ['calendar_crm', 'calendar_project', 'contacts', 'invoice', 'sale_crm', 'sale_project'];
let world: TestKernel;
let watcher: PooledDatabase;
beforeAll(async () => {
  world = await createTestKernel({ modules });
  watcher = createDatabase({ dsn: world.dsn, maxConnections: 1 });
});
afterAll(async () => {
  await watcher.close();
  await world.close();
});

/** Resolves when the work is over, or when some statement waits for a lock: it can only be that of the work. */
async function waitsOrEnds(work: Promise<unknown>): Promise<void> {
  let isOver = false;
  void work.then(() => {
    isOver = true;
  });
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (!isOver && (await watcher.query(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
}

type Change = (env: Env) => Promise<unknown>;
interface Meeting {
  readonly first: Change;
  readonly second: Change;
  /** What the second is refused with; null when it may be. */
  readonly refused: string | null;
  /** What must be so in the end. */
  readonly holds?: (env: Env) => Promise<unknown>;
}
type Rule = (env: Env) => Promise<readonly Meeting[]>;

async function project(env: Env): Promise<number> {
  const id = await env.model('project.project').create({ name: 'Boathouse' });
  await env.model('project.project').call([id], 'start');
  return id;
}
const task = (env: Env, values: object) => env.model('project.task').create({ name: 'Task', ...values });
const one = async (env: Env, model: string, id: number, name: string) =>
  (await env.model(model).read([id], [name]))[0]?.[name];

const openProject: Rule = async (env) => {
  const [late, early] = [await project(env), await project(env)];
  const close = (id: number) => (on: Env) => on.model('project.project').call([id], 'close');
  const open = (id: number) => (on: Env) => task(on, { project_id: id });
  const book = (id: number) => (on: Env) => on.model('project.time').create({ project_id: id, hours: 1 });
  const closed = await project(env);
  return [
    { first: close(late), second: open(late), refused: 'The project is closed.' },
    { first: open(early), second: close(early), refused: 'Finish or cancel the open tasks' },
    { first: close(closed), second: book(closed), refused: 'The project is closed' },
  ];
};

const projectOfTheTask: Rule = async (env) => {
  const [from, to] = [await project(env), await project(env)];
  const meeting = async (isMoveFirst: boolean): Promise<Meeting> => {
    const moved = await task(env, { project_id: from });
    const move: Change = (on) => on.model('project.task').write([moved], { project_id: to });
    const book: Change = (on) => on.model('project.time').create({ task_id: moved, project_id: from, hours: 1 });
    const elsewhere: Domain = [
      ['task_id', '=', moved],
      ['project_id', '!=', to],
    ];
    const holds = async (on: Env) => expect(await on.model('project.time').count(elsewhere)).toBe(0);
    return isMoveFirst
      ? { first: move, second: book, refused: 'The task belongs to another project.', holds }
      : { first: book, second: move, refused: null, holds };
  };
  return [await meeting(true), await meeting(false)];
};

const projectOfTheParent: Rule = async (env) => {
  const [from, to] = [await project(env), await project(env)];
  const meeting = async (isMoveFirst: boolean): Promise<Meeting> => {
    const parent = await task(env, { project_id: from });
    const move: Change = (on) => on.model('project.task').write([parent], { project_id: to });
    const divide: Change = (on) => task(on, { parent_id: parent, project_id: from });
    const elsewhere: Domain = [
      ['parent_id', '=', parent],
      ['project_id', '!=', to],
    ];
    const holds = async (on: Env) => expect(await on.model('project.task').count(elsewhere)).toBe(0);
    return isMoveFirst
      ? { first: move, second: divide, refused: 'A subtask belongs to the project of its task.', holds }
      : { first: divide, second: move, refused: null, holds };
  };
  return [await meeting(true), await meeting(false)];
};

const finishedTask: Rule = async (env) => {
  const id = await project(env);
  const [waiting, other, divided] = [
    await task(env, { project_id: id }),
    await task(env, { project_id: id }),
    await task(env, { project_id: id }),
  ];
  const finish = (one: number) => (on: Env) => on.model('project.task').call([one], 'done');
  return [
    {
      first: (on) => on.model('project.task').write([waiting], { depends_on_ids: [['link', other]] }),
      second: finish(waiting),
      refused: 'Finish the tasks that it depends on first.',
    },
    {
      first: (on) => task(on, { project_id: id, parent_id: divided }),
      second: finish(divided),
      refused: 'Finish or cancel its subtasks first.',
    },
  ];
};

const orderWithLines: Rule = async (env) => {
  const partner = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  const order = async () => {
    const made = await env
      .model('sale.order')
      .create({ partner_id: partner, line_ids: [['create', { name: 'Desk', price_unit: '1', quantity: 1 }]] });
    const lines = (await one(env, 'sale.order', made, 'line_ids')) as number[];
    const confirm: Change = (on) => on.model('sale.order').call([made], 'confirm');
    const empty: Change = (on) => on.model('sale.order.line').unlink(lines);
    return { confirm, empty };
  };
  const [late, early] = [await order(), await order()];
  return [
    { first: late.confirm, second: late.empty, refused: 'cannot be changed' },
    { first: early.empty, second: early.confirm, refused: 'Add a line' },
  ];
};

/** A line is judged by the unit that its product has: both orders of the two changes are fine, whichever comes first. */
const unitOfTheProduct: Rule = async (env) => {
  const [piece, hour] = [await findRecord(env, 'product.uom_unit'), await findRecord(env, 'product.uom_hour')];
  const partner = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  const made = await env.model('sale.order').create({ partner_id: partner });
  const product = await env.model('product.product').create({ name: 'Desk', uom_id: piece });
  const sell: Change = (on) =>
    on.model('sale.order.line').create({ order_id: made, product_id: product, uom_id: piece });
  return [
    { first: (on) => on.model('product.product').write([product], { uom_id: hour }), second: sell, refused: null },
  ];
};

/** An order is judged by the rate that its list has: both orders of the two changes are fine, whichever comes first. */
const rateOfTheList: Rule = async (env) => {
  const [yen] = await env.model('core.currency').search([['name', '=', 'JPY']]);
  const partner = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  const list = await env.model('product.pricelist').create({ name: 'Abroad', currency_id: yen, rate: '150' });
  const made = await env.model('sale.order').create({ partner_id: partner });
  const forget: Change = (on) => on.model('product.pricelist').write([list], { rate: '1' });
  const take: Change = (on) => on.model('sale.order').write([made], { pricelist_id: list });
  return [{ first: forget, second: take, refused: null }];
};

const invoiceLine = { name: 'Desk', price_unit: '10', quantity: 1, tax_ids: [] };
async function invoice(env: Env, values: object = {}): Promise<number> {
  const partner_id = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  return env.model('invoice.invoice').create({ partner_id, line_ids: [['create', invoiceLine]], ...values });
}
const post =
  (id: number): Change =>
  (on) =>
    on.model('invoice.invoice').call([id], 'post');

const invoiceWithLines: Rule = async (env) => {
  const [late, early, turned] = [await invoice(env), await invoice(env), await invoice(env)];
  const lines = async (id: number) => (await one(env, 'invoice.invoice', id, 'line_ids')) as number[];
  const empty = async (id: number): Promise<Change> => {
    const ids = await lines(id);
    return (on) => on.model('invoice.line').unlink(ids);
  };
  const [line] = await lines(turned);
  const negate: Change = (on) => on.model('invoice.line').write([line as number], { quantity: -1 });
  return [
    { first: post(late), second: await empty(late), refused: 'cannot be changed' },
    { first: await empty(early), second: post(early), refused: 'Add a line' },
    { first: negate, second: post(turned), refused: 'Create a credit note instead' },
  ];
};

const creditWithinInvoice: Rule = async (env) => {
  const made = await invoice(env);
  await post(made)(env);
  const partner_id = await one(env, 'invoice.invoice', made, 'partner_id');
  const note = () => invoice(env, { type: 'credit', reversed_id: made, partner_id });
  const [first, second] = [await note(), await note()];
  return [{ first: post(first), second: post(second), refused: 'would exceed the invoice' }];
};

/** A posted invoice stays one, so that a credit note cannot lose what it corrects; until then it has none. */
const creditOfPosted: Rule = async (env) => {
  const made = await invoice(env);
  const partner_id = await one(env, 'invoice.invoice', made, 'partner_id');
  const credit: Change = (on) => invoice(on, { type: 'credit', reversed_id: made, partner_id });
  return [{ first: post(made), second: credit, refused: 'cannot be chosen here' }];
};

const unitOfTheInvoicedProduct: Rule = async (env) => {
  const [piece, hour] = [await findRecord(env, 'product.uom_unit'), await findRecord(env, 'product.uom_hour')];
  const made = await invoice(env);
  const product = await env.model('product.product').create({ name: 'Desk', uom_id: piece });
  const bill: Change = (on) =>
    on.model('invoice.line').create({ invoice_id: made, product_id: product, uom_id: piece });
  return [
    { first: (on) => on.model('product.product').write([product], { uom_id: hour }), second: bill, refused: null },
  ];
};

const invoicedOrder: Rule = async (env) => {
  const partner_id = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  const order = async () => {
    const id = await env.model('sale.order').create({ partner_id, line_ids: [['create', invoiceLine]] });
    await env.model('sale.order').call([id], 'confirm');
    const bill =
      (answers: Record<string, unknown>): Change =>
      (on) =>
        on.model('sale.order').call([id], 'create_invoices', answers);
    const cancel: Change = (on) => on.model('sale.order').call([id], 'cancel');
    return { cancel, all: bill({ method: 'ordered' }), most: bill({ method: 'percent', share: 60 }) };
  };
  const [late, early, down, paid] = [await order(), await order(), await order(), await order()];
  return [
    { first: late.cancel, second: late.all, refused: 'The order is cancelled.' },
    { first: early.all, second: early.cancel, refused: 'The order was invoiced.' },
    { first: down.most, second: down.most, refused: 'would exceed the order' },
    { first: paid.cancel, second: paid.most, refused: 'The order was invoiced.' },
  ];
};

/** Two who pay the same invoice, spend the same payment, or undo what is spent. */
const settledOnce: Rule = async (env) => {
  const open = async () => {
    const id = await invoice(env);
    await post(id)(env);
    return id;
  };
  const paid = (partner_id: unknown, amount: number) => env.model('invoice.payment').create({ partner_id, amount });
  const [one_, two, three] = [await open(), await open(), await open()];
  const partner_id = await one(env, 'invoice.invoice', one_, 'partner_id');
  const [a, b, spent, undone] = [
    await paid(partner_id, 10),
    await paid(partner_id, 10),
    await paid(partner_id, 10),
    await paid(partner_id, 10),
  ];
  const settle =
    (invoice_id: number, payment_id: number): Change =>
    (on) =>
      on.model('invoice.allocation').create({ invoice_id, payment_id, amount: 10 });
  const undo: Change = (on) => on.model('invoice.payment').call([undone], 'undo');
  return [
    { first: settle(one_, a), second: settle(one_, b), refused: 'more than is due' },
    { first: settle(two, spent), second: settle(three, spent), refused: 'more than is left over' },
    { first: undo, second: settle(three, undone), refused: 'settle posted invoices' },
  ];
};

/** The day a number of months ago. */
const monthsAgo = (env: Env, count: number) => addMonths(dateIn(env.actor.tz, env.now), -count);

const closedPeriod: Rule = async (env) => {
  const bill = async (on: Env) => post(await invoice(on, { invoice_date: monthsAgo(env, 1) }))(on);
  await bill(env);
  const ended = await env.model('accounting.period').search([['date_to', '<', monthsAgo(env, 0)]]);
  return [
    { first: (on) => on.model('accounting.period').call(ended, 'close'), second: bill, refused: 'period is closed' },
  ];
};

/** Who posts while a tax is being ended comes first: an end in the past changes nothing that is posted. */
const validTaxes: Rule = async (env) => {
  const tax = await env.model('sale.tax').create({ name: 'VAT 19 %', percent: 19 });
  const made = await invoice(env, { line_ids: [['create', { ...invoiceLine, tax_ids: [['link', tax]] }]] });
  const end: Change = (on) => on.model('sale.tax').write([tax], { date_end: monthsAgo(env, 1) });
  return [{ first: end, second: post(made), refused: null }];
};

const planThatGoesOn: Rule = async (env) => {
  const template_id = await invoice(env);
  const values = { name: 'Maintenance', template_id, date_start: monthsAgo(env, 1) };
  const plan = await env.model('recurring.plan').create(values);
  const back: Change = (on) => on.model('recurring.plan').write([plan], { date_start: monthsAgo(env, 9) });
  return [
    {
      first: (on) => on.model('recurring.plan').call([plan], 'make'),
      second: back,
      refused: 'Invoices were made for later days already',
    },
  ];
};

const invoicedTime: Rule = async (env) => {
  const partner_id = await env.model('core.partner').create({ name: 'Customer' });
  const meetings: Meeting[] = [];
  for (const isInvoicedFirst of [true, false]) {
    const project_id = await env.model('project.project').create({ name: 'Fit-out', partner_id, billing: 'time' });
    await env.model('project.rate').create({ project_id, hourly: '80' });
    const entry = await env.model('project.time').create({ project_id, hours: 1 });
    const answers = { until: '2099-12-31', group_by: 'task' };
    const bill: Change = (on) => on.model('project.project').call([project_id], 'invoice_time', answers);
    const change: Change = (on) => on.model('project.time').write([entry], { hours: 2 });
    const [first, second] = isInvoicedFirst ? [bill, change] : [change, bill];
    meetings.push({ first, second, refused: 'This time is on an invoice' });
  }
  return meetings;
};

const allowedCompany: Rule = async (env) => {
  const home = await one(env, 'core.user', 1, 'company_id');
  const currency = await one(env, 'core.company', home as number, 'currency_id');
  const away = await env.model('core.company').create({ name: 'Away', currency_id: currency });
  const person = (login: string) =>
    env.model('core.user').create({ name: login, login, company_id: home, company_ids: [['set', [home, away]]] });
  const meeting = async (isTakenFirst: boolean): Promise<Meeting> => {
    const id = await person(isTakenFirst ? 'ada' : 'bob');
    const take: Change = (on) => on.model('core.user').write([id], { company_ids: [['unlink', away]] });
    const go: Change = (on) => on.model('core.user').write([id], { company_id: away });
    // Who is sent to a company is allowed there; it is not taken from who is there.
    const holds = async (on: Env) => {
      const [user] = await on.model('core.user').read([id], ['company_id', 'company_ids']);
      expect(user?.company_ids).toContain(user?.company_id);
    };
    return isTakenFirst
      ? { first: take, second: go, refused: null, holds }
      : { first: go, second: take, refused: 'The company must be one of the allowed companies.', holds };
  };
  return [await meeting(true), await meeting(false)];
};

const rules: Readonly<Record<string, Rule>> = {
  'accounting.entry.period_open': closedPeriod,
  'core.user.company_is_allowed': allowedCompany,
  'invoice.allocation.fits': settledOnce,
  'invoice.allocation.within_invoice': settledOnce,
  'invoice.allocation.within_source': settledOnce,
  'invoice.invoice.has_lines': invoiceWithLines,
  'invoice.invoice.not_negative': invoiceWithLines,
  'invoice.invoice.corrects_invoice': creditOfPosted,
  'invoice.invoice.taxes_valid': validTaxes,
  'invoice.invoice.within_invoice': creditWithinInvoice,
  'invoice.line.unit_of_the_product': unitOfTheInvoicedProduct,
  'project.task.project_is_open': openProject,
  'project.task.project_of_its_parent': projectOfTheParent,
  'project.task.waits_for_nothing': finishedTask,
  'project.task.has_no_open_subtasks': finishedTask,
  'project.time.as_invoiced': invoicedTime,
  'project.time.invoiced_stays': invoicedTime,
  'project.time.project_is_open': openProject,
  'project.time.project_of_its_task': projectOfTheTask,
  'project.project.has_no_open_tasks': openProject,
  'recurring.plan.starts_once': planThatGoesOn,
  'sale.order.down_payments_fit': invoicedOrder,
  'sale.order.has_lines': orderWithLines,
  'sale.order.no_invoices_left': invoicedOrder,
  'sale.order.rate_of_list': rateOfTheList,
  'sale.order.line.order_holds': invoicedOrder,
  'sale.order.line.unit_of_the_product': unitOfTheProduct,
};

it.each([...new Set(Object.values(rules))].map((rule) => [rule.name, rule] as const))(
  'FLT-3 %s holds, whichever of two writers comes first',
  async (_, rule) => {
    for (const { first, second, refused, holds } of await world.work((env) => rule(env))) {
      let later: Promise<unknown> | undefined;
      await world.work(async (env) => {
        await first(env);
        later = world
          .work((on) => second(on))
          .then(
            () => null,
            (error: Error) => error.message,
          );
        await waitsOrEnds(later);
      });
      expect(await later).toEqual(refused === null ? null : expect.stringContaining(refused));
      if (holds) await world.work(holds);
    }
  },
);

it('FLT-3 every constraint and condition of the shipped addons that reads other records is among them', () => {
  const { registry } = world.kernel;
  const found = [...registry.models.values()].flatMap((model) => {
    const conditions = [...(model.states?.conditions ?? [])].map(([name, { reads }]) => ({ name, reads }));
    const readers = [...model.constraints, ...conditions].filter(({ reads = [] }) => reads.some(isOfOthers));
    return readers.map(({ name }) => `${model.name}.${name}`);
    function isOfOthers(path: string): boolean {
      const compute = model.fields.get(path)?.compute;
      return path.includes('.') || (compute !== null && compute !== undefined);
    }
  });
  expect(found.sort()).toEqual(Object.keys(rules).sort());
});
