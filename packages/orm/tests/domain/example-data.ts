import type { Data } from './in-memory.ts';

export const exampleData: Data = {
  rows: new Map([
    [
      'x.node',
      [
        { id: 1, name: 'World', code: 'W', parent_id: null },
        { id: 2, name: 'Europe', code: null, parent_id: 1 },
        { id: 3, name: 'Zürich', code: 'ZH', parent_id: 2 },
        { id: 4, name: 'Circle', code: '', parent_id: 5 },
        { id: 5, name: 'Back', code: '', parent_id: 4 },
      ],
    ],
    [
      'x.tag',
      [
        { id: 1, name: 'red' },
        { id: 2, name: 'blue' },
      ],
    ],
    [
      'x.item',
      [
        // biome-ignore format: one row a line
        { id: 1, name: 'Apple', note: '50% off_', state: 'draft', ref: 'x.node,1', qty: 1, ratio: 0.1, amount: '0.30', flag: true, day: '2026-11-14', at: '2026-11-13T23:00:00Z', blob: Buffer.from('x'), data: '{}', node_id: 3 },
        // biome-ignore format: one row a line
        { id: 2, name: 'apple', note: '50 percent', state: 'done', ref: 'x.tag,1', qty: 20, ratio: 1e300, amount: '123456789012345678.123456', flag: false, day: '2024-02-29', at: '2026-11-14T09:30:00.123Z', blob: null, data: null, node_id: 2 },
        // biome-ignore format: one row a line
        { id: 3, name: '', note: '', state: null, ref: null, qty: 0, ratio: 0, amount: '0', flag: false, day: null, at: null, blob: null, data: null, node_id: 4 },
        // biome-ignore format: one row a line
        { id: 4, name: null, note: null, state: null, ref: null, qty: null, ratio: null, amount: null, flag: false, day: null, at: null, blob: null, data: null, node_id: null },
        // biome-ignore format: one row a line
        { id: 5, name: 'ΟΔΟΣ 😀', note: 'a\\b', state: 'draft', ref: null, qty: -3, ratio: -1.5, amount: '-10.5', flag: true, day: '0001-01-01', at: null, blob: null, data: null, node_id: 1 },
      ],
    ],
    [
      'x.line',
      [
        { id: 1, item_id: 1, label: 'first', qty: 1, node_id: 3 },
        { id: 2, item_id: 1, label: null, qty: 5, node_id: null },
        { id: 3, item_id: 2, label: 'second', qty: 5, node_id: 4 },
      ],
    ],
  ]),
  links: [
    [1, 1],
    [1, 2],
    [2, 2],
  ],
};
