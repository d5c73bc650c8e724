import type { ArchField } from '@kontor/protocol';
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { toClientError } from '../data/client-error.ts';
import { t } from '../i18n/messages.ts';

export interface QuickName {
  readonly field: ArchField | undefined;
  readonly text: string;
  readonly problem: string | null;
  readonly isSaving: boolean;
  readonly input: RefObject<HTMLInputElement | null>;
  setText(text: string): void;
  onSubmit(event: FormEvent): void;
}

/** An inline form that creates a record from a name. Errors are shown below the name. */
export function useQuickName(field: ArchField | undefined, create: (name: string) => Promise<void>): QuickName {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const save = async () => {
    const name = text.trim();
    if (name === '') return setProblem(t('{label} is required.', { label: field?.label ?? t('Name') }));
    setSaving(true);
    setProblem(null);
    try {
      await create(name);
      setText('');
    } catch (error) {
      const failure = toClientError(error);
      // A field error is more specific than the general message.
      setProblem(Object.values(failure.fields).flat()[0] ?? failure.message);
    }
    setSaving(false);
    input.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return { field, text, problem, isSaving, input, setText, onSubmit };
}

interface QuickNameInputProps {
  readonly name: QuickName;
  readonly label: string;
  readonly hasFocus?: boolean;
}

/** The name input of an inline form. */
export function QuickNameInput({ name, label, hasFocus = false }: QuickNameInputProps) {
  const { field, text, problem, input, setText } = name;
  const problemId = useId();
  return (
    <>
      <input
        ref={input}
        className="input"
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : problemId}
        placeholder={field?.label}
        autoComplete="off"
        autoFocus={hasFocus}
        maxLength={field?.size}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem !== null && (
        <p id={problemId} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
