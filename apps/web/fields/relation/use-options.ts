import type { ArchField, Domain } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { withoutArchived } from '../../data/form/archivable.ts';
import { searchRead } from '../../data/rpc.ts';
import { nameOf } from './use-choices.ts';

export interface FieldOption {
  readonly value: string | number;
  readonly label: string;
}

const most = 100;

/** Every choice at once, of a selection or of a small related model. */
export function useOptions(field: ArchField, domain: Domain | undefined): readonly FieldOption[] {
  const [records, setRecords] = useState<readonly FieldOption[]>([]);
  const model = field.relation;
  const given = JSON.stringify(domain ?? field.domain ?? []);
  useEffect(() => {
    if (model === undefined) return;
    withoutArchived(model, JSON.parse(given))
      .then((asked) => searchRead(model, asked, ['display_name'], { limit: most }))
      .then(
        (found) => setRecords(found.map((one) => ({ value: one.id, label: nameOf(one) }))),
        () => {},
      );
  }, [model, given]);
  return field.selection ? field.selection.map(([value, label]) => ({ value, label })) : records;
}
