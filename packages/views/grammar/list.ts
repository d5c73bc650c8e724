import {
  attribute,
  buttonAttributes,
  choice,
  decorations,
  drawnAttributes,
  field,
  fieldAttributes,
  groups,
  inputAttributes,
  moveAttributes,
} from './attributes.ts';
import type { AttributeSpecs, TagSpec, TagSpecs } from './tag-spec.ts';

const rowAttributes: AttributeSpecs = {
  editable: choice(['top', 'bottom'], 'Cells are edited in place; where a new row comes.', 'bottom'),
  create: attribute('boolean', 'Whether rows can be added here; true when absent.', 'false'),
  delete: attribute('boolean', 'Whether rows can be deleted here; true when absent.', 'false'),
  handle: field('Keeps the order that people drag rows into.', 'sequence', ['integer']),
  ...decorations,
};

const amount = { name: 'amount_total' };
const within = '<list id="order_list" model="sale.order">…</list>';
const inHeader = '<form id="order_form" model="sale.order"><header>…</header></form>';

export const listHeader: TagSpec = {
  tag: 'header',
  doc: 'Buttons over the list, for the records that are selected: an object action gets them all (`args[0]` is 0, `active_ids` names them), a window action opens with them. Commands of the client need none and are in the bar.',
  attributes: { groups },
  children: { button: 'many', move: 'many', moves: 'one' },
  example: '<header><moves/><button name="action_print" label="Print"/></header>',
  within,
};

export const listTags: TagSpecs = {
  list: {
    tag: 'list',
    doc: 'Records as rows.',
    attributes: {
      ...drawnAttributes,
      ...rowAttributes,
      order: attribute('order', 'The order that the list opens with.', '-date_order, name'),
      limit: attribute('integer', 'Rows on a page; 80 when absent.', '40'),
      'group-by': attribute('group-bys', 'Groups that the list opens with.', 'state, date_order:month'),
    },
    children: { 'list.header': 'one', 'list.field': 'many', button: 'many' },
    example: `<list id="order_list" model="sale.order" decoration-muted='[["state", "=", "cancel"]]'>
  <field name="name"/>
  <field name="partner_id"/>
  <field name="state" widget="badge"/>
  <field name="amount_total" sum="Total"/>
</list>`,
  },
  'list.header': listHeader,
  'list.field': {
    tag: 'field',
    doc: 'A column.',
    attributes: {
      ...fieldAttributes,
      ...inputAttributes,
      nolabel: attribute('boolean', 'The column has no head.', 'true'),
      optional: choice(['show', 'hide'], 'People can switch the column on and off; whether it is on at first.', 'hide'),
      width: attribute('integer', 'Width in pixels.', '120'),
      cell: field(
        'In lines of a form: the column whose cell it shares. A text is shown below it, anything else beside it.',
        'partner_id',
      ),
      sum: { ...attribute('text', 'Label of the sum under the column; numbers only.', 'Total'), with: amount },
      avg: { ...attribute('text', 'Label of the average under the column; numbers only.', 'Average'), with: amount },
    },
    children: {},
    example: '<field name="partner_id" optional="show"/>',
    within,
  },
  'inline.list': {
    tag: 'list',
    doc: 'The rows of a one2many or many2many inside a form; its fields are those of the related model.',
    attributes: {
      ...rowAttributes,
      sections: field(
        'A selection in the list that distinguishes headings (`section`) and notes (`note`) from lines; each choice but the first has a button.',
        'state',
        ['selection'],
      ),
      groups,
    },
    children: { 'list.field': 'some', button: 'many' },
    example: `<list editable="bottom" handle="sequence">
  <field name="product"/>
  <field name="qty"/>
  <field name="subtotal" sum="Total"/>
</list>`,
    within: '<form id="order_form" model="sale.order"><field name="line_ids">…</field></form>',
  },
  button: {
    tag: 'button',
    doc: 'A button: in a header, in a row of a list, or in a form.',
    attributes: buttonAttributes,
    children: { 'asks.form': 'one' },
    example: '<button name="action_print" label="Print" primary="true"/>',
    within: inHeader,
  },
  moves: {
    tag: 'moves',
    doc: 'A button for each move of the model, in their order, except those that the header contains by name. Users see the moves that start in the current state and that they may make.',
    attributes: { groups },
    children: {},
    example: '<moves/>',
    within: inHeader,
  },
  move: {
    tag: 'move',
    doc: 'The button of one move, where and how an author wants it.',
    attributes: moveAttributes,
    children: { 'asks.form': 'one' },
    example: '<move name="confirm" primary="true"/>',
    within: inHeader,
  },
};
