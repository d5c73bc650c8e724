import type { RefObject } from 'react';
import { Popover } from '../../ui/popover.tsx';

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly isDim?: boolean;
  run(): void;
}

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly onClose: () => void;
}

/** Suggestions under a field; the focus stays in the field. */
export function ChoiceList({ id, label, anchor, choices, at, onClose }: ChoiceListProps) {
  return (
    <Popover anchor={anchor} mode="manual" isAnchorWide onClose={onClose}>
      <div id={`${id}-list`} role="listbox" aria-label={label} className="field-list">
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${choice.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={`menu-item ${choice.isDim ? 'field-more' : ''}`}
            onPointerDown={(event) => {
              event.preventDefault();
              choice.run();
            }}
          >
            {choice.label}
          </div>
        ))}
      </div>
    </Popover>
  );
}
