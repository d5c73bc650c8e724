import type { Arch, Domain } from '@kontor/protocol';
import type { BoardColumn } from './board.ts';
import { bucketDomain } from './date-buckets.ts';

/** What the cards of one column are narrowed to. */
export function columnDomain(arch: Arch, { value }: BoardColumn): Domain {
  const [field = '', granularity] = (arch.kanban?.groupField ?? '').split(':');
  const type = arch.fields.find(({ name }) => name === field)?.type ?? '';
  const isDate = granularity !== undefined && typeof value === 'string';
  const own: Domain = isDate ? bucketDomain(field, type, value) : [[field, '=', value]];
  return [...(arch.domain ?? []), ...own];
}
