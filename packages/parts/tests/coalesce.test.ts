import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCoalescer } from '../events/event-feed.ts';
import type { PublishedEvent } from '../events/read-events.ts';

const event = (channel: string, id: number, more: Partial<PublishedEvent> = {}): PublishedEvent => ({
  channel,
  payload: { model: 'sale.order', id },
  model: 'sale.order',
  companyId: 1,
  userId: null,
  ...more,
});

describe('EVT-4 bursts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function heard() {
    const batches: (readonly PublishedEvent[])[] = [];
    return { batches, coalescer: createCoalescer((events) => batches.push(events)) };
  }

  it('EVT-4 what happens to one record within 100 ms is one message', () => {
    const { batches, coalescer } = heard();
    for (let at = 0; at < 100; at += 20) {
      coalescer.add([event('record.updated', 1)]);
      vi.advanceTimersByTime(20);
    }
    vi.advanceTimersByTime(200);
    expect(batches).toEqual([[event('record.updated', 1)]]);
  });

  it('EVT-4 a lone change is told well before that', () => {
    const { batches, coalescer } = heard();
    coalescer.add([event('record.updated', 1)]);
    vi.advanceTimersByTime(80);
    expect(batches).toHaveLength(1);
  });

  it('EVT-4 a new record that is written stays new, one that goes is gone, and one that comes back is there', () => {
    const { batches, coalescer } = heard();
    coalescer.add([event('record.created', 1), event('record.updated', 1)]);
    coalescer.add([event('record.created', 2), event('record.deleted', 2)]);
    coalescer.add([event('record.deleted', 3), event('record.created', 3)]);
    coalescer.flush();
    expect(batches.flat().map(({ channel, payload }) => [channel, payload.id])).toEqual([
      ['record.created', 1],
      ['record.deleted', 2],
      ['record.created', 3],
    ]);
  });

  it('EVT-4 companies, channels and messages to people are kept apart', () => {
    const { batches, coalescer } = heard();
    coalescer.add([
      event('record.updated', 1),
      event('record.updated', 1, { companyId: 2 }),
      event('chatter.posted', 1),
      event('notify', 1, { userId: 7 }),
      event('notify', 1, { userId: 7 }),
    ]);
    vi.advanceTimersByTime(500);
    expect(batches.flat()).toHaveLength(5);
  });
});
