import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('an automation', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['automations', 'crm'] });
  });
  afterAll(() => app.close());

  const field = (label: string) => desk.page.getByLabel(label, { exact: true });
  const button = (name: string) => desk.page.getByRole('button', { name, exact: true });
  const part = (name: string) => desk.page.getByRole('region', { name, exact: true });
  const step = async (entry: string) => {
    await desk.click(button('Add a step'));
    await desk.click(desk.find('menuitem', entry));
  };
  /** The log follows when it is asked; what was noticed runs a moment later. */
  const logged = (text: string) =>
    expect
      .poll(
        async () => {
          await desk.click(part('Log').getByRole('button', { name: 'Refresh' }));
          return (await desk.text(part('Log'))).includes(text);
        },
        { timeout: 120_000, interval: 50 },
      )
      .toBe(true);

  it('AUT-23 is made in the browser: when, if, then; tried without effect; switched on; its log says what it did', async () => {
    const [urgent, other] = await app.rpc<number[]>('crm.lead', 'create_many', [
      [
        { name: 'Roof of the school', priority: '3' },
        { name: 'Fence', priority: '0' },
      ],
    ]);
    desk = await app.open({ path: '/web?model=automation.rule&view_type=form' });
    await field('Name').fill('Note urgent leads that move');
    await field('Records').selectOption('Lead');
    await field('When it runs').selectOption('is changed');
    await field('Field').selectOption('City');
    await desk.click(button('Add a condition'));
    const condition = part('Conditions');
    await condition.getByLabel('Field', { exact: true }).selectOption('Priority');
    await condition.getByRole('checkbox').last().check();
    await step('Set fields');
    await field('Add a field').selectOption('Job position');
    await field('Value of Job position').fill('Decides');
    await step('Post a note');
    await field('Internal note').fill('Moved to {city}');
    await step('Call a webhook');
    await desk.click(button('Remove step 3'));
    await desk.checkAccessible();
    await desk.press('Control+s');
    await button('Try it').waitFor();
    await desk.click(button('Try it'));
    await part('Dry run').getByText('Roof of the school').waitFor();
    expect(await desk.text(part('Dry run'))).toContain('Job position → Decides');
    expect((await app.rpc<{ function: string }[]>('crm.lead', 'read', [[urgent], ['job_position']]))[0]).toMatchObject({
      job_position: null,
    });
    await desk.click(button('Switch on'));
    await desk.idle();
    for (const id of [urgent, other]) await app.rpc('crm.lead', 'write', [[id], { city: 'Kiel' }]);
    await logged('Set fields, Post a note');
    expect(await desk.text(part('Log'))).toContain('Roof of the school');
    expect(await desk.text(part('Log'))).not.toContain('Fence');
    await desk.checkAccessible();
    const rows = await app.rpc<object[]>('crm.lead', 'read', [[urgent, other], ['job_position']]);
    expect(rows).toMatchObject([{ job_position: 'Decides' }, { job_position: null }]);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  long('AUT-23 on a phone it is changed and switched off, and a mistake is told at its step', async () => {
    const [rule] = await app.rpc<{ id: number }[]>('automation.rule', 'search_read', [[], ['id']]);
    desk = await app.open({ path: `/web?model=automation.rule&view_type=form&id=${rule?.id}`, size: 'phone' });
    await part('Log').waitFor();
    await desk.checkAccessible();
    await step('Send an e-mail');
    await field('Recipient').selectOption('an address');
    await desk.press('Control+s');
    await desk.page.getByText('Step 3').first().waitFor();
    await field('Address').fill('office@example.com');
    await field('Subject').fill('{name} moved');
    await field('Text').fill('To {city}');
    await desk.press('Control+s');
    const last = async () => {
      const [saved] = await app.rpc<{ steps: object[] }[]>('automation.rule', 'read', [[rule?.id], ['steps']]);
      return saved?.steps[2];
    };
    const mail = { do: 'mail', to: 'office@example.com', subject: '{name} moved', body: 'To {city}' };
    await expect.poll(last, { timeout: 120_000, interval: 50 }).toEqual(mail);
    await desk.checkAccessible();
    await desk.click(button('Switch off'));
    await button('Switch on').waitFor();
    desk.forgive(/422/);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });
});
