import { aggregateTags } from './aggregates.ts';
import { attribute, choice, groups, required } from './attributes.ts';
import { formTags } from './form.ts';
import { inheritTags } from './inherit.ts';
import { kanbanTags } from './kanban.ts';
import { listTags } from './list.ts';
import { planningTags } from './planning.ts';
import { searchTags } from './search.ts';
import type { TagSpec, TagSpecs } from './tag-spec.ts';

const navigationTags: TagSpecs = {
  action: {
    tag: 'action',
    doc: 'A window action (`sys.action.window`): opens a model in one of its views.',
    attributes: {
      id: required(attribute('id', 'The external id.', 'orders')),
      label: required(attribute('text', 'Title of the screen.', 'Orders')),
      model: required(attribute('model', 'The model.', 'sale.order')),
      views: attribute('view-types', 'The view types offered; `list,form` when absent.', 'list,kanban,form'),
      domain: attribute('domain', 'Which records are shown.', '[["state", "!=", "cancel"]]'),
      context: attribute('json', '`default_<field>` gives new records their values.', '{"default_state": "draft"}'),
      target: choice(['current', 'dialog'], 'Where it opens; in the main area when absent.', 'dialog'),
      limit: attribute('integer', 'Rows on a page, at most 500.', '40'),
      order: attribute('order', 'The order that it opens with.', '-date_order'),
      'opens-with': attribute(
        'domain',
        'Filters that are applied at first and that people can remove, such as the period of a report.',
        '[["date_order", ">=", "$year"], ["date_order", "<", "$year+1"]]',
      ),
      compare: choice(
        ['previous', 'year'],
        'What graphs and pivots compare that period with: the one before, or the same a year ago.',
        'year',
      ),
      'new-label': attribute(
        'text',
        'What making a record here is called, on the button and in its form. The palette offers it on every screen to those who may.',
        'New quotation',
      ),
      groups: { ...groups, doc: 'Who may open it.' },
      help: attribute('text', 'What an empty screen says; simple HTML.', '<p>Make your first order.</p>'),
    },
    children: {},
    example:
      '<action id="orders" label="Orders" model="sale.order" views="list,kanban,form" context=\'{"default_state": "draft"}\'/>',
  },
  menu: {
    tag: 'menu',
    doc: 'A menu (`sys.menu`). One without a parent is an app of the top bar.',
    attributes: {
      id: required(attribute('id', 'The external id.', 'menu_orders')),
      label: required(attribute('text', 'What it says.', 'Orders')),
      action: attribute('action', 'What it opens; a menu without one only holds others.', 'orders'),
      parent: attribute('menu', 'The parent menu.', 'menu_sale'),
      sequence: attribute('integer', 'Lower numbers come first; 10 when absent.', '20'),
      icon: attribute('text', 'Name of an icon.', 'shopping-cart'),
      count: attribute('boolean', 'Shows beside it how many records its action leads to.', 'true'),
      groups: { ...groups, doc: 'Who gets it. People also see only menus that lead somewhere they may go.' },
    },
    children: {},
    example: '<menu id="menu_orders" label="Orders" action="orders" parent="menu_sale" sequence="20"/>',
  },
};

/** Every tag of views, actions, menus and inherits, by kind: the one description that checks, arch and docs follow. */
export const grammar: TagSpecs = {
  ...listTags,
  ...formTags,
  ...kanbanTags,
  ...aggregateTags,
  ...planningTags,
  ...searchTags,
  ...navigationTags,
  ...inheritTags,
};

export function tagSpec(kind: string): TagSpec {
  const spec = grammar[kind];
  if (!spec) throw new Error(`The grammar has no kind "${kind}".`);
  return spec;
}

/** The kind of a tag inside another; null if it is not allowed there. */
export function childKind(parent: TagSpec, tag: string): string | null {
  if (parent.children === 'any') return null;
  return Object.keys(parent.children).find((kind) => tagSpec(kind).tag === tag) ?? null;
}

/** The tags that are allowed inside. */
export function childTags(parent: TagSpec): readonly string[] {
  return parent.children === 'any' ? [] : Object.keys(parent.children).map((kind) => tagSpec(kind).tag);
}
