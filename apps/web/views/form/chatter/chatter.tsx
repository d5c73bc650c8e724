import { useCallback, useEffect, useState } from 'react';
import { onEvent } from '../../../data/bus.ts';
import { showError } from '../../../data/changes.ts';
import { toClientError } from '../../../data/client-error.ts';
import { type ChatterPage, loadChatter } from '../../../data/form/chatter.ts';
import { t } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/parts.tsx';
import { Composer } from './composer.tsx';
import { Message } from './message.tsx';
import './styles.css';

export interface ChatterProps {
  readonly model: string;
  readonly recordId: number;
}

/** What people said about the record, and what changed in it. Absent where the server keeps no such talk. */
export function Chatter({ model, recordId }: ChatterProps) {
  const [page, setPage] = useState<ChatterPage | null | 'absent'>(null);
  const refresh = useCallback(async () => {
    try {
      const newest = await loadChatter(model, recordId);
      setPage((now) => merged(newest, now));
    } catch (error) {
      if (toClientError(error).status === 404) setPage('absent');
      else if (toClientError(error).code !== 'network') showError(error);
    }
  }, [model, recordId]);
  useEffect(() => {
    void refresh();
    const mine = (payload: Readonly<Record<string, unknown>>) =>
      payload.model === model && payload.id === recordId && void refresh();
    const stops = ['chatter.posted', 'record.updated'].map((channel) => onEvent(channel, mine));
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId, refresh]);
  if (page === 'absent') return null;
  const older = async () => {
    const last = page?.messages.at(-1);
    if (!last || !page) return;
    const next = await loadChatter(model, recordId, last.id);
    setPage({ messages: [...page.messages, ...next.messages], more: next.more });
  };
  return (
    <aside className="chatter" aria-labelledby="chatter-title">
      <h2 id="chatter-title" className="chatter-title">
        {t('Discussion')}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div className="chatter-feed" tabIndex={0} role="region" aria-label={t('Messages')}>
        {page === null && <Skeleton width="70%" />}
        {page?.messages.length === 0 && <p className="dim">{t('Nothing has been said yet.')}</p>}
        {page && page.messages.length > 0 && (
          <ol className="chatter-list">
            {page.messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        )}
        {page?.more && (
          <Button kind="bare" onClick={() => void older().catch(showError)}>
            {t('Show older')}
          </Button>
        )}
      </div>
      <Composer model={model} recordId={recordId} onPosted={refresh} />
    </aside>
  );
}

/** Older messages that were loaded stay. */
function merged(newest: ChatterPage, now: ChatterPage | null | 'absent'): ChatterPage {
  if (now === null || now === 'absent') return newest;
  const ids = new Set(newest.messages.map((message) => message.id));
  const oldest = newest.messages.at(-1)?.id ?? 0;
  const older = now.messages.filter((message) => !ids.has(message.id) && message.id < oldest);
  return { messages: [...newest.messages, ...older], more: older.length > 0 ? now.more : newest.more };
}
