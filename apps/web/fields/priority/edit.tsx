import { Icon } from '../../ui/icon.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { starOptions } from './star-options.ts';
import './styles.css';

/** A click on a star chooses it, on the chosen one takes it back. */
export function PriorityEdit({ id, label, field, value, onChange, onCommit }: FieldEditProps) {
  const options = starOptions(field);
  const chosen = Math.max(
    0,
    options.findIndex(([key]) => key === value),
  );
  return (
    <fieldset id={id} className="stars" aria-label={label}>
      {options.slice(1).map(([key, text], index) => (
        <button
          key={key}
          type="button"
          className="star"
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
