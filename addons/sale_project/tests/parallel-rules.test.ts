import { createDatabase, type PooledDatabase, sql } from '@kontor/database';
import { type Env, findRecord } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Change,
  closedPeriod,
  creditOfPosted,
  creditWithinInvoice,
  customerOfTheInvoice,
  invoicedOrder,
  invoicedTime,
  invoiceWithLines,
  type Meeting,
  noTaxWhereNoneIsCharged,
  one,
  planThatGoesOn,
  type Rule,
  settledOnce,
  unitOfTheInvoicedProduct,
  validTaxes,
} from './invoice-rules.ts';

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

async function project(env: Env): Promise<number> {
  const id = await env.model('project.project').create({ name: 'Boathouse' });
  await env.model('project.project').call([id], 'start');
  return id;
}
const task = (env: Env, values: object) => env.model('project.task').create({ name: 'Task', ...values });
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
  'invoice.invoice.taxes_agree': noTaxWhereNoneIsCharged,
  'invoice.invoice.taxes_valid': validTaxes,
  'invoice.invoice.within_invoice': creditWithinInvoice,
  'invoice.line.order_of_customer': customerOfTheInvoice,
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
  'sale.order.invoiced_to_customer': customerOfTheInvoice,
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
