import { choose, pick } from './hand.mjs';
import { rental } from './rental.mjs';
import { badFile, caller, leadName, pasted, planned } from './world.mjs';

/** The records of the bar at this part of the width of the chart. */
async function openFigure(hand, across) {
  await choose(hand, 'turnover', /Turnover/);
  const chart = hand.page.locator('.graph-canvas');
  const { width, height } = await chart.boundingBox();
  await hand.click(chart, { position: { x: width * across, y: height * 0.9 } });
  await hand.click(hand.page.locator('.graph-tip-foot button'));
  await hand.see(hand.page.locator('tfoot'));
}

/** The whole jobs as the client of this version offers them, each from home. */
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
    await hand.see(hand.page.getByRole('dialog').getByRole('button', { name: 'Convert to opportunity' }));
    await hand.press('Control+Enter');
    await hand.page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(hand, 'plan', 'Plan an activity');
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
    await choose(hand, 'import', 'Import …');
    await hand.chooseFile(hand.page.getByLabel('File to import'), badFile);
    await hand.click(hand.button('Check'));
    await hand.see('.import-verdict');
    await hand.click(hand.page.getByLabel('Skip invalid rows'));
    await hand.click(hand.button(/^Import \d/));
    await hand.see(hand.page.locator('.toast', { hasText: 'Imported' }));
  },
  async paste(hand) {
    await choose(hand, 'new quot', /New quotation/);
    await pick(hand, 'Cedar');
    await hand.click(hand.button(/Add a line|Product/));
    await hand.paste(pasted);
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async bulk(hand) {
    await choose(hand, 'contacts', /^Contacts/);
    await hand.click(hand.page.getByRole('link', { name: 'List' }));
    await hand.click(hand.page.getByRole('checkbox', { name: 'Select all' }));
    await hand.click(hand.button('Edit'));
    const dialog = hand.page.getByRole('dialog');
    await hand.select(dialog.getByLabel('Field', { exact: true }), 'Tags');
    await hand.click(dialog.getByRole('combobox', { name: 'Tags' }));
    await pick(hand, 'Press');
    await hand.press('Control+Enter');
    await hand.click(hand.page.locator('.toast').getByRole('button', { name: 'Undo' }));
    await hand.see(hand.page.locator('.toast', { hasText: 'Undone' }));
  },
  async merge(hand) {
    await choose(hand, 'duplicates', /^Duplicates/);
    await hand.click(hand.page.locator('tr[data-row]'));
    await hand.click(hand.button('Merge'));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Merge' }));
    await hand.see(hand.page.locator('.status [aria-current]', { hasText: 'Merged' }));
  },
  async plan(hand) {
    await choose(hand, planned, new RegExp(planned));
    await hand.click(hand.button(/Tasks/));
    await hand.click(hand.page.getByRole('dialog').getByRole('link', { name: 'Whole screen' }));
    await hand.click(hand.page.getByRole('link', { name: 'Gantt' }));
    await hand.click(hand.button('Plan from today'));
    await hand.page.getByRole('region', { name: 'To be planned' }).waitFor({ state: 'detached' });
  },
  figure: (hand) => openFigure(hand, 0.67),
};

/** The same jobs in a database without demonstration data, some of which begin with less, and one that builds an app from nothing. */
export const firstJobs = {
  ...jobs,
  rental,
  // The only bar is that of this month.
  figure: (hand) => openFigure(hand, 0.025 + ((new Date().getUTCMonth() + 0.5) / 12) * 0.97),
  async quotation(hand) {
    await choose(hand, 'new quot', /New quotation/);
    await hand.type('Harbour');
    await hand.see(hand.page.getByRole('option').first());
    await hand.press('Enter');
    await hand.click(hand.button(/Add a line|Product/));
    await hand.paste('Description\tQuantity\tUnit price\nDesk\t2\t249.90\nChair\t4\t89.00\nDelivery\t1\t45.00');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async task(hand) {
    await choose(hand, 'new proj', /New project/);
    await hand.type('Lobby refit');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
    await hand.click(hand.button(/Tasks/));
    await hand.press('n');
    await hand.type('Hang the signs');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
  async meeting(hand) {
    await choose(hand, 'new meet', /New meeting/);
    await hand.type('Colours');
    await hand.press('Control+s');
    await hand.see(hand.page.locator('.form-saved'));
  },
};
