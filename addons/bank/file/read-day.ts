/** The order of year, month and day. */
export const dayOrders = ['dmy', 'ymd', 'mdy'] as const;
export type DayOrder = (typeof dayOrders)[number];

/** A day as a file writes it: `2026-11-05`, `05.11.26`, `20261105`, with or without a time. Null: it is none. */
export function readDay(given: string, order: DayOrder): string | null {
  if (given.length > 40) return null;
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(given);
  if (packed) return dayOf(packed[1], packed[2], packed[3]);
  const parts = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[T ].*)?$/.exec(given.trim());
  if (!parts) return null;
  const [, first, second, third] = parts;
  if ((first?.length ?? 0) === 4) return dayOf(first, second, third);
  if (order === 'dmy') return dayOf(year(third), second, first);
  if (order === 'mdy') return dayOf(year(third), first, second);
  return dayOf(year(first), second, third);
}

function year(given: string | undefined): string {
  return given?.length === 2 ? `20${given}` : (given ?? '');
}

function dayOf(y: string | undefined, m: string | undefined, d: string | undefined): string | null {
  const day = `${y}-${m?.padStart(2, '0')}-${d?.padStart(2, '0')}`;
  if (!/^(?:19|20)\d{2}-\d{2}-\d{2}$/.test(day)) return null;
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? day : null;
}

/** The order in which all days of a column can be read. */
export function orderOf(values: readonly string[]): DayOrder | null {
  const given = values.filter((value) => value.trim() !== '');
  return dayOrders.find((order) => given.every((value) => readDay(value, order) !== null)) ?? null;
}
