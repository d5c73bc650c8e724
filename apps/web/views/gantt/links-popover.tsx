import { useId, useRef } from 'react';
import { type Entry, IconButton, nameOnScreen, Popover, t } from '../../door/index.ts';
import { addLink, firstOnes, removeLink } from './dependencies.ts';
import { useGantt } from './gantt-context.ts';

interface LinksPopoverProps {
  readonly entry: Entry;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
}

/** The dependencies of an entry, to add and remove them by keyboard or touch. */
export function LinksPopover({ entry, anchor, onClose }: LinksPopoverProps) {
  const { workspace, gantt, planning, canLink } = useGantt();
  const place = useRef<HTMLElement | null>(anchor);
  const id = useId();
  const field = gantt.dependencies ?? '';
  const now = planning.all.find((one) => one.id === entry.id) ?? entry;
  const first = firstOnes(now, field);
  const others = planning.shown.filter((one) => one.id !== entry.id && !first.some((other) => other.id === one.id));
  const change = { model: workspace.model, field, to: now };
  const close = () => {
    onClose();
    anchor.focus();
  };
  return (
    <Popover anchor={place} onClose={close} className="pad-3 wide-280 gantt-links">
      <h3 className="below-2">{t('{name} waits for', { name: entry.title })}</h3>
      {first.length === 0 && <p className="below-2">{t('Nothing.')}</p>}
      <ul className="below-2">
        {first.map((one) => (
          <li className="row apart" key={one.id}>
            <span>{nameOnScreen(one.display_name)}</span>
            {canLink && (
              <IconButton
                icon="x"
                label={t('No longer wait for {name}', { name: nameOnScreen(one.display_name) })}
                onClick={() =>
                  void removeLink({ ...change, from: { id: one.id, title: String(one.display_name ?? '') } })
                }
              />
            )}
          </li>
        ))}
      </ul>
      {canLink && (
        <>
          <label htmlFor={id}>{t('Wait for')}</label>
          <select
            id={id}
            className="input"
            autoFocus
            value=""
            onChange={(event) => {
              const from = others.find((one) => one.id === Number(event.target.value));
              if (from) void addLink({ ...change, from });
            }}
          >
            <option value="">{t('Choose …')}</option>
            {others.slice(0, 500).map((one) => (
              <option key={one.id} value={one.id}>
                {one.title}
              </option>
            ))}
          </select>
        </>
      )}
    </Popover>
  );
}
