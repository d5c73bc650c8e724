import type { WorkspacePayload } from '@kontor/protocol';
import { showError, writeRecords } from '../../data/changes.ts';
import type { Values } from '../../data/rpc.ts';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { type Entry, type Span, type SpanFields, spanValues } from './span.ts';
import { spanText } from './time-words.ts';

/** Whether an entry is already where it is moved to. */
export function isSamePlace(entry: Entry, span: Span): boolean {
  return span.start === entry.start && span.end === entry.end && span.isAllDay === entry.isAllDay;
}

/** A move to another group. */
interface GroupChange {
  readonly values: Values;
  readonly shown: Values;
  readonly label: string;
}

interface SpanMove {
  readonly entry: Entry;
  readonly span: Span;
  /** Additional values to write. */
  readonly also?: Values;
  readonly into?: GroupChange | null;
}

/**
 * Saves where an entry was dropped: shown at once, with Undo, and reverted with an error message if the server rejects
 * it.
 */
export async function saveSpan(
  { model }: WorkspacePayload,
  fields: SpanFields,
  { entry, span, also = {}, into = null }: SpanMove,
): Promise<boolean> {
  const isThere = isSamePlace(entry, span);
  if (isThere && !into) return true;
  const values = { ...(isThere ? {} : { ...spanValues(fields, span, entry), ...also }), ...into?.values };
  const name = entry.title;
  const column = [...(into ? [into.label] : []), ...(isThere ? [] : [spanText(span)])].join(', ');
  const done = t('Moved {name} to {column}', { name, column });
  try {
    await writeRecords({ model, ids: [entry.id], values, ...(into ? { shown: into.shown } : {}), done });
    return true;
  } catch (error) {
    showError(error);
    announce(t('{name} was moved back.', { name }));
    return false;
  }
}
