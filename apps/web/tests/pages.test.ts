import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPages, type PageQuestion, type PageRange, type Pages, type Sight } from '../data/pages.ts';

/** A server whose answers are held until they are released, in any order. */
function heldServer() {
  const held: { readonly answer: () => void; readonly fail: () => void }[] = [];
  const asked: PageRange[] = [];
  /** Answers hold what was true when they were asked, as a slow network delivers it. */
  const question = (key: string, rows: readonly string[]): PageQuestion<string> => ({
    key,
    ask({ offset, limit }) {
      asked.push({ offset, limit });
      const found = rows.slice(offset, offset + limit);
      return new Promise((resolve, reject) => {
        held.push({ answer: () => resolve(found), fail: () => reject(new Error('held')) });
      });
    },
  });
  const settle = async (at: number, how: 'answer' | 'fail') => {
    held.splice(at, 1)[0]?.[how]();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { held, asked, question, settle };
}

const rowsOf = (key: string, count: number, version = 0) =>
  Array.from({ length: count }, (_, at) => `${key}${at}v${version}`);

describe('pages', () => {
  const all: Sight = { first: 0, last: 94, total: 95 };

  it('SCN-96 a refresh that was asked before and comes after does not take rows away', async () => {
    const server = heldServer();
    const pages = createPages<string>({ pageSize: 40, atOnce: 6, pagesPerRequest: 12 });
    const question = server.question('a', rowsOf('a', 95));
    pages.setQuestion('run', question);
    pages.put('run', 0, rowsOf('a', 80), 95);
    pages.see('run', all);
    pages.setQuestion('run', question);
    pages.put('run', 0, rowsOf('a', 40), 95);
    pages.see('run', all);
    expect(server.asked).toEqual([
      { offset: 80, limit: 40 },
      { offset: 40, limit: 80 },
    ]);
    for (const order of [0, 0]) await server.settle(order, 'answer');
    expect(pages.rows('run')).toEqual(rowsOf('a', 95));
  });

  it('SCN-96 an answer to an earlier question is dropped, and neither holds back the next one nor is waited for', async () => {
    const server = heldServer();
    const pages = createPages<string>({ pageSize: 40 });
    pages.setQuestion('run', server.question('a', rowsOf('a', 95)));
    pages.see('run', { first: 0, last: 10, total: 95 });
    pages.setQuestion('run', server.question('b', rowsOf('b', 10)));
    pages.see('run', { first: 0, last: 9, total: 10 });
    expect(server.held).toHaveLength(2);
    await server.settle(1, 'answer');
    await server.settle(0, 'answer');
    expect(pages.rows('run')).toEqual(rowsOf('b', 10));
  });

  it('SCN-96 what failed is asked for again when somebody looks, and not before', async () => {
    const server = heldServer();
    const errors: unknown[] = [];
    const pages = createPages<string>({ pageSize: 40, onError: (error) => errors.push(error) });
    pages.setQuestion('run', server.question('a', rowsOf('a', 95)));
    pages.see('run', { first: 0, last: 10, total: 95 });
    await server.settle(0, 'fail');
    expect([errors.length, server.held.length]).toEqual([1, 0]);
    pages.fetchSeen();
    await server.settle(0, 'answer');
    expect(pages.rows('run')).toEqual(rowsOf('a', 40));
  });

  it('an answer that ends early is not asked for over and over, and old rows behind its end are gone', async () => {
    const server = heldServer();
    const pages = createPages<string>({ pageSize: 40 });
    pages.setQuestion('run', server.question('a', rowsOf('a', 50)));
    pages.put('run', 0, rowsOf('a', 80), 95);
    pages.setQuestion('run', server.question('a', rowsOf('a', 50)));
    pages.see('run', { first: 40, last: 94, total: 95 });
    await server.settle(0, 'answer');
    await server.settle(0, 'answer');
    pages.fetchSeen();
    expect(server.held).toHaveLength(0);
    expect(pages.rows('run')).toEqual(rowsOf('a', 50));
    expect(pages.isComplete('run')).toBe(true);
  });
});

/** One thing that may happen while answers are under way. */
type Step =
  | { readonly kind: 'answer' | 'fail'; readonly at: number }
  | { readonly kind: 'ask'; readonly key: number; readonly count: number }
  | { readonly kind: 'change'; readonly count: number; readonly hasPayload: boolean }
  | { readonly kind: 'see'; readonly first: number; readonly size: number }
  | { readonly kind: 'look' };

const count = fc.integer({ min: 0, max: 60 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('answer' as const, 'fail' as const), at: fc.nat(10) }),
    fc.record({ kind: fc.constant('ask' as const), key: fc.nat(2), count }),
    fc.record({ kind: fc.constant('change' as const), count, hasPayload: fc.boolean() }),
    fc.record({ kind: fc.constant('see' as const), first: fc.nat(60), size: fc.nat(30) }),
    fc.record({ kind: fc.constant('look' as const) }),
  ),
  { maxLength: 40 },
);
const options = fc.record({
  pageSize: fc.integer({ min: 1, max: 12 }),
  atOnce: fc.integer({ min: 1, max: 3 }),
  pagesPerRequest: fc.integer({ min: 1, max: 4 }),
});

/** Runs the steps, and afterwards lets every answer come until nothing is asked for any more. */
function world(pages: Pages<string>) {
  const server = heldServer();
  let [key, version, rows] = ['k0', 0, rowsOf('k0', 30)];
  const ask = () => pages.setQuestion('run', server.question(key, rows));
  const see = (first: number, last: number) => pages.see('run', { first, last, total: rows.length });
  ask();
  const change = (given: string, size: number) => {
    [key, version] = [given, version + 1];
    rows = rowsOf(key, size, version);
    ask();
  };
  return {
    server,
    key: () => key,
    rows: () => rows,
    async run(step: Step) {
      if (step.kind === 'answer' || step.kind === 'fail')
        await server.settle(step.at % (server.held.length || 1), step.kind);
      else if (step.kind === 'ask') change(`k${step.key}`, step.count);
      else if (step.kind === 'change') {
        change(key, step.count);
        if (step.hasPayload) pages.put('run', 0, rows.slice(0, 10), rows.length);
      } else if (step.kind === 'see') see(step.first, step.first + step.size);
      else pages.fetchSeen();
    },
    async finish() {
      see(0, rows.length - 1);
      pages.fetchSeen();
      for (let round = 0; server.held.length > 0; round++) {
        if (round > 500) throw new Error('It asks for ever.');
        await server.settle(0, 'answer');
      }
    },
  };
}

describe('pages, whatever comes in which order', () => {
  it('SCN-96 end with the rows of the last question, all of them and as they were when it was asked last', async () => {
    const ends = async (given: readonly Step[], how: Parameters<typeof createPages>[0]) => {
      const pages = createPages<string>(how);
      const { run, finish, key, rows } = world(pages);
      for (const step of given) {
        await run(step);
        const shown = pages.rows('run').filter((row) => row !== undefined);
        expect(shown.every((row) => row.startsWith(key()))).toBe(true);
      }
      await finish();
      expect(pages.rows('run').slice(0, rows().length)).toEqual(rows());
      expect(pages.isComplete('run')).toBe(true);
    };
    await fc.assert(fc.asyncProperty(steps, options, ends), { numRuns: 400 });
  });
});
