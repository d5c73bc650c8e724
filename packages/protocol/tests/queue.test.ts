import { describe, expect, it } from 'vitest';
import { queue } from '../index.ts';

/** Work that ends when it is told to. */
function task(log: string[], name: string) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve(name));
  });
  const work = () => {
    log.push(name);
    return ended;
  };
  return { end: (error?: Error) => end(error), work };
}

describe('a queue', () => {
  it('runs one after another, in the order of coming, whatever fails', async () => {
    const log: string[] = [];
    const [a, b, c] = [task(log, 'a'), task(log, 'b'), task(log, 'c')];
    const work = queue();
    const results = Promise.allSettled([a, b, c].map((each) => work.run(each.work)));
    expect([log, work.length]).toEqual([['a'], 3]);
    c.end();
    b.end(new Error('broken'));
    expect(log).toEqual(['a']);
    a.end();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([log, work.length]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('runs as many at once as it may', async () => {
    const log: string[] = [];
    const tasks = ['a', 'b', 'c'].map((name) => task(log, name));
    const work = queue(2);
    const results = tasks.map((each) => work.run(each.work));
    expect(log).toEqual(['a', 'b']);
    tasks[1]?.end();
    await results[1];
    expect(log).toEqual(['a', 'b', 'c']);
    for (const each of tasks) each.end();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
  });

  it('lets go of whoever leaves while waiting', async () => {
    const log: string[] = [];
    const [a, b, c] = [task(log, 'a'), task(log, 'b'), task(log, 'c')];
    const work = queue();
    const leaving = new AbortController();
    const first = work.run(a.work);
    const second = work.run(b.work, leaving.signal);
    const third = work.run(c.work);
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await expect(work.run(b.work, leaving.signal)).rejects.toThrow('gone');
    a.end();
    c.end();
    expect([await first, await third, log]).toEqual(['a', 'c', ['a', 'c']]);
  });

  it('is idle when nothing runs and nothing waits', async () => {
    const log: string[] = [];
    const [a, b] = [task(log, 'a'), task(log, 'b')];
    const work = queue();
    await work.idle();
    const both = [work.run(a.work), work.run(b.work)];
    const idle = work.idle().then(() => log.push('idle'));
    a.end();
    await both[0];
    expect(log).toEqual(['a', 'b']);
    b.end();
    await idle;
    expect(log).toEqual(['a', 'b', 'idle']);
  });
});
