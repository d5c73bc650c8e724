import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { remember } from '../../data/records.ts';
import { searchRead } from '../../data/rpc.ts';
import { t, tn } from '../../i18n/messages.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from './card.tsx';

interface PlainBoardProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly isLoading: boolean;
}

/** Cards without columns: products, contacts, teams. */
export function PlainBoard({ workspace, search, isLoading }: PlainBoardProps) {
  const { model, arch, records, listTotal, listSort, listOffset } = workspace;
  const [more, setMore] = useState<readonly number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload starts from its own cards.
  useEffect(() => setMore([]), [workspace]);
  const ids = [...new Set([...records.map(({ id }) => id), ...more])];
  const left = listTotal - listOffset - ids.length;
  const load = async () => {
    const options = { limit: 80, offset: listOffset + ids.length, ...(listSort ? { order: listSort } : {}) };
    try {
      const found = await searchRead(model, arch.domain ?? [], arch.paths ?? [], options);
      remember(model, found);
      setMore((now) => [...now, ...found.map(({ id }) => id)]);
    } catch (error) {
      showError(error);
    }
  };
  return (
    <div className={`kanban-plain ${isLoading ? 'is-stale' : ''}`}>
      <ul aria-label={arch.title}>
        {ids.map((id) => (
          <li key={id}>
            <Card {...{ workspace, search, id }} isLifted={false} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className="kanban-more">
          <Button onClick={() => void load()}>{tn('{n} more', '{n} more', left)}</Button>
        </div>
      )}
      <span className="sr-only">{t('End of the cards')}</span>
    </div>
  );
}
