import type { WorkspacePayload } from '@kontor/protocol';
import { Icon } from '../ui/icon.tsx';
import type { SearchState } from './search-state.ts';

export interface FilterPanelProps {
  readonly workspace: WorkspacePayload;
  /** The one in effect. */
  readonly search: SearchState;
  readonly onChange: (change: Partial<SearchState>) => void;
  readonly onEditConditions: () => void;
  readonly onClose: () => void;
}

interface PanelChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly hasLine?: boolean;
  readonly onToggle: () => void;
}

export function PanelChoice({ label, isChosen, hasLine = false, onToggle }: PanelChoiceProps) {
  return (
    <>
      {hasLine && <div className="menu-line" />}
      <button type="button" className="menu-item" aria-pressed={isChosen} onClick={onToggle}>
        <Icon name="check" size={14} className={isChosen ? '' : 'is-hidden'} />
        {label}
      </button>
    </>
  );
}
