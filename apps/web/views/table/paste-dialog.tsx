import { useId, useState } from 'react';
import { Button, Dialog, t } from '../../door/index.ts';
import type { Column } from './columns.ts';
import type { PasteColumns, PastedTable } from './paste.ts';

/** A paste with columns that were not recognised. */
export interface AskedColumns {
  readonly table: PastedTable;
  readonly columns: readonly Column[];
  /** Where each pasted column goes; null: nothing is pasted. */
  readonly choose: (chosen: PasteColumns | null) => void;
}

/** Where the columns of a paste go, with what stands in them. */
export function PasteDialog({ table, columns, choose }: AskedColumns) {
  const [chosen, setChosen] = useState<PasteColumns>(table.columns);
  const id = useId();
  const open = columns.filter(({ field, widget }) => !field.readonly && widget.Edit !== null);
  // A column of the lines takes one of the pasted ones.
  const put = (at: number, name: string) =>
    setChosen((now) =>
      now.map((column, index) => {
        if (index === at) return open.find((one) => one.name === name) ?? null;
        return column?.name === name ? null : column;
      }),
    );
  return (
    <Dialog
      title={t('Which columns are these?')}
      width={520}
      onClose={() => choose(null)}
      footer={
        <>
          <Button kind="bare" onClick={() => choose(null)}>
            {t('Cancel')}
          </Button>
          <Button kind="primary" disabled={chosen.every((column) => column === null)} onClick={() => choose(chosen)}>
            {t('Paste')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {chosen.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pasted column is known by its place alone.
          <div key={at} className="row wrap apart paste-column">
            <label htmlFor={`${id}-${at}`} className="shrink">
              <b className="semi">{table.headers?.[at] || t('Column {n}', { n: at + 1 })}</b>{' '}
              <bdi className="mut small">{samplesOf(table, at)}</bdi>
            </label>
            <select
              id={`${id}-${at}`}
              className="input"
              value={column?.name ?? ''}
              onChange={(event) => put(at, event.target.value)}
            >
              <option value="">{t('Leave out')}</option>
              {open.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function samplesOf({ cells }: PastedTable, at: number): string {
  const filled = cells.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
  return [...new Set(filled)].slice(0, 3).join(', ').slice(0, 80);
}
