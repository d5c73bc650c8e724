import type { DevViewNode } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import {
  canMove,
  outlineOf,
  placeAfter,
  placeBeside,
  placeNow,
  placesFor,
} from '../workspace/customise/editor/places.ts';

const node = (tag: string, name: string, children: readonly DevViewNode[] = []): DevViewNode => ({
  ...{ tag, name: name || null, label: null, written: '', origin: '', changes: [], children },
  attributes: name ? { name } : {},
  xpath: name ? `//${tag}[@name='${name}']` : `/${tag}`,
});
const field = (name: string, ...children: readonly DevViewNode[]) => node('field', name, children);
const column = field('product');
const root = node('form', '', [
  node('header', '', [field('state')]),
  node('title', '', [field('name')]),
  node('group', 'customer', [field('phone'), field('mail')]),
  node('notebook', '', [node('page', 'lines', [field('line_ids', node('list', 'lines', [column, field('qty')]))])]),
]);
const rows = outlineOf(root);
const row = (name: string) => {
  const found = rows.find((each) => each.node.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};
const written = (places: readonly { expr: string; position: string }[]) =>
  places.map(({ expr, position }) => `${position} ${/'(.*)'/.exec(expr)?.[1] ?? expr}`);

describe('CUS-31 places of the editor of a screen', () => {
  it('the outline has what can be arranged, and no buttons', () => {
    expect(rows.map((each) => each.node.name ?? each.node.tag)).toEqual([
      'title',
      'name',
      'customer',
      'phone',
      'mail',
      'notebook',
      'lines',
      'line_ids',
      'lines',
      'product',
      'qty',
    ]);
    expect([row('phone'), row('name'), row('customer')].map(canMove)).toEqual([true, false, true]);
    // Columns are fields of the model of the lines, which has labels of its own.
    expect([row('phone').lines, row('product').lines]).toEqual([null, 'line_ids']);
  });

  it('a field can go before and after every element of a form, group and tab, but not into lines or the title', () => {
    expect(written(placesFor(root, 'field', null))).toEqual([
      'before customer',
      ...['before phone', 'after phone', 'after mail', 'after customer'],
      ...['before line_ids', 'after line_ids', 'after /notebook'],
    ]);
  });

  it('columns of lines stay in their lines, tabs in their tabs, and nothing goes into itself', () => {
    expect(written(placesFor(root, 'field', column))).toEqual(['before qty', 'after qty']);
    expect(written(placesFor(root, 'page', row('lines').node))).toEqual(['inside /notebook']);
    const group = row('customer').node;
    expect(written(placesFor(root, 'group', group))).toEqual([
      ...['before /notebook', 'before line_ids', 'after line_ids', 'after /notebook'],
    ]);
  });

  it('keys go from the place of an element to the next one', () => {
    const mail = row('mail');
    const places = placesFor(root, 'field', mail.node);
    const now = placeNow(places, mail);
    expect(written(places)[now]).toBe('after phone');
    expect([written(places)[now - 1], written(places)[now + 1]]).toEqual(['before phone', 'after customer']);
  });

  it('a drop on the upper half of an element is after the one before it', () => {
    const places = placesFor(root, 'field', null);
    const at = placeBeside(places, rows, { expr: row('mail').node.xpath, position: 'before' });
    expect(at && written([at])).toEqual(['after phone']);
    expect(placeBeside(places, rows, { expr: column.xpath, position: 'before' })).toBeNull();
  });

  it('a new field comes after the selected element, or after what that is in', () => {
    const places = placesFor(root, 'field', null);
    const after = (name: string) => {
      const found = placeAfter(places, rows, row(name));
      return found && written([found])[0];
    };
    expect([after('phone'), after('product')]).toEqual(['after phone', 'after line_ids']);
  });
});
