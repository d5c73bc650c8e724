import type { ArchField, Domain } from '@kontor/protocol';
import { useEffect, useMemo, useState } from 'react';
import { connection } from '../../data/connection.ts';
import { withoutArchived } from '../../data/model-fields.ts';
import { createPages, type PageQuestion } from '../../data/pages.ts';
import { nameOnScreen } from '../../data/records.ts';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { busyTimer } from '../../state/idle.ts';

const none: readonly RecordValues[] = [];
const maxChoices = 8;

interface Found {
  readonly records: readonly RecordValues[];
  /** False while the answer to the last input is loading. */
  readonly isCurrent: boolean;
}

/** Records whose name contains the text; null requests nothing. */
export function useChoices(model: string, typed: string | null, domain: Domain, limit = maxChoices): Found {
  const wanted: Domain = typed ? [['display_name', 'ilike', typed]] : [];
  const question = typed === null ? null : namesQuestion(model, [...domain, ...wanted]);
  return useFirstRows(question, { limit, delay: typed ? 120 : 0 });
}

/** Records whose name contains the text, requested once. */
export async function findNames(model: string, text: string, domain: Domain): Promise<readonly RecordValues[]> {
  const named = await withoutArchived(model, [...domain, ['display_name', 'ilike', text]]);
  return searchRead(model, named, ['display_name'], { limit: maxChoices });
}

/** The names of matching records that are not archived; null without a model. */
function namesQuestion(model: string, domain: Domain): PageQuestion<RecordValues> | null {
  if (model === '') return null;
  return {
    key: JSON.stringify([model, domain]),
    async ask({ limit }, { signal }) {
      return searchRead(model, await withoutArchived(model, domain), ['display_name'], { limit }, { signal });
    },
  };
}

const first = 'first';

/** The first rows of an answer. Those of the previous query stay until they arrive. */
function useFirstRows(
  question: PageQuestion<RecordValues> | null,
  { limit, delay }: { readonly limit: number; readonly delay: number },
): Found {
  const [found, setFound] = useState<{ readonly records: readonly RecordValues[]; readonly key: string | null }>({
    records: none,
    key: null,
  });
  const pages = useMemo(() => createPages<RecordValues>({ pageSize: limit }), [limit]);
  const key = question?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked.
  useEffect(() => {
    if (!question) return;
    const stop = pages.subscribe(() => {
      if (!pages.isComplete(first)) return;
      setFound({ records: pages.rows(first).filter((one) => one !== undefined), key });
    });
    const ask = () => {
      pages.setQuestion(first, question);
      pages.see(first, { first: 0, last: limit - 1, total: limit });
    };
    const cancel = busyTimer(ask, delay);
    const stopWaiting = connection.subscribe(pages.fetchSeen);
    return () => {
      stop();
      cancel();
      stopWaiting();
      pages.drop(first);
    };
  }, [pages, key, limit]);
  return { records: found.records, isCurrent: found.key === key };
}

export function nameOf(record: RecordValues): string {
  return nameOnScreen(record.display_name);
}

interface FieldOption {
  readonly value: string | number;
  readonly label: string;
}

const maxOptions = 100;

/** All options at once, of a selection or of a small related model. */
export function useOptions(field: ArchField, domain: Domain | undefined): readonly FieldOption[] {
  const question = namesQuestion(field.relation ?? '', domain ?? field.domain ?? []);
  const { records } = useFirstRows(question, { limit: maxOptions, delay: 0 });
  if (field.selection) return field.selection.map(([value, label]) => ({ value, label }));
  return records.map((one) => ({ value: one.id, label: nameOf(one) }));
}
