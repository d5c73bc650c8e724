import { badFile, caller, leadName } from './world.mjs';

/** A name from the palette: the typed text, and Enter for the first result. */
async function choose(hand, typed, answer) {
  await hand.press('Control+k');
  await hand.type(typed);
  await hand.see(hand.page.getByRole('dialog').getByRole('option', { name: answer }));
  await hand.press('Enter');
}

/** The text typed into a relation, and the first result. */
async function pick(hand, typed) {
  await hand.type(typed);
  await hand.see(hand.page.getByRole('option').first());
  await hand.press('Enter');
}

/** Ten whole jobs as the client of this version offers them, each from home. */
export const jobs = {
  async call(hand) {
    await choose(hand, caller.typed, new RegExp(caller.name));
    await hand.click(hand.page.getByLabel('Comment'));
    await hand.type('Wants a call back');
    await hand.press('Control+Enter');
    await hand.see(hand.page.locator('.chatter-bubble', { hasText: 'Wants a call back' }));
  },
  async company(hand) {
    await choose(hand, 'new contact', /New contact/);
    await hand.type('Harbour & Sons');
    await hand.click(hand.page.getByLabel('Is a company'));
    await hand.click(hand.page.getByLabel('E-mail', { exact: true }));
    await hand.type('office@harbour.example');
    await hand.click(hand.button(/Add a line/));
    await hand.type('Liv Berg');
    await hand.press('Control+s');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async quotation(hand) {
    await choose(hand, 'new quot', /New quotation/);
    await pick(hand, 'Cedar');
    for (const product of ['Alma', 'Fjell', 'Skap']) {
      await hand.click(hand.button(/Add a line|Product/));
      await pick(hand, product);
      await hand.press('Tab', 'Tab');
      await hand.type('2');
    }
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async send(hand, { offer }) {
    await choose(hand, offer, new RegExp(offer));
    await hand.click(hand.page.getByRole('button', { name: 'Send', exact: true }));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
    await hand.click(hand.page.getByRole('button', { name: 'Confirm', exact: true }));
    await hand.see(hand.page.locator('.form-subtitle', { hasText: 'Sales order' }));
  },
  async due(hand) {
    const first = hand.page.locator('.day-row', { has: hand.page.getByRole('button') }).first();
    const key = await first.getAttribute('data-key');
    await hand.click(first.getByRole('button'));
    await hand.page.locator(`[data-key="${key}"]`).waitFor({ state: 'detached' });
  },
  async task(hand) {
    await choose(hand, 'new task', /New task/);
    await hand.type('Hang the signs');
    await hand.click(hand.page.getByPlaceholder('Project', { exact: true }));
    await pick(hand, 'lobby');
    await hand.click(hand.page.getByRole('tab', { name: 'Checklist' }));
    for (const item of ['Drill', 'Screws', 'Level']) {
      await hand.click(hand.button(/Add a line/));
      await hand.type(item);
    }
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async lead(hand) {
    await choose(hand, leadName, new RegExp(leadName));
    await hand.click(hand.button('Convert to opportunity'));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Convert to opportunity' }));
    await hand.click(hand.page.getByRole('tab', { name: /^Activities/ }));
    await hand.click(hand.button('Plan an activity'));
    await hand.type('Call about the roof');
    await hand.press('Enter');
    await hand.see(hand.page.locator('.chatter', { hasText: 'Call about the roof' }));
  },
  async meeting(hand) {
    await choose(hand, 'new meet', /New meeting/);
    await hand.type('Colours');
    await hand.click(hand.page.getByLabel('Guests', { exact: true }));
    await pick(hand, 'Ben');
    await pick(hand, 'Maya');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async turnover(hand) {
    await choose(hand, 'turnover', /Turnover/);
    await hand.click(hand.button('Filter'));
    await hand.click(hand.page.getByRole('dialog', { name: 'Filters' }).getByText('Customer', { exact: true }));
    await hand.press('Escape');
    await hand.click(hand.button('More'));
    const file = hand.page.waitForEvent('download');
    await hand.click(hand.page.getByRole('menuitem', { name: 'Figures as Excel' }));
    await file;
  },
  async importing(hand) {
    await choose(hand, 'contacts', /^Contacts/);
    await hand.click(hand.page.getByRole('link', { name: 'List' }));
    await hand.click(hand.button('More'));
    await hand.click(hand.page.getByRole('menuitem', { name: 'Import …' }));
    await hand.chooseFile(hand.page.getByLabel('File to import'), badFile);
    await hand.click(hand.button('Check'));
    await hand.see('.import-verdict');
    await hand.click(hand.page.getByLabel('Skip invalid rows'));
    await hand.click(hand.button(/^Import \d/));
    await hand.see('.import-counts');
  },
};
