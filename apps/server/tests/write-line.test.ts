import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWriteLine, type Waiting } from '../bus/write-line.ts';

/** Members of a line, and what each was sent, in the order in which it was. */
function someone(count: number) {
  const line = createWriteLine({ atOnce: 2, roundMs: 25 });
  const sent: { readonly to: number; readonly bytes: Buffer }[] = [];
  const members = Array.from({ length: count }, (_, to): Waiting => {
    const one = { frames: [], send: (bytes: Buffer) => void sent.push({ to, bytes }) };
    line.join(one);
    return one;
  });
  const tell = (text: string): void => {
    const bytes = Buffer.from(text);
    for (const one of members) line.add(one, bytes);
  };
  const heard = () => sent.splice(0).map(({ to, bytes }) => `${to} ${bytes.toString()}`);
  return { line, members, sent, tell, heard };
}

describe('EVT-11 writing to many sockets', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** What is to do now and until then, one turn of the event loop after the other. */
  const turn = (): void => void vi.advanceTimersToNextTimer();

  it('EVT-11 a few are served at a time, all with the same bytes', () => {
    const { sent, tell, heard } = someone(5);
    tell('a');
    turn();
    expect(sent.map(({ to }) => to)).toEqual([0, 1]);
    turn();
    turn();
    expect(new Set(sent.map(({ bytes }) => bytes)).size).toBe(1);
    expect(heard()).toEqual(['0 a', '1 a', '2 a', '3 a', '4 a']);
  });

  it('EVT-11 what comes in the middle goes with what others wait for, in order; the first ones get it with the next round', () => {
    const { tell, heard } = someone(4);
    tell('a');
    turn();
    tell('b');
    tell('c');
    turn();
    expect(heard()).toEqual(['0 a', '1 a', '2 abc', '3 abc']);
    vi.advanceTimersByTime(20);
    expect(heard()).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(heard()).toEqual(['0 bc', '1 bc']);
    vi.advanceTimersByTime(1_000);
    tell('d');
    turn();
    expect(heard()).toEqual(['0 d', '1 d']);
  });

  it('EVT-11 who leaves is left alone, and who says goodbye gets what waits first', () => {
    const { line, members, tell, heard } = someone(3);
    tell('a');
    line.leave(members[0] as Waiting);
    line.serve(members[2] as Waiting);
    expect(heard()).toEqual(['2 a']);
    vi.advanceTimersByTime(1_000);
    expect(heard()).toEqual(['1 a']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
