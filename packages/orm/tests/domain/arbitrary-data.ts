import fc from 'fast-check';
import { day, decimal, float, id, instant, integer, reference, state, text } from './arbitrary-domain.ts';
import type { Rows } from './domain-world.ts';
import type { Data } from './in-memory.ts';

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 });

function rows(count: number, fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Rows> {
  return fc
    .array(fc.record(fields), { minLength: count, maxLength: count })
    .map((list) => list.map((row, index) => ({ ...row, id: index + 1 })));
}

/** Seven nodes (in trees and circles), seven tags, thirty items with their lines. */
export const arbitraryData: fc.Arbitrary<Data> = fc
  .record({
    nodes: rows(7, { name: orNull(text), code: orNull(text), parent_id: orNull(id) }),
    tags: rows(7, { name: orNull(text) }),
    items: rows(30, {
      name: orNull(text),
      note: orNull(text),
      state: orNull(state),
      ref: orNull(reference),
      qty: orNull(integer),
      ratio: orNull(float),
      amount: orNull(decimal),
      flag: orNull(fc.boolean()),
      day: orNull(day),
      at: orNull(instant),
      blob: orNull(fc.constant(Buffer.from('x'))),
      data: orNull(fc.constant('{"a": 1}')),
      node_id: orNull(id),
    }),
    lines: rows(40, {
      item_id: orNull(fc.integer({ min: 1, max: 30 })),
      label: orNull(text),
      qty: orNull(fc.integer({ min: -3, max: 12 })),
      node_id: orNull(id),
    }),
    links: fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), id), { minLength: 20, maxLength: 40 }),
  })
  .map(({ nodes, tags, items, lines, links }) => ({
    rows: new Map([
      ['x.node', nodes],
      ['x.tag', tags],
      ['x.item', items],
      ['x.line', lines],
    ]),
    links,
  }));
