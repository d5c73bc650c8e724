import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { offerUndo, sendChange } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { inSentence, t } from '../../i18n/messages.ts';
import { busyTimer } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { openNew } from '../open-new.ts';
import { type Span, spanValues } from '../planning/span.ts';
import { spanText } from '../planning/time-words.ts';
import { useCalendar } from './calendar-context.ts';

interface QuickEntryProps {
  readonly span: Span;
  readonly root: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** A small form in place: a title and Enter make an entry. Escape takes the draft away. */
export function QuickEntry({ span, root, onClose }: QuickEntryProps) {
  const { workspace, search, calendar, fields } = useCalendar();
  const { arch, model, defaults } = workspace;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const problemId = useId();
  anchor.current ??= root.current?.querySelector<HTMLElement>('[data-draft]') ?? root.current;
  const [isOpen, setOpen] = useState(false);
  // The release that ends a pull would close a popover that is open already.
  useEffect(() => busyTimer(() => setOpen(true), 0), []);
  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen]);
  const title = calendar.title === 'display_name' ? 'name' : calendar.title;
  const field = arch.fields.find(({ name }) => name === title);
  const known = spanValues(fields, span, null);
  const save = async () => {
    const name = text.trim();
    if (name === '') return setProblem(t('{label} is required.', { label: field?.label ?? t('Name') }));
    setSaving(true);
    setProblem(null);
    try {
      const values = { ...defaults, ...known, [title]: name };
      const { changeSet } = await sendChange({ model, method: 'create', args: [values] });
      expireModel(model);
      offerUndo(t('Created {name}', { name }), model, changeSet);
      return onClose();
    } catch (error) {
      const failure = toClientError(error);
      // The message of a field says more than the general one.
      setProblem(Object.values(failure.fields).flat()[0] ?? failure.message);
    }
    setSaving(false);
    input.current?.focus();
  };
  if (!isOpen) return null;
  return (
    <Popover anchor={anchor} onClose={onClose} className="calendar-quick">
      <form
        aria-label={t('New {label}', { label: inSentence(arch.label) })}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving) void save();
        }}
      >
        <p className="calendar-quick-when">{spanText(span)}</p>
        <input
          ref={input}
          className="input"
          aria-label={field?.label ?? t('Name')}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : problemId}
          placeholder={field?.label}
          autoComplete="off"
          maxLength={field?.size}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== null && (
          <p id={problemId} className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="calendar-quick-foot">
          <Button kind="primary" type="submit" disabled={isSaving}>
            {t('Add')}
          </Button>
          <Button kind="bare" onClick={() => openNew(search, workspace, { ...known, [title]: text.trim() })}>
            {t('Open the form')}
          </Button>
        </div>
      </form>
    </Popover>
  );
}
