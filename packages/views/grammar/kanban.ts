import { typesThat } from '@kontor/protocol';
import { attribute, decorations, drawnAttributes, field, fieldAttributes, groups, numbers } from './attributes.ts';
import { listHeader } from './list.ts';
import type { TagSpecs } from './tag-spec.ts';

const within = '<kanban id="order_kanban" model="sale.order"><card>…</card></kanban>';
const title = '<title><field name="name"/></title>';

/** Fields that fit on one line of a new card. */
const quickTypes = typesThat(({ isText, isNumber, isDate, isToOne, isChoice }) =>
  [isText, isNumber, isDate, isToOne, isChoice].includes(true),
);

export const kanbanTags: TagSpecs = {
  kanban: {
    tag: 'kanban',
    doc: 'Records as cards, in columns when it is grouped.',
    attributes: {
      ...drawnAttributes,
      'group-by': field('The field whose values are the columns.', 'stage_id', [
        'many2one',
        'selection',
        'boolean',
        'char',
      ]),
      draggable: attribute('boolean', 'Whether cards can be moved; true when absent.', 'false'),
      'quick-create': attribute('boolean', 'Whether a card can be made in a column; true when absent.', 'false'),
      'quick-fields': {
        ...attribute(
          'fields',
          'Asked for beside the title when a card is made in a column; left out where the screen gives them a value.',
          'partner_id',
        ),
        fieldTypes: quickTypes,
      },
      handle: field('Keeps the order of cards within a column.', 'sequence', ['integer']),
      sums: { ...attribute('fields', 'Added up per column.', 'amount_total'), fieldTypes: numbers },
      order: attribute('order', 'The order of the cards.', 'priority, -date_order'),
      limit: attribute('integer', 'Cards loaded per column; 40 when absent.', '20'),
    },
    children: { 'kanban.header': 'one', 'kanban.card': 'must' },
    example: `<kanban id="order_kanban" model="sale.order" group-by="stage_id" sums="amount_total">
  <card>
    <title><field name="name"/></title>
    <field name="partner_id"/>
    <footer><field name="amount_total"/></footer>
  </card>
</kanban>`,
  },
  'kanban.header': {
    ...listHeader,
    doc: 'Buttons over the cards, for those that are selected, as in a list.',
    within: `<kanban id="order_kanban" model="sale.order">…<card>${title}</card></kanban>`,
  },
  'kanban.card': {
    tag: 'card',
    doc: 'One card: a title, fields as its lines, and a footer.',
    attributes: {
      color: field('Its stripe: a colour number, or a field whose values get a colour each.', 'color', [
        'integer',
        'selection',
        'many2one',
        'char',
      ]),
      opens: attribute(
        'action',
        'The window action that a click opens for the record (`$active_id`), instead of its form.',
        'sale.orders',
      ),
      image: field('A picture on the card.', 'image', ['image', 'binary']),
      ...decorations,
    },
    children: { 'card.title': 'must', 'card.field': 'many', 'card.footer': 'one' },
    example: `<card color="color">
  <title><field name="name"/></title>
  <field name="partner_id"/>
  <footer><field name="user_id" widget="many2one_avatar"/></footer>
</card>`,
    within: '<kanban id="order_kanban" model="sale.order">…</kanban>',
  },
  'card.title': {
    tag: 'title',
    doc: 'The first line of the card; the display name for those who may not see it.',
    attributes: { groups },
    children: { 'card.field': 'must' },
    example: title,
    within,
  },
  'card.footer': {
    tag: 'footer',
    doc: 'The last line of the card.',
    attributes: { groups },
    children: { 'card.field': 'some' },
    example: '<footer><field name="priority" widget="priority"/><field name="user_id"/></footer>',
    within: `<kanban id="order_kanban" model="sale.order"><card>${title}…</card></kanban>`,
  },
  'card.field': {
    tag: 'field',
    doc: 'A field on a card, on a calendar entry or on a point of a map.',
    attributes: { ...fieldAttributes, nolabel: attribute('boolean', 'Without its label.', 'true') },
    children: {},
    example: '<field name="partner_id"/>',
    within: `<kanban id="order_kanban" model="sale.order"><card>${title}…</card></kanban>`,
  },
};
