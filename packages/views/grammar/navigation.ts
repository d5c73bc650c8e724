import { attribute, choice, groups, required } from './attributes.ts';
import type { TagSpecs } from './tag-spec.ts';

export const navigationTags: TagSpecs = {
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
      parent: attribute('menu', 'The menu that it stands in.', 'menu_sale'),
      sequence: attribute('integer', 'Lower numbers come first; 10 when absent.', '20'),
      icon: attribute('text', 'Name of an icon.', 'shopping-cart'),
      count: attribute('boolean', 'Shows beside it how many records its action leads to.', 'true'),
      groups: { ...groups, doc: 'Who gets it. People also see only menus that lead somewhere they may go.' },
    },
    children: {},
    example: '<menu id="menu_orders" label="Orders" action="orders" parent="menu_sale" sequence="20"/>',
  },
};
