import type { Arch } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { UserSettings } from './load-user-settings.ts';

/** Which columns a person wants in which order and how wide, less what the list does not have (any more). */
export function ownColumns(settings: UserSettings, action: WindowAction, arch: Arch): Arch['columns'] {
  const value = settings.values.get(`columns:${action.key}`);
  if (!arch.list || typeof value !== 'object' || value === null) return undefined;
  const known = new Set(arch.list.columns.map((column) => column.name));
  const { order, hidden, widths } = value as Readonly<Record<string, unknown>>;
  return { order: namesIn(order, known), hidden: namesIn(hidden, known), widths: widthsIn(widths, known) };
}

function namesIn(value: unknown, known: ReadonlySet<string>): readonly string[] {
  return Array.isArray(value)
    ? [...new Set(value as unknown[])].filter((name): name is string => known.has(name as string))
    : [];
}

function widthsIn(value: unknown, known: ReadonlySet<string>): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(([name, width]) => known.has(name) && isWidth(width));
  return Object.fromEntries(entries) as Record<string, number>;
}

function isWidth(width: unknown): boolean {
  return typeof width === 'number' && width > 0 && width <= 4_000;
}
