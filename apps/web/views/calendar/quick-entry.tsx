import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  Button,
  busyTimer,
  expireModel,
  newName,
  offerUndo,
  openNew,
  Popover,
  QuickNameInput,
  type Span,
  sendChange,
  spanText,
  spanValues,
  t,
  useQuickName,
} from '../../door/index.ts';
import { useCalendar } from './calendar-context.ts';

interface QuickEntryProps {
  readonly span: Span;
  readonly root: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** An inline form: a title and Enter create an entry. Escape discards it. */
export function QuickEntry({ span, root, onClose }: QuickEntryProps) {
  const { workspace, search, calendar, fields } = useCalendar();
  const { arch, model, defaults } = workspace;
  const anchor = useRef<HTMLElement | null>(null);
  anchor.current ??= root.current?.querySelector<HTMLElement>('[data-draft]') ?? root.current;
  const [isOpen, setOpen] = useState(false);
  const title = calendar.title === 'display_name' ? 'name' : calendar.title;
  const field = arch.fields.find(({ name }) => name === title);
  const known = spanValues(fields, span, null);
  const quick = useQuickName(field, async (name) => {
    const values = { ...defaults, ...known, [title]: name };
    const { changeSet } = await sendChange({ model, method: 'create', args: [values] });
    expireModel(model);
    offerUndo(t('Created {name}', { name }), model, changeSet);
    onClose();
  });
  const { input } = quick;
  // Opens after the release event of the drag, which would close a popover that is already open.
  useEffect(() => busyTimer(() => setOpen(true), 0), []);
  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen, input]);
  if (!isOpen) return null;
  return (
    <Popover anchor={anchor} onClose={onClose} className="pad-3 wide-280">
      <form aria-label={newName(arch)} onSubmit={quick.onSubmit}>
        <p className="semi digits below-2">{spanText(span)}</p>
        <QuickNameInput name={quick} label={field?.label ?? t('Name')} />
        <div className="line gap-2 above-3">
          <Button kind="primary" type="submit" disabled={quick.isSaving}>
            {t('Add')}
          </Button>
          <Button kind="bare" onClick={() => openNew(search, workspace, { ...known, [title]: quick.text.trim() })}>
            {t('Open the form')}
          </Button>
        </div>
      </form>
    </Popover>
  );
}
