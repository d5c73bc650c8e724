import { useRef } from 'react';
import {
  Button,
  type ButtonNode,
  callAction,
  expireModel,
  followRedirect,
  holds,
  IconButton,
  NamedIcon,
  offerMoveUndo,
  openRecord,
  Popover,
  showError,
  spanText,
  t,
  ValueRead,
} from '../../door/index.ts';
import { useCalendar } from './calendar-context.ts';

export interface OpenCard {
  readonly id: number;
  /** The entry on the calendar. */
  readonly anchor: HTMLElement;
}

/** An entry beside its place on the calendar: when, where and who, what can be done with it, and the way to its form. */
export function EntryCard({ card, onClose }: { readonly card: OpenCard; readonly onClose: () => void }) {
  const { workspace, search, calendar, planning } = useCalendar();
  const { arch, model } = workspace;
  const anchor = useRef(card.anchor);
  const entry = planning.all.find(({ id }) => id === card.id);
  if (!entry) return null;
  const { record } = entry;
  const run = (button: ButtonNode) => {
    onClose();
    callAction({ model, ids: [entry.id] }, button).then((receipt) => {
      if (!receipt) return;
      expireModel(model);
      offerMoveUndo(workspace, [entry.id], button, receipt.changeSet);
      if (receipt.result !== true) void followRedirect(receipt.result.redirect, button.label, () => expireModel(model));
    }, showError);
  };
  const buttons = calendar.buttons.filter(({ invisible }) => !invisible || !holds(invisible, record, arch.fields));
  return (
    <Popover anchor={anchor} onClose={onClose} className="pad-4 calendar-card">
      <section aria-label={entry.title} className="stack gap-2">
        <header className="row gap-2">
          <h2 className="share" dir="auto">
            {entry.title}
          </h2>
          <IconButton icon="x" label={t('Close')} onClick={onClose} />
        </header>
        <p className="semi digits">{spanText(entry)}</p>
        {calendar.lines.map((node) => {
          const field = arch.fields.find(({ name }) => name === node.name);
          const value = record[node.name];
          if (!field || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null;
          return (
            <div key={node.name} className="stack gap-0">
              <span className="small mut">{node.label ?? field.label}</span>
              <ValueRead {...{ field, node, model, record, value }} place="kanban" />
            </div>
          );
        })}
        <footer className="row wrap gap-2">
          {buttons.map((button) => (
            <Button key={button.name} onClick={() => run(button)}>
              {button.icon && <NamedIcon name={button.icon} />}
              {button.label}
            </Button>
          ))}
          <Button kind="primary" icon="pencil" onClick={() => openRecord(search, workspace, entry.id)}>
            {arch.rights.write ? t('Edit') : t('Open')}
          </Button>
        </footer>
      </section>
    </Popover>
  );
}
