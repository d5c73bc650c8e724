import type { FieldEditProps } from '../define-field.ts';
import { useOptions } from '../relation/use-options.ts';
import './styles.css';

export function RadioEdit({ id, label, field, value, domain, onChange, onCommit, describedBy }: FieldEditProps) {
  const options = useOptions(field, domain);
  return (
    <fieldset id={id} className="radios" aria-label={label} aria-describedby={describedBy}>
      {options.map((option) => (
        <label key={option.value} className="radio">
          <input
            type="radio"
            name={id}
            checked={value === option.value}
            onChange={() => {
              onChange(option.value, field.relation ? { [`${field.name}.display_name`]: option.label } : {});
              onCommit?.();
            }}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
