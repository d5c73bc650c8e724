/** The caller, and the typed part of the phone number. */
export const caller = { name: 'Cedar', typed: '503 555 0177' };

export const leadName = 'Rain garden';

export const dueName = 'Send the samples';

/** Lines of a spreadsheet with its heads. */
export const pasted = 'Product\tQuantity\nAL-01\t2\nFJ-160\t4\nSK-40\t1';

/** A project whose tasks have no dates. */
export const planned = 'Rooftop terrace';

/** Three people; the second one's country is unknown. */
export const badFile = {
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'name,email,country\nKari Nes,kari@nes.example,NO\nOle Dal,ole@dal.example,Atlantis\nPer Li,per@li.example,SE\n',
  ),
};

/** Without demonstration data: a caller, three products, a tag, and an order that was confirmed. */
async function prepareEmpty(world) {
  const [customer] = await world.rpc('core.partner', 'create_many', [
    [{ name: 'Cedar & Pine Inc.', is_company: true, email: 'info@cedarpine.example', phone: '+1 503 555 0177' }],
  ]);
  await world.rpc('core.partner.tag', 'create', [{ name: 'Press' }]);
  const products = [
    ['Task chair "Alma"', 'AL-01'],
    ['Standing desk "Fjell"', 'FJ-160'],
    ['Roller cabinet "Skap"', 'SK-40'],
  ];
  const [unit] = await world.rpc('product.uom', 'search_read', [[], ['id']], { limit: 1 });
  await world.rpc('product.product', 'create_many', [
    products.map(([name, reference]) => ({ name, reference, uom_id: unit.id, list_price: 259 })),
  ]);
  const line_ids = [['create', { name: 'Shelf', quantity: 3, price_unit: 120 }]];
  const order = await world.rpc('sale.order', 'create', [{ partner_id: customer, line_ids }]);
  await world.rpc('sale.order', 'call', [order, 'action_confirm']);
}

/** The initial data of the jobs: a lead of the user, a quotation ready to be sent, something due today, a project to plan, a duplicate. */
export async function prepare(world, { isEmpty }) {
  if (isEmpty) await prepareEmpty(world);
  const [me] = await world.rpc('core.user', 'search_read', [[['login', '=', world.login]], ['id']]);
  const [customer] = await world.rpc('core.partner', 'search_read', [[['name', 'like', caller.name]], ['email']]);
  const lead = {
    name: leadName,
    type: 'lead',
    user_id: me.id,
    contact_name: 'Liv Berg',
    email_from: 'liv@berg.example',
  };
  await world.rpc('crm.lead', 'create', [lead]);
  const project = await world.rpc('project.project', 'create', [{ name: 'Lobby refit', user_id: me.id }]);
  const line_ids = [['create', { name: 'Desk', quantity: 2, price_unit: 400 }]];
  const offerId = await world.rpc('sale.order', 'create', [{ partner_id: customer.id, line_ids }]);
  const [offer] = await world.rpc('sale.order', 'read', [[offerId], ['name']]);
  const [type] = await world.rpc('mail.activity.type', 'search_read', [[], ['id']], { limit: 1 });
  const due_date = new Date().toISOString().slice(0, 10);
  const activity = {
    name: dueName,
    model: 'project.project',
    res_id: project,
    user_id: me.id,
    type_id: type.id,
    due_date,
  };
  await world.rpc('mail.activity', 'create', [activity]);
  const tasks = ['Measure', 'Order the wood', 'Build'].map((name) => ['create', { name }]);
  await world.rpc('project.project', 'create', [{ name: planned, user_id: me.id, task_ids: tasks }]);
  const twin = { name: 'Vera Holm', email: 'vera@holm.example' };
  const twins = await world.rpc('core.partner', 'create_many', [[twin, { ...twin, phone: '+46 8 100' }]]);
  const found = { partner_ids: [['set', twins]], keep_id: twins[0] };
  await world.rpc('core.partner.duplicate', 'create', [found]);
  return { offer: offer.name };
}
