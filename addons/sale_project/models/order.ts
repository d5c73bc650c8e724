import '@addons/sale';
import {
  type ActionCall,
  type CallsOf,
  type Decimal,
  dateIn,
  type FieldsOf,
  fields,
  inheritModel,
  type Loaded,
  open,
  text,
  UserError,
} from '@kontor/addon';

const orderFields = {
  project_ids: fields.one2many('project.project', 'sale_order_id', { label: 'Projects' }),
  project_count: fields.integer({ label: 'Projects', computed: true }),
};

declare module '@addons/sale' {
  interface SaleOrder extends FieldsOf<typeof orderFields> {}
  interface SaleOrderCalls extends CallsOf<typeof orderProjects> {}
}

export const orderProjects = inheritModel('sale.order', {
  fields: orderFields,
  computes: { project_count: { count: 'project_ids' } },
  actions: {
    /** Creates a project for a confirmed order, led by the caller, with a task for each line that is not goods. */
    create_project: {
      groups: ['project.group_user'],
      needs: 'read',
      single: 'Choose one order.',
      run: createProject,
    },
    view_projects: { groups: ['project.group_user'], needs: 'read', run: openProjects },
  },
});

type Call = ActionCall<'sale.order'>;

const linePaths = [
  'sequence',
  'line_type',
  'name',
  'quantity',
  'product_id.type',
  'uom_id.factor',
  'uom_id.category_id.id',
  'uom_id.id',
] as const;
type Line = Loaded<'sale.order.line', (typeof linePaths)[number]>;

/** With the rights of the caller: they lead the project, and may create it because they work with projects. */
async function createProject({ env, records }: Call) {
  const order = await records.only(
    'name',
    'state',
    'partner_id.id',
    'partner_id.name',
    'company_id.id',
    'company_id.project_day_hours',
    ...linePaths.map((path) => `line_ids.${path}` as const),
  );
  if (order.state !== 'sale') throw new UserError('Confirm the order first.');
  // As the server: an order has one project, even if the caller may not see it.
  const known = await env
    .sudo()
    .model('project.project')
    .search([['sale_order_id', '=', order.id]], { limit: 1 });
  if (known.length > 0) throw new UserError(text('{name} already has a project.', { name: order.name }));
  const time = {
    category: await env.ref('product.uom_category_time'),
    day: await env.ref('product.uom_day'),
    dayHours: order.company_id.project_day_hours,
  };
  const id = await env.model('project.project').create({
    name: `${order.name} ${order.partner_id.name}`,
    sale_order_id: order.id,
    partner_id: order.partner_id.id,
    company_id: order.company_id.id,
    date_start: dateIn(env.actor.tz, env.now),
  });
  // Goods are delivered, not worked on, and an option that was not chosen was not ordered.
  const worked = order.line_ids.filter(
    ({ line_type: kind, product_id: product }) => kind !== 'option' && product?.type !== 'goods',
  );
  await env.model('project.task').createMany(worked.map((line) => taskOf(line, id, time)));
  return formOf(id);
}

interface Time {
  readonly category: number;
  readonly day: number;
  readonly dayHours: Decimal;
}

/** Time-based lines become planned hours: two days are sixteen hours, or the company's hours of a working day. */
function taskOf({ name, sequence, quantity, uom_id: unit }: Line, projectId: number, time: Time) {
  const [title = name] = name.split('\n', 1);
  const factor = unit?.id === time.day ? time.dayHours : unit?.factor;
  const isTime = unit?.category_id.id === time.category;
  const hours = isTime && factor ? { hours_planned: quantity.times(factor).round(2) } : {};
  return { project_id: projectId, name: title.slice(0, 200), sequence, ...hours };
}

async function openProjects({ env, records }: Call) {
  const found = await env.model('project.project').search([['sale_order_id', 'in', records.ids]]);
  const [only] = found;
  if (only !== undefined && found.length === 1) return formOf(only);
  return open('project.project', {
    action: 'project.projects',
    view: 'list',
    domain: [['sale_order_id', 'in', records.ids]],
  });
}

function formOf(id: number) {
  return open('project.project', { view: 'form', id });
}
