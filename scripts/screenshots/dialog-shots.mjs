const pipeline = '/web?action=crm.pipeline';

const customers = [
  'Name;E-mail;Country;City;Phone;Since',
  'Nordwind GmbH;post@nordwind.example;Germany;Hamburg;+49 40 1234;2019',
  'Ada Lovelace;ada@lovelace.example;Atlantis;London;;2021',
  'Zeta SARL;bonjour@zeta.example;France;Lyon;+33 4 1234;2023',
  ';info@nobody.example;Italy;Turin;;2024',
].join('\n');

async function openImport(page) {
  await page.page.locator('.bar').getByRole('button', { name: 'More', exact: true }).click();
  await page.click(page.page.getByRole('menuitem', { name: 'Import …' }));
}

/** What opens over a screen. */
export const dialogShots = [
  {
    name: 'import-file',
    async show(page) {
      await page.go('/web?action=contacts.partners&view_type=list');
      await openImport(page);
    },
  },
  {
    name: 'import',
    async show(page) {
      await page.go('/web?action=contacts.partners&view_type=list');
      await openImport(page);
      const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(customers) };
      await page.page.getByLabel('File to import').setInputFiles(file);
      await page.page.locator('.import-map').waitFor();
      await page.settle();
      await page.click(page.button('Check'));
    },
  },
  {
    name: 'beside',
    async show(page, { world }) {
      const domain = [['sale_order_count', '>', 4]];
      const [customer] = await world.rpc('core.partner', 'search_read', [domain, ['id']], { limit: 1 });
      await page.go(`/web?action=contacts.partners&view_type=form&id=${customer.id}`);
      await page.click(page.button(/^Orders/));
    },
  },
  {
    name: 'launcher',
    async show(page) {
      await page.go(`${pipeline}&view_type=kanban`);
      await page.click(page.button(/^Apps$/));
    },
  },
  {
    name: 'palette',
    async show(page) {
      await page.go(`${pipeline}&view_type=list`);
      await page.press('Control+k');
      await page.page.keyboard.type('pro');
      await page.settle();
    },
  },
  {
    name: 'keys',
    async show(page) {
      await page.go(`${pipeline}&view_type=list`);
      await page.page.keyboard.type('?');
      await page.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    },
  },
  {
    name: 'filter',
    async show(page) {
      await page.go(`${pipeline}&view_type=list`);
      await page.click(page.button(/^Filter/));
    },
  },
  {
    name: 'conditions',
    async show(page) {
      await page.go(`${pipeline}&view_type=list`);
      await page.click(page.button(/^Filter/));
      await page.click(page.button(/Custom conditions/));
      const dialog = page.page.getByRole('dialog', { name: 'Conditions' });
      await dialog.getByLabel('Field').selectOption('expected_revenue');
      await dialog.getByLabel('Comparison').selectOption('more');
      await dialog.getByLabel('Value of Expected revenue').fill('1000');
      await page.click(dialog.getByRole('button', { name: 'Add a group' }));
      await dialog.getByLabel('Field').nth(1).selectOption('name');
      await dialog.getByLabel('Value of Subject').fill('desk');
    },
  },
  {
    name: 'uninstall',
    async show(page) {
      const answer = await page.page.request.get('/web/apps', { headers: { accept: 'application/json' } });
      const { modules } = (await answer.json()).result;
      const { label } = modules.find(
        (one) => one.state === 'installed' && !one.required && one.dependents.length === 0,
      );
      await page.go('/web/apps');
      await page.page.getByLabel('Show components').check();
      await page.click(page.button(`More for ${label}`));
      await page.click(page.page.getByRole('menuitem', { name: /Uninstall/ }));
      await page.page.getByRole('dialog').getByText('records').first().waitFor();
    },
  },
  {
    name: 'conflict',
    async show(page, { world }) {
      const values = { name: 'Marek Novák', city: 'Brno', zip: '602 00', phone: '+420 601 234 567' };
      const id = await world.rpc('core.partner', 'create', [values]);
      await page.go(`/web?action=contacts.partners&view_type=form&id=${id}`);
      await page.page.getByLabel('City').fill('Ostrava');
      await page.page.route('**/bus', (route) => route.abort());
      await world.rpc('core.partner', 'write', [[id], { city: 'Praha' }]);
      await page.press('Control+s');
      await page.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'notifications',
    async show(page) {
      await page.go('/web/home');
      await page.click(page.button(/notification/i));
    },
  },
  {
    name: 'new-api-key',
    async show(page) {
      await page.go('/web?action=base.apikeys&view_type=list');
      await page.click(page.button('New API key'));
    },
  },
  {
    name: 'sign-in-again',
    async show(page) {
      await page.go('/web?action=crm.pipeline&view_type=list');
      await page.page.context().clearCookies();
      await page.page.evaluate(() => history.pushState(null, '', '/web?action=sale.orders&view_type=list'));
      await page.page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      await page.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      page.settle = async () => {};
    },
  },
];
