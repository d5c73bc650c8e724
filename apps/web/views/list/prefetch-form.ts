import type { WorkspacePayload } from '@kontor/protocol';
import { hasFormArch } from '../../data/workspace-cache.ts';
import type { SearchState } from '../../search/search-state.ts';
import { prefetchRecord } from '../open-record.ts';

/** While nothing else is to do, fetches one form: with its arch in memory every row opens in the same frame. */
export function prefetchForm(search: SearchState, workspace: WorkspacePayload): (() => void) | undefined {
  const [first] = workspace.records;
  if (!first || hasFormArch(search.action || String(workspace.actionId || ''), workspace.model)) return;
  if (!('requestIdleCallback' in window)) return;
  const wait = requestIdleCallback(() => prefetchRecord(search, workspace, first.id), { timeout: 2000 });
  return () => cancelIdleCallback(wait);
}
