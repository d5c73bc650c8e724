const pipeline = '/web?action=crm.pipeline';

/** Lists, boards and forms. */
export const recordShots = [
  { name: 'list', show: (page) => page.go('/web?action=sale.orders&view_type=list') },
  {
    name: 'list-grouped',
    async show(page) {
      await page.go(`${pipeline}&view_type=list&group_by=stage_id,user_id`);
      await page.click(page.page.locator('main [aria-expanded="false"]').filter({ hasText: 'Negotiation' }));
    },
  },
  {
    name: 'list-selected',
    async show(page, { look }) {
      await page.go('/web?action=contacts.partners&view_type=list');
      if (look.width < 640) return;
      const boxes = page.page.getByRole('row').getByRole('checkbox');
      for (const at of [2, 3, 5]) await page.click(boxes.nth(at));
    },
  },
  { name: 'list-products', show: (page) => page.go('/web?action=product.products&view_type=list') },
  { name: 'kanban', show: (page) => page.go(`${pipeline}&view_type=kanban`) },
  { name: 'kanban-tasks', show: (page) => page.go('/web?action=project.tasks&view_type=kanban') },
  { name: 'kanban-contacts', show: (page) => page.go('/web?action=contacts.partners&view_type=kanban') },
  {
    name: 'form',
    show: (page, { world }) => openFirst(page, world, 'crm.lead', 'crm.pipeline', [['type', '=', 'opportunity']]),
  },
  {
    name: 'form-grid',
    show: (page, { world }) => openFirst(page, world, 'sale.order', 'sale.orders', [['state', '=', 'sale']]),
  },
  {
    name: 'form-task',
    show: (page, { world }) => openFirst(page, world, 'project.task', 'project.tasks', [['hours_spent', '>', 20]]),
  },
  { name: 'form-new', show: (page) => page.go('/web?action=sale.quotations&view_type=form') },
  {
    name: 'form-required',
    async show(page) {
      await page.go('/web?action=sale.quotations&view_type=form');
      await page.press('Control+s');
    },
  },
  {
    name: 'chatter',
    async show(page, { world, look }) {
      const id = await firstOf(world, 'sale.order', [['state', '=', 'draft']]);
      if (look.name === 'light') {
        await world.say('sale.order', id, 'Called them: the **oak** samples arrived, they decide on Friday.');
        await world.rpc('sale.order', 'write', [[id], { client_reference: 'PO 77120' }]);
        await world.say(
          'sale.order',
          id,
          'Lift is out of order until the 10th. Delivery goes to the yard:\n\n- gate B\n- ring twice',
        );
      }
      await page.go(`/web?action=sale.quotations&view_type=form&id=${id}`);
      await page.page.getByText('ring twice').first().scrollIntoViewIfNeeded();
    },
  },
  { name: 'activities', show: (page) => page.go('/web?action=mail.activities&view_type=list') },
];

/** The form of the first record that matches. */
export async function openFirst(page, world, model, action, domain) {
  await page.go(`/web?action=${action}&view_type=form&id=${await firstOf(world, model, domain)}`);
}

async function firstOf(world, model, domain) {
  const [{ id }] = await world.rpc(model, 'search_read', [domain, ['id']], { limit: 1 });
  return id;
}
