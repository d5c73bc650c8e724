import type { ReactNode } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  /** The first line, while nothing is chosen. */
  readonly empty?: string;
  readonly onChoose: (value: string) => void;
}

/** One word of a sentence, chosen from a list. */
export function Choice({ label, value, choices, empty, onChoose }: ChoiceProps) {
  const isKnown = value === '' || choices.some(([each]) => each === value);
  return (
    <select
      className="input automations-word"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      {(empty !== undefined || value === '') && <option value="">{empty ?? '…'}</option>}
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map(([each, said]) => (
        <option key={each} value={each}>
          {said}
        </option>
      ))}
    </select>
  );
}

interface WordProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'number' | 'time' | 'date';
  readonly placeholder?: string;
  readonly isWide?: boolean;
  readonly onType: (value: string) => void;
}

/** One word of a sentence, written. */
export function Word({ label, value, type = 'text', placeholder, isWide = false, onType }: WordProps) {
  return (
    <input
      className={isWide ? 'input automations-wide' : 'input automations-word'}
      aria-label={label}
      type={type}
      min={type === 'number' ? 0 : undefined}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

export function Sentence({ children }: { readonly children: ReactNode }) {
  return <div className="row wrap target">{children}</div>;
}
