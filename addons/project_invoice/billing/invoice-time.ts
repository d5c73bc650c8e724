import { openInvoices } from '@addons/invoice';
import {
  type ActionCall,
  type Decimal,
  dateIn,
  type Env,
  fields,
  formatDate,
  groupBy,
  type Loaded,
  sum,
  text,
  UserError,
  wordsIn,
} from '@kontor/addon';

const asks = {
  until: fields.date({ label: 'Up to', required: true }),
  group_by: fields.selection(
    { task: 'By task', person: 'By person', day: 'By day' },
    { label: 'Lines', required: true },
  ),
};
type Call = ActionCall<'project.project', typeof asks>;
type Grouping = 'task' | 'person' | 'day';

/** So many entries at most are invoiced at once. */
const most = 5_000;

/** Drafts an invoice for each customer over the time of the projects that was not invoiced yet. */
export const invoiceTime = {
  label: 'Invoice time',
  icon: 'file-text',
  groups: ['invoice.group_user'],
  needs: 'read',
  asks,
  proposes: async ({ env }: { readonly env: Env }) => ({
    value: { until: dateIn(env.actor.tz, env.now), group_by: 'task' as const },
  }),
  run: createInvoices,
} as const;

const projectPaths = [
  'name',
  'billing',
  'partner_id.id',
  'partner_id.lang',
  'company_id.id',
  'billing_product_id.id',
] as const;
type Project = Loaded<'project.project', (typeof projectPaths)[number]>;
type Customer = NonNullable<Project['partner_id']>;

const entryPaths = ['date', 'hours', 'rate', 'name', 'user_id.name', 'task_id.name', 'project_id.id'] as const;
type Entry = Loaded<'project.time', (typeof entryPaths)[number]>;

async function createInvoices({ env, records, answers }: Call) {
  const projects = await records.load(...projectPaths);
  for (const { name, billing } of projects) {
    if (billing !== 'time') throw new UserError(text('{name} is not billed by time.', { name }));
  }
  const entries = await entriesOf(env, records.ids, answers.until as string);
  const made: number[] = [];
  for (const [customer, own] of byCustomer(projects)) {
    const theirs = entries.filter((entry) => own.some(({ id }) => id === entry.project_id.id));
    if (theirs.length > 0) {
      made.push(
        await createInvoice(env, { customer, projects: own, entries: theirs, by: answers.group_by as Grouping }),
      );
    }
  }
  if (made.length === 0) throw new UserError('There is no time to invoice.');
  return openInvoices(made);
}

async function entriesOf(env: Env, projects: readonly number[], until: string): Promise<readonly Entry[]> {
  const ids = await env.model('project.time').search(
    [
      ['project_id', 'in', [...projects]],
      ['billing_state', '=', 'open'],
      ['date', '<=', until],
    ],
    { order: 'project_id, date, id', limit: most + 1 },
  );
  if (ids.length > most) {
    throw new UserError(text('More than {count} entries: choose fewer projects, or an earlier day.', { count: most }));
  }
  const entries = await env.model('project.time').load(ids, [...entryPaths]);
  const unpriced = entries.find(({ rate }) => rate === null);
  if (unpriced) {
    const values = { person: unpriced.user_id.name, date: formatDate(unpriced.date, env.actor.lang) };
    throw new UserError(text('No hourly rate is known for {person} on {date}. Enter it under Hourly rates.', values));
  }
  return entries;
}

function byCustomer(projects: readonly Project[]): ReadonlyMap<Customer, readonly Project[]> {
  const billed = projects.filter(({ partner_id: customer }) => customer !== null);
  const groups = groupBy(billed, ({ partner_id: customer, company_id: company }) => `${company.id} ${customer?.id}`);
  return new Map([...groups.values()].map((own) => [own[0]?.partner_id as Customer, own]));
}

interface Order {
  readonly customer: Customer;
  readonly projects: readonly Project[];
  readonly entries: readonly Entry[];
  readonly by: Grouping;
}

async function createInvoice(env: Env, { customer, projects, entries, by }: Order): Promise<number> {
  const days = entries.map((entry) => entry.date).sort();
  const id = await env.model('invoice.invoice').create({
    partner_id: customer.id,
    company_id: (projects[0] as Project).company_id.id,
    delivery_date: days[0] ?? null,
    delivery_end: days.at(-1) ?? null,
  });
  const uom_id = await env.ref('product.uom_hour');
  const lang = customer.lang ?? 'en_US';
  const { say } = wordsIn(env, lang, 'project_invoice');
  const naming = { by, lang, noTask: say('Other work') };
  const rows = projects.flatMap((project) => {
    const own = entries.filter((entry) => entry.project_id.id === project.id);
    const heading = { line_type: 'section', name: project.name, product_id: null } as const;
    const lines = groupsOf(own, by).map((group) => ({
      line: {
        ...({ line_type: 'product', name: nameOf(group.own, naming), uom_id } as const),
        ...{
          product_id: project.billing_product_id?.id ?? null,
          price_unit: group.rate,
          quantity: sum(group.own, ({ hours }) => hours),
        },
      },
      own: group.own,
    }));
    return projects.length > 1 && lines.length > 0 ? [{ line: heading, own: [] }, ...lines] : lines;
  });
  const made = await env
    .model('invoice.line')
    .createMany(rows.map(({ line }, at) => ({ ...line, invoice_id: id, sequence: 10 * (at + 1) })));
  await hold(
    env,
    rows.map(({ own }, at) => ({ line: made[at] as number, own })),
  );
  return id;
}

interface Held {
  readonly line: number;
  readonly own: readonly Entry[];
}

/** As the server, which alone keeps what was invoiced; the database refuses an entry that is on another invoice. */
async function hold(env: Env, lines: readonly Held[]): Promise<void> {
  const rows = lines.flatMap(({ line, own }) =>
    own.map(({ id, hours, rate }) => ({ time_id: id, line_id: line, hours, rate: rate as Decimal })),
  );
  await env.sudo().model('project.time.billed').createMany(rows);
}

interface Group {
  readonly rate: Decimal;
  readonly own: Entry[];
}

/** Entries with different rates are on different lines. */
function groupsOf(entries: readonly Entry[], by: Grouping): readonly Group[] {
  const groups = groupBy(entries, (entry) => {
    const of = { task: entry.task_id?.id, person: entry.user_id.id, day: entry.date }[by];
    return `${of ?? ''} ${entry.rate}`;
  });
  return [...groups.values()].map((own) => ({ rate: own[0]?.rate as Decimal, own }));
}

interface Naming {
  readonly by: Grouping;
  readonly lang: string;
  readonly noTask: string;
}

/** What the customer reads: the task, the person or the day, and below it the days or what was done. */
function nameOf(entries: readonly Entry[], { by, lang, noTask }: Naming): string {
  const [first] = entries as readonly [Entry];
  const titles = [...new Set(entries.map(({ name, task_id: task }) => task?.name ?? name ?? noTask))];
  if (by === 'day') return `${formatDate(first.date, lang)}\n${titles.join(', ')}`.slice(0, 2_000);
  const days = entries.map(({ date }) => date).sort();
  const [from, until] = [days[0] as string, days.at(-1) as string];
  const range = from === until ? formatDate(from, lang) : `${formatDate(from, lang)} – ${formatDate(until, lang)}`;
  return `${by === 'task' ? (first.task_id?.name ?? noTask) : first.user_id.name}\n${range}`;
}
