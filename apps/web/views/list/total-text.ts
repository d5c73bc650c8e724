import type { Arch } from '@kontor/protocol';
import type { Column } from './columns.ts';

/** A sum or an average, as its column shows numbers. Sums over several currencies stand without one. */
export function totalText(arch: Arch, { field, node, widget }: Column, value: unknown): string {
  if ((node.sum ?? node.avg) === undefined || value === null || value === undefined) return '';
  return widget.toText({ field, node, model: arch.model, value, record: { id: 0 }, place: 'list' });
}
