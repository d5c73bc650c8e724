import type { Kernel } from '@kontor/kernel';
import {
  type Domain,
  didYouMean,
  invalidArgs,
  type LogFilter,
  type LogRecord,
  type LogsScreenData,
} from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';

export interface LogsQuery extends LogFilter {
  /** Entries older than this one. */
  readonly before: number | null;
  /** Entries younger than this one: the live tail. */
  readonly after: number | null;
}

const pageSize = 100;
const paths = ['at', 'level', 'source', 'message', 'request_id', 'user_id', 'process'];

/** Log entries by level, text and request. */
export async function logsScreen(
  kernel: Kernel,
  { actor }: WorkspaceCaller,
  query: LogsQuery,
): Promise<LogsScreenData> {
  const { level, q, requestId, before, after } = query;
  const levels = [...(kernel.loaded.registryIn(actor.lang).model('sys.log').fields.get('level')?.selection ?? [])];
  checkLevel(
    level,
    levels.map(([value]) => value),
  );
  const domain: Domain = [
    ...(level === '' ? [] : [['level', '=', level] as const]),
    ...(q === '' ? [] : [['message', 'ilike', q] as const]),
    ...(requestId === '' ? [] : [['request_id', '=', requestId] as const]),
    ...(before === null ? [] : [['id', '<', before] as const]),
    ...(after === null ? [] : [['id', '>', after] as const]),
  ];
  const found = await kernel.read(actor, (env) =>
    env.model('sys.log').searchRead(domain, paths, { order: '-id', limit: pageSize + 1 }),
  );
  return {
    entries: found.slice(0, pageSize) as LogRecord[],
    levels,
    filter: { level, q, requestId },
    more: found.length > pageSize,
  };
}

function checkLevel(level: string, levels: readonly string[]): void {
  if (level === '' || levels.includes(level)) return;
  throw invalidArgs(`There is no level "${level.slice(0, 40)}".${didYouMean(level, levels)}`, {
    field: 'level',
    hint: levels.join(', '),
  });
}
