import { useId } from 'react';
import { Labelled } from '../../ui/labelled.tsx';

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}

export function Select({ label, value, options, required = false, onChange }: SelectProps) {
  return (
    <Labelled label={label}>
      {(props) => (
        <select
          {...props}
          className="input"
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface TickProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Tick({ label, hint, isOn, onChange }: TickProps) {
  const id = useId();
  return (
    <div className="line gap-2">
      <label className="line gap-2 target customise-tick">
        <input
          type="checkbox"
          className="box"
          aria-describedby={hint ? id : undefined}
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint && (
        <span id={id} className="small mut">
          {hint}
        </span>
      )}
    </div>
  );
}

/** A mistake at the foot of a dialog. */
export function Problem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p className="field-problem share" role="alert">
      {text}
    </p>
  );
}
