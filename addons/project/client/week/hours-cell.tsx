import { formatHours, parseHours, t } from '@kontor/client';
import { type KeyboardEvent, useRef, useState } from 'react';

interface CellProps {
  readonly label: string;
  readonly hours: number;
  /** How many entries are in it. */
  readonly count: number;
  /** Row and column, which arrow keys move between. */
  readonly place: readonly [row: number, column: number];
  readonly onSave: (hours: number) => boolean;
}

/** The hours of a day: typed as `1:30`, `1.5` or `90m`, saved by Enter and on leaving. */
export function HoursCell({ label, hours, count, place: [row, column], onSave }: CellProps) {
  const shown = hours === 0 ? '' : formatHours(hours);
  // What was typed is shown until other hours are loaded.
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: number } | null>(null);
  // Hours that come back, by undo, are not those that were typed over.
  if (draft && draft.of !== hours) setDraft(null);
  const text = draft?.of === hours ? draft.text : null;
  const [isWrong, setWrong] = useState(false);
  /** What was saved already: leaving the cell after Enter saves nothing again. */
  const saved = useRef<string | null>(null);
  const save = (): boolean => {
    if (text === null || text === saved.current) return true;
    const typed = parseHours(text);
    const isFine = typed !== undefined && onSave(Math.round((typed ?? 0) * 100) / 100);
    setWrong(!isFine);
    if (isFine) saved.current = text;
    if (isFine && typed === hours) setDraft(null);
    return isFine;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { currentTarget: input } = event;
    if (event.key === 'Escape') {
      saved.current = text;
      setDraft(null);
      setWrong(false);
      return;
    }
    const step = stepOf(event.key, input);
    if (!step) return;
    event.preventDefault();
    if (save()) focusCell(input, row + step[0], column + step[1]);
  };
  return (
    <input
      className="input digits full project-week-cell"
      inputMode="text"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      title={isWrong ? t('Enter hours, such as 1:30 or 1.5') : count > 1 ? t('Several entries') : undefined}
      data-cell={`${row} ${column}`}
      value={text ?? shown}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        saved.current = null;
        setDraft({ text: event.target.value, of: hours });
      }}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  );
}

/** Sideways only from the end of the text, so that the caret moves in it. */
function stepOf(key: string, input: HTMLInputElement): readonly [number, number] | null {
  if (key === 'Enter' || key === 'ArrowDown') return [1, 0];
  if (key === 'ArrowUp') return [-1, 0];
  const isAll = input.selectionStart === 0 && input.selectionEnd === input.value.length;
  const isRtl = document.documentElement.dir === 'rtl';
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight';
  const back = isRtl ? 'ArrowRight' : 'ArrowLeft';
  if (key === forward && (isAll || input.selectionStart === input.value.length)) return [0, 1];
  return key === back && (isAll || input.selectionEnd === 0) ? [0, -1] : null;
}

function focusCell(from: HTMLInputElement, row: number, column: number): void {
  from.closest('table')?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`)?.focus();
}
