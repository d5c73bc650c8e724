import type { RefObject } from 'react';
import { Popover } from '../ui/popover.tsx';
import { FilterPanel } from './filter-panel.tsx';
import type { FilterPanelProps } from './panel-choice.tsx';

export interface FilterPopoverProps extends FilterPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** It was left, by a click beside it or Escape. */
  readonly onLeave: () => void;
}

/** In a chunk of its own: it opens by a click. */
export function FilterPopover({ anchor, onLeave, ...panel }: FilterPopoverProps) {
  return (
    <Popover anchor={anchor} className="filters-popover" onClose={onLeave}>
      <FilterPanel {...panel} />
    </Popover>
  );
}
