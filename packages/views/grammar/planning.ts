import { calendarModes, ganttScales } from '@kontor/protocol';
import { attribute, choice, dates, decorations, drawnAttributes, field, required } from './attributes.ts';
import type { TagSpecs } from './tag-spec.ts';

const plainNumbers = ['integer', 'float', 'decimal'] as const;
const title = field('The field that names an entry; the display name when absent.', 'name');
const color = field('Records of one value have one colour.', 'user_id', ['integer', 'selection', 'many2one', 'char']);
const people = (doc: string) => field(doc, 'user_id', ['many2one', 'many2many']);
const place = (doc: string, example: string) => ({
  ...attribute('path', doc, example),
  fieldTypes: ['float', 'decimal'] as const,
});

export const planningTags: TagSpecs = {
  calendar: {
    tag: 'calendar',
    doc: 'Records on their days. Fields inside are shown on an entry and, with the buttons, on the card that a click opens beside it.',
    attributes: {
      ...drawnAttributes,
      ...decorations,
      start: required(field('When an entry begins.', 'date_start', dates)),
      stop: field('When it ends.', 'date_end', dates),
      'all-day': field(
        'Whether it takes whole days: the same days in every zone, with times at midnight in UTC.',
        'all_day',
        ['boolean'],
      ),
      color,
      people: people('Whose an entry is; the people are beside the calendar to filter by.'),
      hours: field('Hours of an entry; their sums are shown beside colours and people.', 'progress', plainNumbers),
      mode: choice(calendarModes, 'What opens; the month when absent.', 'week'),
      title,
      scope: field('Asked when an entry is moved that has a value here: what the change is for.', 'state', [
        'selection',
      ]),
      'quick-create': attribute('boolean', 'Whether selecting days makes a record; true when absent.', 'false'),
    },
    children: { 'card.field': 'many', button: 'many' },
    example: `<calendar id="order_calendar" model="sale.order" start="date_start" stop="date_end" color="user_id">
  <field name="partner_id"/>
</calendar>`,
  },
  gantt: {
    tag: 'gantt',
    doc: 'Records as bars over time.',
    attributes: {
      ...drawnAttributes,
      start: required(field('Where a bar begins.', 'date_start', dates)),
      stop: required(field('Where it ends.', 'date_end', dates)),
      'group-by': attribute('group-bys', 'What the rows are.', 'user_id'),
      scale: choice(ganttScales, 'What opens; the month when absent.', 'week'),
      progress: field('How much is done, from 0 to 100.', 'progress', plainNumbers),
      color,
      people: people('Who works on it: the load is counted for each.'),
      hours: field('Hours of work; spread over the working time of a bar.', 'progress', plainNumbers),
      dependencies: field('The records that must be done first.', 'depends_on_ids', ['many2many', 'one2many']),
      title,
    },
    children: {},
    example: '<gantt id="order_gantt" model="sale.order" start="date_start" stop="date_end" group-by="user_id"/>',
  },
  map: {
    tag: 'map',
    doc: 'Records as points. Fields inside are shown when a point is clicked.',
    attributes: {
      ...drawnAttributes,
      latitude: required(place('Degrees north.', 'partner_id.latitude')),
      longitude: required(place('Degrees east.', 'partner_id.longitude')),
      'by-hand': {
        ...attribute('path', 'Set with the position when a user places a record on the map.', 'partner_id.is_company'),
        fieldTypes: ['boolean'],
      },
      title,
      color,
    },
    children: { 'card.field': 'many' },
    example: `<map id="order_map" model="sale.order" latitude="partner_id.latitude" longitude="partner_id.longitude">
  <field name="amount_total"/>
</map>`,
  },
};
