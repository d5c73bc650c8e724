import { useState } from 'react';
import {
  Button,
  type CalendarArch,
  Dialog,
  type Entry,
  expireModel,
  isSamePlace,
  type Span,
  saveSpan,
  spanText,
  t,
} from '../../door/index.ts';
import { useCalendar } from './calendar-context.ts';

export interface MovedEntry {
  readonly entry: Entry;
  readonly span: Span;
}

/** Whether a move may apply to several entries, as for a recurring meeting. */
export function asksScope({ scope }: CalendarArch, entry: Entry, span: Span): boolean {
  return scope !== undefined && Boolean(entry.record[scope]) && !isSamePlace(entry, span);
}

/** Asks which entries a move applies to. */
export function ScopeDialog({ entry, span, onClose }: MovedEntry & { readonly onClose: () => void }) {
  const { workspace, calendar, fields } = useCalendar();
  const field = workspace.arch.fields.find(({ name }) => name === calendar.scope);
  const [chosen, setChosen] = useState(String(entry.record[calendar.scope ?? ''] ?? ''));
  const save = async () => {
    onClose();
    await saveSpan(workspace, fields, { entry, span, also: { [calendar.scope as string]: chosen } });
    expireModel(workspace.model);
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" onClick={() => void save()}>
        {t('Move')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('Move {name}', { name: entry.title })} width={420} onClose={onClose} footer={footer}>
      <fieldset className="stack gap-0">
        <legend className="mut below-2">{spanText(span)}</legend>
        {field?.selection?.map(([value, label]) => (
          <label className="row target" key={value}>
            <input
              type="radio"
              name="scope"
              value={value}
              checked={chosen === value}
              onChange={() => setChosen(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
