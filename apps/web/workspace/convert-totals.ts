import type { WorkspacePayload } from '@kontor/protocol';
import { navigate } from '../navigation/router.ts';
import { effectiveSearch } from '../search/effective-search.ts';
import { refine, type SearchState, toHref } from '../search/search-state.ts';

/** Converts all totals into the company's currency, or shows one for each currency again. */
export function convertTotals(workspace: WorkspacePayload, search: SearchState): void {
  const now = effectiveSearch(workspace, search);
  const extra = { ...now.extra, convert: workspace.arch.moneyIn ? '' : 'company' };
  void navigate(toHref(refine(now, { extra })), { keepTrail: true });
}
