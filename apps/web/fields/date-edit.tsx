import { endOfDay } from '@kontor/protocol';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatDate, formatDateTime } from '../i18n/dates.ts';
import { fromLocalInput, toLocalInput } from '../i18n/local-time.ts';
import { t } from '../i18n/messages.ts';
import { parseDate, parseDateTime } from '../i18n/parse-dates.ts';
import { editDate, editDateTime } from '../i18n/typed-dates.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { IconButton } from '../ui/button.tsx';
import { matchesMedia } from '../ui/media-query.ts';
import { Popover } from '../ui/popover.tsx';
import type { FieldEditProps } from './define-field.ts';
import { TextControl, useTypingFocus } from './text-control.tsx';
import './date.css';

const dateNotation: DateNotation = {
  show: formatDate,
  edit: editDate,
  parse: (text) => parseDate(text),
  dayOf: (value) => value.slice(0, 10),
  withDay: (_value, day) => day,
  native: {
    type: 'date',
    toInput: (value) => value.slice(0, 10),
    fromInput: (text) => (text === '' ? null : text),
  },
};

export function DateEdit(props: FieldEditProps) {
  return <DateControl {...props} notation={dateNotation} />;
}

/** The default time when a day is chosen in an empty field. */
const usualTime = '09:00';

function instantNotation(isEnd: boolean): DateNotation {
  const time = isEnd ? endOfDay : usualTime;
  return {
    show: formatDateTime,
    edit: editDateTime,
    parse: (text) => parseDateTime(text, isEnd),
    dayOf: (value) => toLocalInput(value).slice(0, 10),
    withDay: (value, day) => fromLocalInput(`${day}T${toLocalInput(value).slice(11) || time}`),
    native: { type: 'datetime-local', toInput: toLocalInput, fromInput: fromLocalInput },
  };
}

const beginNotation = instantNotation(false);
const endNotation = instantNotation(true);

export function DatetimeEdit(props: FieldEditProps) {
  return <DateControl {...props} notation={props.field.isEnd ? endNotation : beginNotation} />;
}

/** How a date or datetime is typed, shown and chosen. */
interface DateNotation {
  /** The text without focus. */
  readonly show: (value: string) => string;
  readonly edit: (value: string) => string;
  readonly parse: (text: string) => string | null | undefined;
  /** The day marked in the calendar. */
  readonly dayOf: (value: string) => string;
  readonly withDay: (value: string, day: string) => string | null;
  /** The browser's own input, for touch screens. */
  readonly native: {
    readonly type: 'date' | 'datetime-local';
    readonly toInput: (value: string) => string;
    readonly fromInput: (text: string) => string | null;
  };
}

const calendar = lazyComponent(() => import('../ui/month-grid.tsx').then(({ MonthGrid }) => MonthGrid));

/** Typed in the user's notation or chosen from a calendar. Touch screens use the browser's own input. */
function DateControl({ notation, ...props }: FieldEditProps & { readonly notation: DateNotation }) {
  if (matchesMedia('(pointer: coarse)')) return <NativeDate {...props} notation={notation} />;
  return <TypedDate {...props} notation={notation} />;
}

function TypedDate({ notation, ...props }: FieldEditProps & { readonly notation: DateNotation }) {
  const value = typeof props.value === 'string' ? props.value : '';
  const [typed, setTyped] = useState<string | null>(null);
  const { hasFocus, wrapper } = useTypingFocus(props.hasAutoFocus === true);
  const [isOpen, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  const isDate = value !== '' && notation.parse(notation.edit(value)) !== undefined;
  const kept = typed !== null && (notation.parse(typed) ?? (typed.trim() === '' ? '' : typed)) === value ? typed : null;
  const text = kept !== null && hasFocus ? kept : isDate ? notation[hasFocus ? 'edit' : 'show'](value) : value;
  const change = (next: string) => {
    setTyped(next);
    const parsed = notation.parse(next);
    // Text that is not a date is passed on as it is, so that the form can show a message and nothing is lost.
    props.onChange(parsed === undefined ? next : parsed);
  };
  const close = (hasChosen: boolean) => {
    setOpen(false);
    if (hasChosen) wrap.current?.querySelector('input')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) event.stopPropagation();
    if (event.key !== 'F4') return;
    event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <span ref={wrap} className="anchor full block tall date-wrap" onKeyDown={onKeyDown} role="presentation">
      <span className="field-wrap" {...wrapper}>
        <TextControl {...props} text={text} onText={change} />
      </span>
      <IconButton
        icon="calendar"
        size={14}
        className="dim pin wide-24 high-24 least-0 date-open"
        tabIndex={-1}
        label={t('Choose a day')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={calendar.preload}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Popover anchor={wrap} onClose={() => close(false)}>
          <calendar.Component
            value={isDate ? notation.dayOf(value) : ''}
            onChoose={(day) => {
              setTyped(null);
              props.onChange(day === null ? null : notation.withDay(isDate ? value : '', day));
              close(true);
            }}
          />
        </Popover>
      )}
    </span>
  );
}

function NativeDate({ notation, ...props }: FieldEditProps & { readonly notation: DateNotation }) {
  const { type, toInput, fromInput } = notation.native;
  const text = typeof props.value === 'string' ? toInput(props.value) : '';
  return <TextControl {...props} type={type} text={text} onText={(next) => props.onChange(fromInput(next))} />;
}
