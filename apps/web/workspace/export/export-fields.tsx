import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { announce } from '../../data/toasts.ts';
import { mark, t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { type ExportChoice, pageSizes } from './export-choice.ts';

const formats = [
  ['xlsx', mark('Excel workbook')],
  ['csv', mark('CSV, with names and labels')],
  ['reimport', mark('CSV, for a new import')],
  ['pdf', mark('PDF, for printing')],
] as const;

const sizeNames = { a4: 'A4', legal: 'Legal', letter: 'Letter' } as const;

interface FormatFieldsProps {
  readonly choice: ExportChoice;
  readonly onChange: (change: Partial<ExportChoice>) => void;
}

/** Chooses the file format. */
export function FormatFields({ choice, onChange }: FormatFieldsProps) {
  const name = useId();
  return (
    <fieldset className="line wrap shrink whole-row at-start gap-5 rows-2 export-format">
      <legend className="small strong mut pad-b-1">{t('Format')}</legend>
      {formats.map(([format, label]) => (
        <label key={format} className="line gap-2 target at-start pad-y-1 export-option">
          <input
            className="rigid"
            type="radio"
            name={name}
            checked={choice.format === format}
            onChange={() => onChange({ format })}
            autoFocus={choice.format === format}
          />
          {t(label)}
        </label>
      ))}
      {choice.format === 'pdf' && (
        <div className="export-detail">
          <Labelled label={t('Paper size')}>
            {(props) => (
              <select
                {...props}
                className="input"
                value={choice.pageSize}
                onChange={(event) => onChange({ pageSize: event.target.value as ExportChoice['pageSize'] })}
              >
                {pageSizes.map((size) => (
                  <option key={size} value={size}>
                    {sizeNames[size]}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        </div>
      )}
    </fieldset>
  );
}

export interface FieldChoice {
  readonly name: string;
  readonly label: string;
}

interface ChosenColumnsProps {
  readonly columns: readonly FieldChoice[];
  readonly onChange: (names: readonly string[]) => void;
}

/** The columns of the file in order. Alt+arrow moves the focused one. */
export function ChosenColumns({ columns, onChange }: ChosenColumnsProps) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string | null>(null);
  const names = columns.map(({ name }) => name);
  useEffect(() => {
    if (moved.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-name="${moved.current}"] button`)?.focus();
    moved.current = null;
  });

  function move(at: number, step: number): void {
    const to = at + step;
    const column = columns[at];
    if (!column || to < 0 || to >= names.length) return;
    const next = names.filter((_, index) => index !== at);
    next.splice(to, 0, column.name);
    moved.current = column.name;
    onChange(next);
    announce(t('{label} is column {n}.', { label: column.label, n: to + 1 }));
  }

  function pressed(event: KeyboardEvent, at: number): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? -1 : 1);
  }

  return (
    <ol ref={list} className="framed round-m scroll export-columns">
      {columns.map(({ name, label }, at) => (
        <li
          key={name}
          data-name={name}
          className="row round-s gap-0 pad-s-2 hovers-within export-column"
          onKeyDown={(event) => pressed(event, at)}
        >
          <span className="share export-column-label" title={name}>
            {label}
          </span>
          <ColumnButtons
            label={label}
            isFirst={at === 0}
            isLast={at === columns.length - 1}
            onMove={(step) => move(at, step)}
            onRemove={() => onChange(names.filter((one) => one !== name))}
          />
        </li>
      ))}
    </ol>
  );
}

interface ColumnButtonsProps {
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (step: number) => void;
  readonly onRemove: () => void;
}

function ColumnButtons({ label, isFirst, isLast, onMove, onRemove }: ColumnButtonsProps) {
  return (
    <>
      <IconButton
        icon="arrow-up"
        size={14}
        label={t('Move {label} up', { label })}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon="arrow-down"
        size={14}
        label={t('Move {label} down', { label })}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton icon="x" size={14} label={t('Leave {label} out', { label })} onClick={onRemove} />
    </>
  );
}

interface FurtherFieldsProps {
  readonly fields: readonly FieldChoice[];
  readonly onAdd: (name: string) => void;
}

/** The other fields, to be found by name. Enter adds the first. */
export function FurtherFields({ fields, onAdd }: FurtherFieldsProps) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim().toLocaleLowerCase();
  const found = fields.filter(
    ({ name, label }) => label.toLocaleLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
  );
  return (
    <div className="column framed round-m scroll export-further">
      <label className="sr-only" htmlFor={id}>
        {t('Find a field')}
      </label>
      <input
        id={id}
        type="search"
        className="input"
        autoComplete="off"
        placeholder={t('Find a field')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          onAdd(first.name);
          setText('');
        }}
      />
      <ul className="scroll export-fields">
        {found.map(({ name, label }) => (
          <li key={name}>
            <button
              type="button"
              className="row full start round-s pad-x-2 hovers export-field"
              title={name}
              onClick={() => onAdd(name)}
            >
              <Icon name="plus" size={14} className="rigid mut" />
              {label}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="mut pad-2-4">{t('No other fields')}</p>}
    </div>
  );
}
