import { type Queryable, sql } from '@kontor/database';
import { createThrottle, definePart, type Kernel } from '@kontor/kernel';
import { type AskedCount, takeAsked } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const askedFields = {
  model: fields.char({ required: true, size: 128 }),
  equal: fields.char({ required: true, size: 1_000, label: 'Looked up by' }),
  range: fields.char({ required: true, size: 1_000, label: 'Above or below' }),
  sort: fields.char({ required: true, size: 1_000, label: 'Sorted by' }),
  count: fields.integer({ required: true, label: 'Times' }),
  total_ms: fields.float({ required: true, label: 'Milliseconds', help: 'Of all answers together.' }),
  asked_at: fields.datetime({ required: true, label: 'Last asked on', index: true }),
};
interface SysAskedQuery extends FieldsOf<typeof askedFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.asked.query': SysAskedQuery;
  }
}

/** The shapes and frequencies of queries by model. It has no access rows: `kontor check --queries` reads it. */
const sysAskedQuery = defineModel('sys.asked.query', {
  label: 'Query that was asked',
  noCompany: 'Administrators alone see it, and it holds no values.',
  order: '-total_ms',
  displayName: '{model} {id}',
  quiet: true,
  fields: askedFields,
  uniques: { one_each: { fields: ['model', 'equal', 'range', 'sort'] } },
});

const longest = 1_000;
const names = (list: readonly string[]) => list.join(', ');

/** Adds to the counts of all processes. */
export async function keepAsked(db: Queryable, asked: readonly AskedCount[]): Promise<void> {
  const short = asked.filter(({ equal, range, order }) =>
    [names(equal), names(range), order].every((text) => text.length <= longest),
  );
  if (short.length === 0) return;
  // In a fixed order, so that two processes cannot deadlock.
  await db.execute(sql`
    insert into sys_asked_query as q (model, equal, range, sort, count, total_ms, asked_at, create_date, write_date)
    select a.model, a.equal, a.range, a.sort, a.count, a.ms, now(), now(), now()
    from unnest(${short.map(({ model }) => model)}::text[], ${short.map(({ equal }) => names(equal))}::text[],
      ${short.map(({ range }) => names(range))}::text[], ${short.map(({ order }) => order)}::text[],
      ${short.map(({ count }) => count)}::int4[], ${short.map(({ ms }) => ms)}::float8[])
      as a(model, equal, range, sort, count, ms)
    order by a.model, a.equal, a.range, a.sort
    on conflict (model, equal, range, sort) do update
      set count = least(q.count::int8 + excluded.count, 2000000000)::int4, total_ms = q.total_ms + excluded.total_ms,
        asked_at = now(), write_date = now()`);
}

interface AskedRow {
  readonly model: string;
  readonly equal: string;
  readonly range: string;
  readonly sort: string;
  readonly count: number;
  readonly total_ms: number;
  readonly [column: string]: unknown;
}

/** Queries, by total duration, the longest first. */
export async function readAsked(db: Queryable): Promise<readonly AskedCount[]> {
  const rows = await db.query<AskedRow>(sql`
    select model, equal, range, sort, count, total_ms from sys_asked_query order by total_ms desc, id`);
  const list = (text: string) => (text === '' ? [] : text.split(', '));
  return rows.map(({ model, equal, range, sort, count, total_ms: ms }) => ({
    ...{ model, equal: list(equal), range: list(range), order: sort, count, ms },
  }));
}

const spacingMs = 60_000;

interface AskedWriter {
  stop(): Promise<void>;
}

/** Counts of each process are written once a minute in the background; later ones are lost with the process. */
function startWriting({ database, log }: Kernel): AskedWriter {
  const writing = createThrottle(() => keepAsked(database, takeAsked()), {
    spacingMs: 0,
    onError: (error) => log.debug({ err: error }, 'could not keep what was asked'),
  });
  const timer = setInterval(writing.ask, spacingMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await writing.stop();
    },
  };
}

/** Query statistics, for index proposals. */
export const queriesPart = definePart({
  name: 'queries',
  models: [sysAskedQuery],
  expires: { clean_logs: [{ model: 'sys.asked.query', column: 'asked_at', age: '30 days' }] },
  start: startWriting,
  stop: (writer) => writer.stop(),
});
