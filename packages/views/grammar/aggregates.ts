import { attribute, bucket, choice, dates, drawnAttributes, field, groups, required } from './attributes.ts';
import type { AttributeSpecs, TagSpec, TagSpecs } from './tag-spec.ts';

const groupAttributes: AttributeSpecs = {
  name: required(field('The field to group by.', 'date_order')),
  interval: bucket,
  groups,
};
const axis = (tag: string, doc: string, within: string): TagSpec => ({
  tag,
  doc,
  attributes: groupAttributes,
  children: {},
  example: `<${tag} name="date_order" interval="month"/>`,
  within,
});
const graph = '<graph id="order_graph" model="sale.order">…</graph>';
const pivot = '<pivot id="order_pivot" model="sale.order">…</pivot>';

export const aggregateTags: TagSpecs = {
  graph: {
    tag: 'graph',
    doc: 'A chart of groups. Without a measure, records are counted.',
    attributes: {
      ...drawnAttributes,
      kind: choice(['bar', 'line', 'area', 'pie'], 'The chart that opens; bars when absent.', 'line'),
      stacked: attribute('boolean', 'Bars of one place on top of each other; true when absent.', 'false'),
    },
    children: { 'group-by': 'many', measure: 'many' },
    example: `<graph id="order_graph" model="sale.order" kind="bar">
  <group-by name="date_order" interval="month"/>
  <group-by name="state"/>
  <measure name="amount_total"/>
</graph>`,
  },
  'group-by': axis('group-by', 'What the records are grouped by; the first is the axis, others split it.', graph),
  pivot: {
    tag: 'pivot',
    doc: 'A table of groups by groups, with the totals of every level. Without a measure, records are counted.',
    attributes: drawnAttributes,
    children: { row: 'many', column: 'many', measure: 'many' },
    example: `<pivot id="order_pivot" model="sale.order">
  <row name="partner_id"/>
  <column name="date_order" interval="quarter"/>
  <measure name="amount_total"/>
</pivot>`,
  },
  row: axis('row', 'A level of rows.', pivot),
  column: axis('column', 'A level of columns.', pivot),
  cohort: {
    tag: 'cohort',
    doc: 'How many that began in one period are still there in the later ones. The measure is a sum or a count.',
    attributes: {
      ...drawnAttributes,
      start: required(field('When a record began.', 'date_order', dates)),
      stop: required(field('When it ended; empty while it lasts.', 'date_end', dates)),
      interval: choice(
        ['day', 'week', 'month', 'quarter', 'year'],
        'The length of a period; months when absent.',
        'week',
      ),
    },
    children: { measure: 'one' },
    example: '<cohort id="order_cohort" model="sale.order" start="date_order" stop="date_end" interval="month"/>',
  },
  measure: {
    tag: 'measure',
    doc: 'What is worked out per group.',
    attributes: {
      name: required(field('The field.', 'amount_total')),
      measure: choice(
        ['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'ratio'],
        'How; as the field says when absent, else the sum.',
        'avg',
      ),
      label: attribute('text', "Instead of the field's label.", 'Turnover'),
      groups,
    },
    children: {},
    example: '<measure name="amount_total" measure="sum"/>',
    within: graph,
  },
};
