import { attribute, choice, field, groups, required, rootAttributes } from './attributes.ts';
import type { TagSpecs } from './tag-spec.ts';

const within = '<search id="order_search" model="sale.order">…</search>';

export const searchTags: TagSpecs = {
  search: {
    tag: 'search',
    doc: 'What can be looked for and filtered by, in every view of the model.',
    attributes: rootAttributes,
    children: { 'search.field': 'many', 'search.filter': 'many', 'search.separator': 'many' },
    example: `<search id="order_search" model="sale.order">
  <field name="name"/>
  <field name="partner_id"/>
  <filter name="mine" label="My orders" domain='[["user_id", "=", "$uid"]]' default="true"/>
  <separator/>
  <filter name="draft" label="Quotations" domain='[["state", "=", "draft"]]'/>
  <filter name="sold" label="Sold" domain='[["state", "=", "sale"]]'/>
  <separator/>
  <filter name="by_month" label="Month" group-by="date_order:month"/>
</search>`,
  },
  'search.field': {
    tag: 'field',
    doc: 'A field that free text is looked for in.',
    attributes: {
      name: required(field('The field.', 'partner_id')),
      label: attribute('text', "Instead of the field's label.", 'Customer'),
      operator: choice(
        ['ilike', 'like', '=', '=ilike', '=like', '>=', '<=', 'child_of'],
        'How it is compared; by type when absent.',
        'child_of',
      ),
      groups,
    },
    children: {},
    example: '<field name="partner_id"/>',
    within,
  },
  'search.filter': {
    tag: 'filter',
    doc: 'A filter or a group that can be switched on. Filters with no `<separator/>` between them are alternatives.',
    attributes: {
      name: required(attribute('name', 'In the query string of the workspace.', 'draft')),
      label: required(attribute('text', 'What it says.', 'Quotations')),
      domain: attribute('domain', 'What the records must satisfy.', '[["state", "=", "draft"]]'),
      'group-by': attribute('group-by', 'What they are grouped by.', 'date_order:month'),
      default: attribute('boolean', 'On when the view opens.', 'true'),
      groups,
    },
    children: {},
    example: '<filter name="draft" label="Quotations" domain=\'[["state", "=", "draft"]]\'/>',
    within,
  },
  'search.separator': {
    tag: 'separator',
    doc: 'Filters on either side of it must both hold.',
    attributes: {},
    children: {},
    example: '<separator/>',
    within,
  },
};
