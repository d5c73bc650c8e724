import { badFile, caller, dueName, leadName } from './world.mjs';

/** Opens an app from home. */
const app = (hand, name) => hand.click(hand.page.getByRole('link', { name: new RegExp(`^${name}`) }));

async function pick(hand, typed) {
  await hand.type(typed);
  await hand.see(hand.page.getByRole('option').first());
  await hand.press('Enter');
}

/** The same jobs in the earlier client. Missing steps were not possible. */
export const jobs = {
  async call(hand) {
    await app(hand, 'Contacts');
    await hand.click(hand.page.getByRole('searchbox').or(hand.page.locator('.searchbar input')));
    await hand.type(caller.typed);
    await hand.press('Escape');
    await hand.click(hand.page.locator('.kanban-title, .list-link', { hasText: caller.name }));
    await hand.click(hand.page.getByLabel('Comment'));
    await hand.type('Wants a call back');
    await hand.press('Control+Enter');
    await hand.see(hand.page.locator('.chatter-message', { hasText: 'Wants a call back' }));
  },
  async company(hand) {
    await app(hand, 'Contacts');
    await hand.click(hand.button(/^New/));
    await hand.type('Harbour & Sons');
    await hand.click(hand.page.getByLabel('Is a company'));
    await hand.click(hand.page.getByLabel('E-mail', { exact: true }));
    await hand.type('office@harbour.example');
    await hand.click(hand.button(/Add a line/));
    await hand.click(hand.page.getByRole('dialog').getByLabel('Name'));
    await hand.type('Liv Berg');
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Done' }));
    await hand.press('Control+s');
    await hand.page.waitForURL(/[?&]id=\d+/);
  },
  async quotation(hand) {
    await app(hand, 'Sales');
    await hand.click(hand.button(/^New/));
    await hand.click(hand.page.getByLabel('Customer', { exact: true }));
    await pick(hand, 'Cedar');
    for (const product of ['Alma', 'Fjell', 'Skap']) {
      await hand.click(hand.button(/Add a line/));
      await pick(hand, product);
      await hand.press('Tab', 'Tab');
      await hand.type('2');
    }
    await hand.press('Control+s');
    await hand.page.waitForURL(/[?&]id=\d+/);
  },
  async send(hand, { offer }) {
    await hand.press('Control+k');
    await hand.type(offer);
    await hand.see(hand.page.getByRole('dialog').getByRole('option', { name: new RegExp(offer) }));
    await hand.press('Enter');
    await hand.click(hand.page.getByRole('button', { name: 'Send', exact: true }));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
    await hand.click(hand.page.getByRole('button', { name: 'Confirm', exact: true }));
    await hand.see(hand.page.locator('.form-subtitle', { hasText: 'Sales order' }));
  },
  async due(hand) {
    await hand.click(hand.button(/activit.* due/));
    const row = hand.page.getByRole('listitem').filter({ hasText: dueName });
    await hand.click(row.first().getByRole('button').last());
  },
  async lead(hand) {
    await hand.press('Control+k');
    await hand.type(leadName);
    await hand.see(hand.page.getByRole('dialog').getByRole('option', { name: new RegExp(leadName) }));
    await hand.press('Enter');
    await hand.click(hand.button('Convert to opportunity'));
    await hand.click(hand.page.getByRole('tab', { name: /^Activities/ }));
    await hand.click(hand.button('Plan an activity'));
    await hand.type('Call about the roof');
    await hand.press('Enter');
    await hand.see(hand.page.locator('.chatter', { hasText: 'Call about the roof' }));
  },
  async importing(hand) {
    await app(hand, 'Contacts');
    await hand.click(hand.page.getByRole('link', { name: 'List' }));
    await hand.click(hand.button('More'));
    await hand.click(hand.page.getByRole('menuitem', { name: 'Import …' }));
    await hand.chooseFile('input[type=file]', badFile);
    await hand.click(hand.button('Check'));
    await hand.see(hand.page.getByText(/cannot be imported/));
    await hand.click(hand.page.getByLabel('Skip invalid rows'));
    await hand.click(hand.button(/^Import \d/));
    await hand.see('.import-counts');
  },
};
