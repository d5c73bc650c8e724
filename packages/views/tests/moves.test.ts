import { describe, expect, it } from 'vitest';
import { type ArchOutput, checkView, toArch, type ViewNode } from '../index.ts';
import { exampleRegistry } from './example-registry.ts';
import { exampleContext, messageOf, type Person, person, view } from './example-world.ts';

const manager = { groups: ['sale.group_manager'] };

describe('moves in the header', () => {
  it('VIEW-11 <moves/> places a button for each move that the person may make, shown where it starts', () => {
    const { buttons } = archOf('<header><moves/></header>').header;
    expect(buttons).toEqual([
      button('action_confirm', 'Confirm', ['draft'], { icon: 'check' }),
      button('action_cancel', 'Cancel quotation', ['draft'], { icon: 'x' }),
      button('action_reset', 'Reset to quotation', ['cancel']),
    ]);
  });

  it('VIEW-11 a variant for a group is a button of its own, with its question and what it asks', () => {
    const { buttons } = archOf('<header><moves/></header>', manager).header;
    const order = buttons.find(({ label }) => label === 'Cancel order');
    expect(order).toMatchObject({ name: 'action_cancel', danger: true, confirm: 'Cancel this order?' });
    expect(order?.invisible).toEqual([['state', 'not in', ['sale']]]);
    expect(order?.asks?.fields.map(({ name, required }) => [name, required])).toEqual([
      ['reason', true],
      ['note', false],
    ]);
    expect(order?.asks?.children).toEqual([
      { kind: 'field', name: 'reason' },
      { kind: 'field', name: 'note' },
    ]);
  });

  it('VIEW-11 <move/> gives one a place and a look of its own, and <moves/> leaves it out', () => {
    const hidden = `'[["partner_id", "=", null]]'`;
    const xml = `<header><move name="confirm" primary="true" label="Go" invisible=${hidden}/><button name="action_print"/><moves/></header>`;
    const { buttons } = archOf(xml).header;
    expect(buttons.map(({ label }) => label)).toEqual(['Go', 'Print', 'Cancel quotation', 'Reset to quotation']);
    expect(buttons[0]).toMatchObject({
      primary: true,
      invisible: ['|', ['state', 'not in', ['draft']], ['partner_id', '=', null]],
    });
  });

  it('VIEW-11 a <form> inside arranges what is asked', () => {
    const xml =
      '<header><move name="cancel"><form><group label="Why"><field name="note"/><field name="reason"/></group></form></move></header>';
    const [, order] = archOf(xml, manager).header.buttons;
    expect(order?.asks?.children).toEqual([
      {
        kind: 'group',
        label: 'Why',
        children: [
          { kind: 'field', name: 'note' },
          { kind: 'field', name: 'reason' },
        ],
      },
    ]);
  });

  it('VIEW-11 who may not write is offered no move', () => {
    const arch = archOf('<header><moves/></header>', { denied: ['sale.order:write'] });
    expect(arch.header.buttons).toEqual([]);
    expect(arch.states?.moves).toEqual([]);
  });
});

describe('states in the arch', () => {
  it('VIEW-12 tell the field, the moves of the person and the field of the stage, and the records have their state', () => {
    const { states } = archOf('<field name="name"/>');
    expect(states).toMatchObject({ field: 'state', stages: { field: 'stage_id', steps: [] } });
    expect(states?.moves.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['action_confirm', ['draft'], 'sale'],
      ['action_cancel', ['draft'], 'cancel'],
      ['action_reset', ['cancel'], 'draft'],
    ]);
    expect(outputOf('<field name="name"/>').projection).toContain('state');
  });

  it('VIEW-12 fields that are locked in a state are readonly there, besides what the view says', () => {
    const when = `'[["partner_id", "=", null]]'`;
    const arch = archOf(`<field name="line_ids"/><field name="date_order" readonly=${when}/><field name="notes"/>`);
    const [lines, date, notes] = arch.form?.children ?? [];
    expect(lines).toMatchObject({ readonly: [['state', 'in', ['sale', 'cancel']]] });
    expect(date).toMatchObject({ readonly: ['|', ['state', 'in', ['sale']], ['partner_id', '=', null]] });
    expect(notes).not.toHaveProperty('readonly');
  });

  it('VIEW-12 an action says its label and icon itself, and asks in the same way', () => {
    const [over] = archOf('<header><button name="action_hand_over"/></header>').header.buttons;
    expect(over).toMatchObject({ label: 'Hand over', asks: { fields: [{ name: 'user_id', relation: 'core.user' }] } });
  });
});

describe('mistakes', () => {
  it.each([
    ['<header><move name="confrim"/></header>', 'sale.order has no move "confrim". Did you mean "confirm"?'],
    ['<header><button name="action_close"/></header>', '"action_close" has no label of its own: give the button one.'],
    [
      '<header><button name="action_print"><form/></button></header>',
      '"action_print" asks for nothing and takes no <form>.',
    ],
    [
      '<header><move name="cancel"><form><field name="reasn"/></form></move></header>',
      'sale.order has no field "reasn". Did you mean "reason"?',
    ],
  ])('VIEW-11 %s', (inside, message) => {
    expect(messageOf(() => checkView(form(inside), exampleContext))).toContain(message);
  });

  it('VIEW-11 a model without states has no moves to place', () => {
    const xml = '<form id="f" model="core.partner"><header><moves/></header><field name="name"/></form>';
    expect(messageOf(() => checkView(view(xml), exampleContext))).toContain('core.partner has no states and no moves.');
  });
});

function form(inside: string): ViewNode {
  return view(`<form id="f" model="sale.order">${inside}</form>`);
}

function outputOf(inside: string, as: Person = {}): ArchOutput {
  const node = form(inside);
  checkView(node, exampleContext);
  return toArch({ view: node, search: null, registry: exampleRegistry, viewer: person(as) });
}

function archOf(inside: string, as: Person = {}) {
  return outputOf(inside, as).arch;
}

function button(name: string, label: string, from: readonly string[], more: object = {}) {
  return { kind: 'button', type: 'object', name, label, ...more, invisible: [['state', 'not in', from]] };
}
