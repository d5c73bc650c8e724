import type { KeyboardEvent } from 'react';
import { useEffect, useRef } from 'react';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';

export interface FieldChoice {
  readonly name: string;
  readonly label: string;
}

interface ChosenColumnsProps {
  readonly columns: readonly FieldChoice[];
  readonly onChange: (names: readonly string[]) => void;
}

/** The columns of the file in their order. Alt with an arrow moves the one that has the focus. */
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
    <ol ref={list} className="export-columns">
      {columns.map(({ name, label }, at) => (
        <li key={name} data-name={name} className="export-column" onKeyDown={(event) => pressed(event, at)}>
          <span className="export-column-label" title={name}>
            {label}
          </span>
          <IconButton
            icon="arrow-up"
            size={14}
            label={t('Move {label} up', { label })}
            disabled={at === 0}
            onClick={() => move(at, -1)}
          />
          <IconButton
            icon="arrow-down"
            size={14}
            label={t('Move {label} down', { label })}
            disabled={at === columns.length - 1}
            onClick={() => move(at, 1)}
          />
          <IconButton
            icon="x"
            size={14}
            label={t('Leave {label} out', { label })}
            onClick={() => onChange(names.filter((one) => one !== name))}
          />
        </li>
      ))}
    </ol>
  );
}
