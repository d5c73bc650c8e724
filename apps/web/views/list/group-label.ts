import type { Arch, GroupRow } from '@kontor/protocol';
import { formatBucket } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';

/** What a group of `read_group` is called. */
export function groupName(arch: Arch, groupBy: string, row: GroupRow): string {
  const value = row[groupBy];
  const name = row[`${groupBy}.display_name`];
  if (typeof name === 'string') return name;
  if (value === null || value === undefined || value === '') return t('None');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const [field = '', granularity] = groupBy.split(':');
  if (granularity) return formatBucket(String(value));
  const known = arch.fields.find((one) => one.name === field);
  const label = known?.selection?.find(([key]) => key === value)?.[1];
  return label ?? (known?.type === 'date' ? formatBucket(String(value)) : String(value));
}
