import { type PointerEvent, useRef } from 'react';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { useList } from './list-context.ts';

/** Rows of a list with an order of its own: drag, or Alt+Up and Alt+Down on the row. */
export function DragHandle({ id, name }: { readonly id: number; readonly name: string }) {
  const { actions } = useList();
  const from = useRef(0);
  const height = (event: PointerEvent) => (event.currentTarget as HTMLElement).closest('tr')?.offsetHeight ?? 36;
  return (
    <button
      type="button"
      className="list-handle"
      tabIndex={-1}
      aria-label={t('Move {name}', { name })}
      onPointerDown={(event) => {
        from.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.closest('tr')?.classList.add('is-dragged');
      }}
      onPointerMove={(event) => {
        const row = event.currentTarget.closest('tr');
        if (event.currentTarget.hasPointerCapture(event.pointerId) && row) {
          row.style.translate = `0 ${event.clientY - from.current}px`;
        }
      }}
      onPointerUp={(event) => {
        const row = event.currentTarget.closest('tr');
        row?.classList.remove('is-dragged');
        if (row) row.style.translate = '';
        const steps = Math.round((event.clientY - from.current) / height(event));
        if (steps !== 0) actions.moveRow(id, steps);
      }}
    >
      <Icon name="grip-vertical" size={14} />
    </button>
  );
}
