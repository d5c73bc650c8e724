import { guardRecord, type LoadedRecord, markLoaded } from '@kontor/orm';
import { describe, expect, it } from 'vitest';

const record = {
  id: 1,
  name: 'A',
  meta: { id: 9, colour: 'red' },
  partner_id: { id: 2, name: 'P' },
  line_ids: [{ id: 3, qty: 4, price: 5 }],
};
markLoaded(record.partner_id);

describe('guardRecord', () => {
  const guarded = guardRecord(record as LoadedRecord, ['name', 'meta', 'partner_id', 'line_ids.qty'], 'The test');

  it('CMP-3 gives what was declared, ids always', () => {
    expect(guarded.name).toBe('A');
    expect((guarded.partner_id as LoadedRecord).id).toBe(2);
    expect((guarded.line_ids as readonly LoadedRecord[]).map((line) => line.qty)).toEqual([4]);
  });

  it('CMP-3 throws on an undeclared path at any depth and names it', () => {
    expect(() => guarded.state).toThrow(/The test reads state, which it does not declare/);
    expect(() => (guarded.partner_id as LoadedRecord).name).toThrow(/partner_id\.name/);
    expect(() => (guarded.line_ids as readonly LoadedRecord[])[0]?.price).toThrow(/line_ids\.price/);
  });

  it('CMP-3 leaves json values alone', () => {
    expect((guarded.meta as { colour: string }).colour).toBe('red');
  });
});
