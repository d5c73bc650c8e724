/** The picture at the top of each page of `docs/apps`, wide and light; that of the portal is of a customer's phone. */
export const appShots = [
  form('accounting', 'accounting.entry', 'accounting.entries', [['invoice_id', '!=', null]]),
  form('automations', 'automation.rule', 'automations.rules'),
  screen('bank', 'bank.matching'),
  screen('calendar', 'calendar.meetings'),
  form('calendar_crm', 'crm.lead', 'crm.pipeline', [['event_ids', '!=', null]]),
  form('calendar_project', 'project.task', 'project.tasks', [['event_ids', '!=', null]]),
  screen('contacts', 'contacts.partners', '&view_type=kanban'),
  screen('crm', 'crm.pipeline'),
  form('invoice', 'invoice.invoice', 'invoice.invoices', [['state', '=', 'posted']]),
  {
    name: 'mail',
    async show(page) {
      await page.go('/web?action=mail.inbox');
      await page.click(page.page.getByText('Unsorted', { exact: false }).last());
      await page.click(page.page.getByText('Twelve lamps for the lobby'));
    },
  },
  form('mailing', 'mailing.mailing', 'mailing.mailings'),
  screen('product', 'product.products'),
  screen('project', 'project.tasks'),
  form('project_invoice', 'project.project', 'project_invoice.budgets', [['billing', '=', 'time']]),
  form('recurring', 'recurring.plan', 'recurring.plans'),
  form('sale', 'sale.order', 'sale.quotations', [['state', '=', 'sent']]),
  form('sale_crm', 'crm.lead', 'crm.pipeline', [['order_ids', '!=', null]], 'Quotations and orders'),
  form('sale_project', 'project.project', 'project.projects', [['sale_order_id', '!=', null]]),
];

function screen(name, action, more = '') {
  return { name, show: (page) => page.go(`/web?action=${action}${more}`) };
}

function form(name, model, action, domain = [], tab = '') {
  return {
    name,
    async show(page, { world }) {
      const [found] = await world.rpc(model, 'search_read', [domain, ['id']], { limit: 1 });
      await page.go(`/web?action=${action}&view_type=form&id=${found.id}`);
      if (tab) await page.click(page.page.getByRole('tab', { name: tab }));
    },
  };
}
