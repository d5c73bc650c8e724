import type { Arch, WorkspacePayload } from '@kontor/protocol';
import { inSentence, t } from '../i18n/messages.ts';
import type { SearchState } from '../search/search-state.ts';
import { openRecord } from './open-record.ts';

/** The label for creating a record, the same on every button and form. */
export function newName({ newLabel, label }: Pick<Arch, 'newLabel' | 'label'>): string {
  return newLabel ?? t('New {label}', { label: inSentence(label) });
}

/** Opens a new record with initial values. */
export function openNew(
  search: SearchState,
  workspace: WorkspacePayload,
  values: Readonly<Record<string, unknown>>,
): void {
  openRecord(withDefaults(search, values), workspace, 0);
}

/** The search with initial values of a new record, passed as `context`. */
function withDefaults(search: SearchState, values: Readonly<Record<string, unknown>>): SearchState {
  const filled = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  const context = { ...readContext(search), ...Object.fromEntries(filled.map(([k, v]) => [`default_${k}`, v])) };
  return { ...search, extra: { ...search.extra, context: JSON.stringify(context) } };
}

function readContext({ extra }: SearchState): object {
  try {
    return JSON.parse(extra.context ?? '{}') as object;
  } catch {
    return {};
  }
}
