import type { ArchField, Domain } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { withoutArchived } from '../../data/model-fields.ts';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { busyTimer } from '../../state/idle.ts';

const none: readonly RecordValues[] = [];
const maxChoices = 8;

interface Found {
  readonly records: readonly RecordValues[];
  /** False while the answer to what was typed last is under way. */
  readonly isCurrent: boolean;
}

/** Records whose name holds what was typed; null asks for nothing. */
export function useChoices(model: string, typed: string | null, domain: Domain, limit = maxChoices): Found {
  const [found, setFound] = useState<{ records: readonly RecordValues[]; typed: string | null }>({
    records: none,
    typed: null,
  });
  const given = JSON.stringify(domain);
  useEffect(() => {
    if (typed === null || model === '') return;
    const controller = new AbortController();
    const cancel = busyTimer(
      () => {
        const wanted: Domain = typed ? [['display_name', 'ilike', typed]] : [];
        withoutArchived(model, [...(JSON.parse(given) as Domain), ...wanted])
          .then((asked) => searchRead(model, asked, ['display_name'], { limit }, { signal: controller.signal }))
          .then(
            (records) => !controller.signal.aborted && setFound({ records, typed }),
            () => {},
          );
      },
      typed === '' ? 0 : 120,
    );
    return () => {
      cancel();
      controller.abort();
    };
  }, [model, typed, given, limit]);
  return { records: found.records, isCurrent: found.typed === typed };
}

export function nameOf(record: RecordValues): string {
  return String(record.display_name ?? `#${record.id}`);
}

interface FieldOption {
  readonly value: string | number;
  readonly label: string;
}

const maxOptions = 100;

/** Every choice at once, of a selection or of a small related model. */
export function useOptions(field: ArchField, domain: Domain | undefined): readonly FieldOption[] {
  const [records, setRecords] = useState<readonly FieldOption[]>([]);
  const model = field.relation;
  const given = JSON.stringify(domain ?? field.domain ?? []);
  useEffect(() => {
    if (model === undefined) return;
    let isCurrent = true;
    withoutArchived(model, JSON.parse(given))
      .then((asked) => searchRead(model, asked, ['display_name'], { limit: maxOptions }))
      .then(
        (found) => isCurrent && setRecords(found.map((one) => ({ value: one.id, label: nameOf(one) }))),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [model, given]);
  return field.selection ? field.selection.map(([value, label]) => ({ value, label })) : records;
}
