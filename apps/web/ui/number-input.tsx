import { useState } from 'react';
import { editNumber, parseNumber } from '../i18n/numbers.ts';

interface NumberInputProps {
  readonly label: string;
  readonly className?: string;
  readonly value: unknown;
  /** Called with a number, null for no text, or the text that is no number, for the server to name the mistake. */
  readonly onChange: (value: number | string | null) => void;
}

/** A number in the notation of the user, outside of forms of records. */
export function NumberInput({ label, className = 'input', value, onChange }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isNumber = value !== null && value !== '' && Number.isFinite(Number(value));
  const text = typed ?? (isNumber ? editNumber(value as number | string) : String(value ?? ''));
  const change = (next: string) => {
    setTyped(next);
    const number = parseNumber(next);
    onChange(number === undefined ? next : number);
  };
  return (
    <input
      className={className}
      aria-label={label}
      inputMode="decimal"
      aria-invalid={parseNumber(text) === undefined || undefined}
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setTyped(null)}
    />
  );
}
