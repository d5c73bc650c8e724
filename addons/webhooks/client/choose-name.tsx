import type { FieldEditProps } from '@kontor/client';

export interface Named {
  readonly name: string;
  /** The label. */
  readonly title: string;
}

interface Props {
  /** The editor that uses this control. */
  readonly of: FieldEditProps;
  readonly value: string;
  readonly choices: readonly Named[];
  /** The placeholder while nothing is chosen. */
  readonly empty: string;
  readonly isRequired?: boolean;
  readonly onChoose: (name: string) => void;
}

/** Chooses one of several technical names, shown with their labels. */
export function ChooseName({ of, value, choices, empty, isRequired = false, onChoose }: Props) {
  return (
    <select
      className="input"
      id={of.id}
      aria-label={of.label}
      aria-invalid={of.isInvalid || undefined}
      aria-describedby={of.describedBy}
      required={isRequired}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{empty}</option>
      {choices.map(({ name, title }) => (
        <option key={name} value={name}>
          {title === name ? name : `${title} (${name})`}
        </option>
      ))}
    </select>
  );
}
