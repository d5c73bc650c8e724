import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useState } from 'react';
import { searchRead } from '../data/rpc.ts';
import { keepName } from '../fields/domain/relation-names.ts';
import { busyTimer } from '../state/idle.ts';
import { fieldSuggestions, recordSuggestion, relationFields, type Suggestion } from './suggestions.ts';

const relationsAsked = 3;
const recordsEach = 3;

/** What the typed text could mean: at once per field, and the records of that name a moment later. */
export function useSuggestions(workspace: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  const fields = useMemo(() => fieldSuggestions(workspace, text), [workspace, text]);
  const [found, setFound] = useState<{ text: string; records: readonly Suggestion[] }>({ text: '', records: [] });
  // The arch keeps its search fields as long as the view does.
  const relations = useMemo(() => relationFields(workspace).slice(0, relationsAsked), [workspace]);
  const key = JSON.stringify(relations);
  useEffect(() => {
    if (text.length < 2) return;
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      const wanted = JSON.parse(key) as typeof relations;
      Promise.all(wanted.map((field) => findRecords(field, text, controller.signal))).then(
        (records) => setFound({ text, records: records.flat() }),
        () => {},
      );
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [text, key]);
  return found.text === text && text !== '' ? [...fields, ...found.records] : fields;
}

async function findRecords(
  field: ReturnType<typeof relationFields>[number],
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const rows = await searchRead(
    field.relation,
    [['display_name', 'ilike', text]],
    ['display_name'],
    { limit: recordsEach },
    { signal },
  );
  return rows.map(({ id, display_name }) => {
    keepName(field.relation, id, String(display_name ?? ''));
    return recordSuggestion(field, id, String(display_name ?? ''));
  });
}
