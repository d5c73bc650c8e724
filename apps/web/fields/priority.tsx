import type { ArchField, Selection } from '@kontor/protocol';
import { Icon } from '../ui/icon.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { selectionText } from './selection.tsx';
import './priority.css';

export const priorityField = defineField({
  name: 'priority',
  Read: PriorityRead,
  Edit: PriorityEdit,
  toText: selectionText,
  isDirect: true,
  width: 100,
});

/** Stars up to the selected option; the first option means none. */
function PriorityRead(props: FieldReadProps) {
  const options = starOptions(props.field);
  const chosen = options.findIndex(([key]) => key === props.value);
  return (
    <span className="inline-row gap-half no-border pad-0 stars">
      <span className="sr-only">{selectionText(props)}</span>
      {options.slice(1).map(([key], index) => (
        <Icon key={key} name="star" className={index < chosen ? 'star-on' : 'star-off'} />
      ))}
    </span>
  );
}

/** A click on a star selects it; a click on the selected one clears it. */
function PriorityEdit({ id, label, field, value, onChange, onCommit }: FieldEditProps) {
  const options = starOptions(field);
  const chosen = Math.max(
    0,
    options.findIndex(([key]) => key === value),
  );
  return (
    <fieldset id={id} className="inline-row gap-half no-border pad-0 stars" aria-label={label}>
      {options.slice(1).map(([key, text], index) => (
        <button
          key={key}
          type="button"
          className="middle round-s star"
          aria-label={text}
          aria-pressed={index < chosen}
          onClick={(event) => {
            event.stopPropagation();
            onChange(index + 1 === chosen ? (options[0]?.[0] ?? null) : key);
            onCommit?.();
          }}
        >
          <Icon name="star" className={index < chosen ? 'star-on' : 'star-off'} />
        </button>
      ))}
    </fieldset>
  );
}

const numbers: readonly (readonly [number, string])[] = [0, 1, 2, 3].map((number) => [number, String(number)]);

/** The options of a selection; for a number, up to its maximum, or three. */
function starOptions(field: ArchField): readonly (readonly [string | number, string])[] {
  if (field.selection) return field.selection as Selection;
  return numbers.slice(0, (field.max ?? 3) + 1);
}
