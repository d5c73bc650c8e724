import type { WorkspacePayload } from '@kontor/protocol';
import { showError, writeRecords } from '../../data/changes.ts';
import type { Values } from '../../data/rpc.ts';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { type Entry, type Span, type SpanFields, spanValues } from './span.ts';
import { spanText } from './time-words.ts';

export function isSamePlace(entry: Entry, span: Span): boolean {
  return span.start === entry.start && span.end === entry.end && span.isAllDay === entry.isAllDay;
}

/** Saves where an entry was dropped: shown at once, with Undo, and put back with the reason when the server refuses. */
export async function saveSpan(
  { model }: WorkspacePayload,
  fields: SpanFields,
  entry: Entry,
  span: Span,
  also: Values = {},
): Promise<boolean> {
  if (isSamePlace(entry, span)) return true;
  const values = { ...spanValues(fields, span, entry), ...also };
  const name = entry.title;
  const done = t('Moved {name} to {column}', { name, column: spanText(span) });
  try {
    await writeRecords({ model, ids: [entry.id], values, done });
    return true;
  } catch (error) {
    showError(error);
    announce(t('{name} is back where it was.', { name }));
    return false;
  }
}
