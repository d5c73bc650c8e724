import { Icon } from '../../ui/icon.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { selectionText } from '../selection/read.tsx';
import { starOptions } from './star-options.ts';
import './styles.css';

/** Stars up to the chosen option; the first option is none. */
export function PriorityRead(props: FieldReadProps) {
  const options = starOptions(props.field);
  const chosen = options.findIndex(([key]) => key === props.value);
  return (
    <span className="stars">
      <span className="sr-only">{selectionText(props)}</span>
      {options.slice(1).map(([key], index) => (
        <Icon key={key} name="star" className={index < chosen ? 'star-on' : 'star-off'} />
      ))}
    </span>
  );
}
