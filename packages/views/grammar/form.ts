import {
  attribute,
  buttonAttributes,
  choice,
  field,
  fieldAttributes,
  groups,
  inputAttributes,
  invisible,
  required,
  rootAttributes,
} from './attributes.ts';
import type { AttributeSpecs, TagSpecs } from './tag-spec.ts';

const rights: AttributeSpecs = {
  create: attribute('boolean', 'Whether records can be made here; true when absent.', 'false'),
  edit: attribute('boolean', 'Whether the record can be edited here; true when absent.', 'false'),
  delete: attribute('boolean', 'Whether the record can be deleted here; true when absent.', 'false'),
  duplicate: attribute('boolean', 'Whether the record can be copied here; true when absent.', 'false'),
};

/** Allowed children in the body of a form, in a group and on a page. */
const body = {
  'form.field': 'many',
  button: 'many',
  'form.group': 'many',
  'form.notebook': 'many',
  'form.separator': 'many',
  'form.text': 'many',
} as const;
const head = {
  'form.header': 'one',
  'form.avatar': 'one',
  'form.title': 'one',
  'form.subtitle': 'one',
  'form.stats': 'many',
} as const;

const within = '<form id="order_form" model="sale.order">…</form>';
const inputs: AttributeSpecs = { ...fieldAttributes, ...inputAttributes };

export const formTags: TagSpecs = {
  form: {
    tag: 'form',
    doc: 'One record.',
    attributes: {
      ...rootAttributes,
      ...rights,
      chatter: attribute('boolean', 'Whether messages are shown beside it; default: as the model declares.', 'false'),
    },
    children: { ...head, ...body },
    example: `<form id="order_form" model="sale.order">
  <header>
    <move name="confirm" primary="true"/>
    <moves/>
    <field name="state" widget="statusbar"/>
  </header>
  <title><field name="name"/></title>
  <group label="Customer"><field name="partner_id"/><field name="payment_days"/></group>
  <notebook>
    <page name="lines" label="Lines"><field name="line_ids"/></page>
  </notebook>
</form>`,
  },
  'form.header': {
    tag: 'header',
    doc: 'The bar above the record: its actions and its state.',
    attributes: { groups },
    children: { button: 'many', move: 'many', moves: 'one', 'form.status': 'one' },
    example: `<header>
  <moves/>
  <field name="state" widget="statusbar"/>
</header>`,
    within,
  },
  'form.status': {
    tag: 'field',
    doc: 'The status bar of the header: a selection or a many2one. It shows the state of the record; clicking a stage of the same state selects it.',
    attributes: {
      ...fieldAttributes,
      name: required(field('The field.', 'state', ['selection', 'many2one'])),
      widget: attribute('widget', 'The status bar, or another one.', 'statusbar'),
      readonly: attribute('condition', 'Not to be changed by a click while this holds.', '[["state", "!=", "draft"]]'),
      domain: attribute('relation-domain', 'Which stages are shown.', '[["fold", "=", false]]'),
    },
    children: {},
    example: '<field name="stage_id" widget="statusbar"/>',
    within: '<form id="order_form" model="sale.order"><header>…</header></form>',
  },
  'form.avatar': {
    tag: 'avatar',
    doc: 'A picture beside the title.',
    attributes: { groups },
    children: { 'form.field': 'must' },
    example: '<avatar><field name="image"/></avatar>',
    within,
  },
  'form.title': {
    tag: 'title',
    doc: 'The field that names the record, in large letters.',
    attributes: { groups },
    children: { 'form.field': 'must' },
    example: '<title><field name="name" placeholder="Number"/></title>',
    within,
  },
  'form.subtitle': {
    tag: 'subtitle',
    doc: 'Fields under the title.',
    attributes: { groups },
    children: { 'form.field': 'some' },
    example: '<subtitle><field name="partner_id"/><field name="date_order"/></subtitle>',
    within,
  },
  'form.stats': {
    tag: 'stats',
    doc: 'Smart buttons beside the title; several addons may each bring some.',
    attributes: { groups },
    children: { 'stats.button': 'some' },
    example: '<stats><button name="orders" type="action" label="Orders" field="line_count" icon="list"/></stats>',
    within,
  },
  'stats.button': {
    tag: 'button',
    doc: 'A smart button, which shows a field beside its label.',
    attributes: {
      ...buttonAttributes,
      name: required({ ...attribute('action-name', 'What it runs or opens.', 'orders'), with: { type: 'action' } }),
      field: field('What is shown on it.', 'line_count'),
    },
    children: {},
    example: '<button name="orders" type="action" label="Lines" field="line_count"/>',
    within: '<form id="order_form" model="sale.order"><stats>…</stats></form>',
  },
  'form.group': {
    tag: 'group',
    doc: 'Fields below each other with their labels; groups in a group are side by side.',
    attributes: {
      label: attribute('text', 'The heading.', 'Customer'),
      columns: attribute('integer', 'Columns inside, 1 to 4.', '2'),
      colspan: attribute('integer', 'Columns that it takes of the group around it.', '2'),
      layout: choice(['totals'], 'Figures below a grid: numbers at the end, with emphasis after a separator.'),
      invisible,
      groups,
    },
    children: body,
    example: '<group label="Customer"><field name="partner_id"/><field name="payment_days"/></group>',
    within,
  },
  'form.notebook': {
    tag: 'notebook',
    doc: 'Pages behind tabs.',
    attributes: { groups },
    children: { 'form.page': 'some' },
    example: '<notebook><page name="notes" label="Notes"><field name="notes" nolabel="true"/></page></notebook>',
    within,
  },
  'form.page': {
    tag: 'page',
    doc: 'One page of a notebook. It vanishes for people who may see nothing on it.',
    attributes: {
      name: attribute('name', 'For inherits and links; made from the label when absent.', 'notes'),
      label: required(attribute('text', 'The tab.', 'Notes')),
      invisible,
      groups,
    },
    children: body,
    example: '<page name="notes" label="Notes"><field name="notes"/></page>',
    within: '<form id="order_form" model="sale.order"><notebook>…</notebook></form>',
  },
  'form.separator': {
    tag: 'separator',
    doc: 'A line, with a heading if it has one.',
    attributes: { label: attribute('text', 'The heading.', 'Terms'), invisible, groups },
    children: {},
    example: '<separator label="Terms"/>',
    within,
  },
  'form.text': {
    tag: 'text',
    doc: 'Plain words to the person.',
    attributes: { invisible, groups },
    children: {},
    text: 'must',
    example: '<text>Prices are without tax.</text>',
    within,
  },
  'form.field': {
    tag: 'field',
    doc: 'A field with its label. The rows of an x2many can have their own `<list>` and `<form>` inside.',
    attributes: {
      ...inputs,
      nolabel: attribute('boolean', 'Without its label.', 'true'),
      colspan: attribute('integer', 'Columns that it takes of the group around it.', '2'),
    },
    children: { 'inline.list': 'one', 'inline.form': 'one' },
    example: '<field name="partner_id"/>',
    within,
  },
  'asks.form': {
    tag: 'form',
    doc: 'How the dialog of an action is arranged; its fields are what the action asks. One under the other when absent.',
    attributes: {},
    children: body,
    example: '<form><group><field name="reason"/></group><field name="note"/></form>',
    within: '<form id="order_form" model="sale.order"><header><move name="cancel">…</move></header></form>',
  },
  'inline.form': {
    tag: 'form',
    doc: 'The form of one row of an x2many; its fields are those of the related model.',
    attributes: { ...rights, groups },
    children: { 'form.avatar': 'one', 'form.title': 'one', 'form.subtitle': 'one', ...body },
    example: '<form><group><field name="product"/><field name="qty"/></group></form>',
    within: '<form id="order_form" model="sale.order"><field name="line_ids">…</field></form>',
  },
};
