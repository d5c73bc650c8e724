import { choose } from './hand.mjs';

/** The equipment of a rental company, from nothing: a model with fields, states with moves and a condition, a board, and a mail when something is overdue. */
export async function rental(hand) {
  await addMachines(hand);
  await drawStates(hand);
  await hand.click(hand.page.getByRole('button', { name: 'Fields …', exact: true }));
  const dialog = dialogOf(hand);
  await hand.select(dialog.field('Board by'), 'State');
  await hand.click(dialog.button('Publish the draft'));
  await hand.page.waitForURL(/model=x_machine/);
  await hand.see(hand.page.locator('.empty').getByRole('button', { name: 'New machine' }));
  await mailWhenOverdue(hand);
  await choose(hand, 'machine', /^Machine/);
  await hand.click(hand.page.locator('.empty').getByRole('button', { name: 'New machine' }));
  await hand.type('Excavator');
  await hand.press('Control+s');
  await hand.see(hand.page.locator('.form-saved'));
  await hand.see(hand.page.getByRole('button', { name: 'Rent out' }));
  await hand.click(hand.page.getByRole('link', { name: 'Machines' }));
  await hand.click(hand.page.getByRole('link', { name: 'Kanban' }));
  await hand.see(hand.page.locator('.kanban-card', { hasText: 'Excavator' }));
}

function dialogOf({ page }) {
  const dialog = page.getByRole('dialog');
  return {
    dialog,
    field: (label) => dialog.getByLabel(label, { exact: true }),
    button: (name) => dialog.getByRole('button', { name, exact: true }),
  };
}

async function fill(hand, target, text) {
  await hand.click(target);
  await hand.press('Control+a');
  await hand.type(text);
}

async function addMachines(hand) {
  const { dialog, field, button } = dialogOf(hand);
  await hand.click(hand.button('All apps'));
  await hand.click(hand.page.getByRole('link', { name: 'Add a model' }));
  await fill(hand, field('Name of one record'), 'Machine');
  await fill(hand, field('Name of several'), 'Machines');
  const users = await field('Group 1').locator('option[value="base.group_user"]').textContent();
  await hand.select(field('Group 1'), users ?? '');
  await hand.click(button('Continue with its fields'));
  for (const [label, type, relation] of [
    ['Customer', 'Link', 'Contact'],
    ['Due back', 'Date', ''],
  ]) {
    await hand.click(button('Add a field'));
    await fill(hand, field('Label'), label);
    await hand.select(field('Type'), type);
    if (relation) await hand.select(field('Links to'), relation);
    await hand.click(button('Add to draft'));
    await hand.see(dialog.getByText(label, { exact: true }));
  }
  await hand.click(button('Close'));
  await dialog.waitFor({ state: 'detached' });
}

async function drawStates(hand) {
  const { dialog, field, button } = dialogOf(hand);
  const named = (label) => fill(hand, field('Label'), label);
  await hand.click(hand.page.getByRole('button', { name: 'States …', exact: true }));
  await hand.click(button('Add the first state'));
  await named('Free');
  for (const label of ['Rented', 'In repair']) {
    await hand.click(button('State'));
    await named(label);
  }
  const move = async (from, label, to = '') => {
    await hand.click(dialog.locator('.editor-stage').getByRole('button', { name: new RegExp(`^${from}`) }));
    await hand.click(button('Move'));
    await named(label);
    if (to) await hand.select(field('To'), to);
  };
  await move('Free', 'Rent out');
  await hand.click(button('Add a condition'));
  await fill(hand, field('Formula'), 'not isempty(x_customer) and not isempty(x_due_back)');
  await fill(hand, field('Message when it does not hold'), 'Enter the customer and the date.');
  await hand.click(button('Done'));
  await move('Rented', 'Take back');
  await move('Free', 'Send to repair', 'In repair');
  await move('In repair', 'Repaired');
  await hand.click(button('Add to draft'));
  await dialog.waitFor({ state: 'detached' });
}

async function mailWhenOverdue(hand) {
  const { page } = hand;
  const field = (label) => page.getByLabel(label, { exact: true });
  await choose(hand, 'new automation', /New automation/);
  await fill(hand, field('Name'), 'Overdue machines');
  await hand.select(field('Records'), 'Machine');
  await hand.select(field('When it runs'), 'reaches a date');
  await fill(hand, field('How long'), '1');
  await hand.select(field('Before or after'), 'after');
  await hand.select(field('Date'), 'Due back');
  await hand.click(hand.button('Add a condition'));
  const conditions = page.getByRole('region', { name: 'Conditions', exact: true });
  await hand.select(conditions.getByLabel('Field', { exact: true }), 'State');
  await hand.click(conditions.getByRole('checkbox', { name: 'Rented' }));
  await hand.click(hand.button('Add a step'));
  await hand.click(page.getByRole('menuitem', { name: 'Send an e-mail' }));
  await hand.select(field('Recipient'), 'Customer');
  await fill(hand, field('Subject'), '{name} was due on {x_due_back}');
  await fill(hand, field('Text'), 'Please bring it back.');
  await hand.press('Control+s');
  await hand.see(page.locator('.form-saved'));
  await hand.click(hand.button('Switch on'));
  await hand.see(hand.button('Switch off'));
}
