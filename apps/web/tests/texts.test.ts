import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ apps: ['sale'] });
});
afterAll(() => app.close());

it('TXT-7 an administrator reads the shipped text, changes it, is told of a wrong placeholder, and sees a preview', async () => {
  const [found] = await app.rpc<{ id: number }[]>('sys.text', 'search_read', [
    [['key', '=', 'sale.quotation_mail']],
    ['id'],
  ]);
  const desk = await app.open({ path: `/web?action=base.texts&view_type=form&id=${found?.id}` });
  expect(await desk.text('main')).toContain('{number}');
  await desk.click(desk.find('button', 'Change this text'));
  const subject = desk.page.getByLabel('Subject', { exact: true });
  expect(await subject.inputValue()).toContain('{number}');
  await subject.fill('Offer {numbr}');
  await desk.press('Control+s');
  await desk.page.getByText('There is no placeholder {numbr}.').first().waitFor();
  await subject.fill('Offer {number}');
  await desk.page.getByText('Offer S00042').waitFor();
  await desk.press('Control+s');
  await desk.idle();
  const edits = await app.rpc('sys.text.edit', 'search_read', [[], ['subject', 'text_id.key']]);
  expect(edits).toMatchObject([{ subject: 'Offer {number}', 'text_id.key': 'sale.quotation_mail' }]);
  await desk.checkAccessible();
  desk.forgive(/422/);
  expect(desk.problems).toEqual([]);
  await desk.close();
});
