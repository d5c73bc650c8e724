import type { ViewNode } from '../view-node.ts';
import { type ArchScope, needValue, readablePath } from './arch-scope.ts';
import { valuesOf } from './values-of.ts';

/** What a view says of the query behind it. */
export interface ViewQuery {
  readonly order: string | null;
  readonly limit: number | null;
  /** Groups of a list that the view opens with, with granularity. */
  readonly groupBy: readonly string[];
}

export function viewQuery(scope: ArchScope, view: ViewNode): ViewQuery {
  const { order, limit, groupBy } = valuesOf(view, view.tag);
  const groups = view.tag === 'list' ? ((groupBy ?? []) as readonly string[]) : [];
  return {
    order: typeof order === 'string' && isReadableOrder(scope, order) ? order : null,
    limit: typeof limit === 'number' ? limit : null,
    groupBy: groups.filter((term) => needGroup(scope, term)),
  };
}

function isReadableOrder(scope: ArchScope, order: string): boolean {
  return order.split(', ').every((term) => readablePath(scope, term.replace('-', '').split('.')) !== null);
}

function needGroup(scope: ArchScope, term: string): boolean {
  const path = (term.split(':')[0] as string).split('.');
  if (!readablePath(scope, path)) return false;
  needValue(scope, path);
  return true;
}
