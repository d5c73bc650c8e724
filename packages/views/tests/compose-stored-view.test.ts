import { describe, expect, it } from 'vitest';
import { composeStoredView, type StoredView } from '../index.ts';
import { messageOf } from './example-world.ts';

const depends: Readonly<Record<string, readonly string[]>> = {
  sale: ['base'],
  stock: ['sale'],
  margin: ['stock'],
  mail: ['base'],
};
const dependsOf = (module: string) => depends[module] ?? [];

let nextId = 100;
function stored(module: string, arch: string, more: Partial<StoredView> = {}): StoredView {
  const id = nextId++;
  return {
    id,
    key: `${module}.view_${id}`,
    arch,
    inheritId: 1,
    priority: 16,
    module,
    file: `views/${id}.xml`,
    line: 1,
    ...more,
  };
}
const base = stored('sale', '<list id="l" model="sale.order"><field name="name"/></list>', {
  id: 1,
  key: 'sale.l',
  inheritId: null,
});
const append = (name: string) =>
  `<inherit view="sale.l"><xpath expr="/list" position="inside"><field name="${name}"/></xpath></inherit>`;

function columns(...views: readonly StoredView[]): readonly (string | undefined)[] {
  return composeStoredView([...views, base], 1, dependsOf).children.map((child) => child.attributes.name);
}

describe('order of inherits', () => {
  it('VIEW-3 what a module depends on comes first, whatever the priority', () => {
    const first = stored('margin', append('a'), { priority: 1 });
    const second = stored('sale', append('b'), { priority: 99 });
    const third = stored('stock', append('c'), { priority: 50 });
    expect(columns(first, second, third)).toEqual(['name', 'b', 'c', 'a']);
  });

  it('VIEW-3 among modules that do not depend on each other, priority decides, then the id', () => {
    const [mail, stock] = [stored('mail', append('a'), { priority: 5 }), stored('stock', append('b'))];
    expect(columns(stock, mail)).toEqual(['name', 'a', 'b']);
    const [early, late] = [stored('sale', append('c'), { id: 50 }), stored('mail', append('d'), { id: 51 })];
    expect(columns(late, early)).toEqual(['name', 'c', 'd']);
  });

  it('VIEW-3 an inherit of an inherit comes after it, and goes with it', () => {
    const parent = stored('sale', append('a'), { priority: 90 });
    const child = stored(
      'sale',
      `<inherit view="sale.x"><xpath expr="//field[@name='a']" position="after"><field name="b"/></xpath></inherit>`,
      { inheritId: parent.id, priority: 1 },
    );
    expect(columns(child, parent)).toEqual(['name', 'a', 'b']);
    expect(columns(child)).toEqual(['name']);
    expect(composeStoredView([base, parent, child], child.id, dependsOf).attributes.id).toBe('l');
  });

  it('VIEW-3 without the inherits of a module the view is as it was', () => {
    const inherit = stored('stock', append('a'));
    expect(columns(inherit)).toEqual(['name', 'a']);
    expect(columns()).toEqual(['name']);
  });

  it('VIEW-4 views that inherit from each other are refused', () => {
    const [one, two] = [
      stored('sale', append('a'), { id: 5, inheritId: 6 }),
      stored('stock', append('b'), { id: 6, inheritId: 5 }),
    ];
    expect(messageOf(() => composeStoredView([one, two], 5, dependsOf))).toBe(
      `sale: ${one.file}:1: The views inherit from each other: ${one.key} → ${two.key} → ${one.key}.`,
    );
  });

  it('VIEW-4 a view that people made is named by its record', () => {
    const made = stored('', append('a').replace('<field name="a"/>', '<feild/>'), { key: '', file: '' });
    expect(messageOf(() => columns(made))).toContain(`database: view ${made.id}:1: <feild> cannot stand in <list>.`);
  });
});
