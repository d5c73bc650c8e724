import { useEffect } from 'react';
import { showError } from '../../../data/changes.ts';
import type { ChatterProps } from '../../../data/form/chatter.ts';
import { outgoing, startOutgoing } from '../../../data/form/outgoing.ts';
import { t } from '../../../i18n/messages.ts';
import { useStore } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/parts.tsx';
import { Message } from './message.tsx';
import { OutgoingMessage } from './outgoing-message.tsx';
import type { FeedState } from './use-feed.ts';

/** Newest first; what was just typed stands on top until the server has it. */
export function Feed({ feed, model, recordId }: ChatterProps & { readonly feed: FeedState }) {
  const { page } = feed;
  useEffect(startOutgoing, []);
  const waiting = useStore(outgoing).filter((comment) => comment.model === model && comment.id === recordId);
  const isEmpty = page?.messages.length === 0 && waiting.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <div className="chatter-feed" tabIndex={0} role="region" aria-label={t('Messages')}>
      {page === null && <Skeleton width="70%" />}
      {isEmpty && <p className="dim">{t('Nothing has been said yet.')}</p>}
      {!isEmpty && (
        <ol className="chatter-list">
          {waiting.toReversed().map((comment) => (
            <OutgoingMessage key={comment.key} comment={comment} />
          ))}
          {page?.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      )}
      {page?.more && (
        <Button kind="bare" onClick={() => void feed.loadOlder().catch(showError)}>
          {t('Show older')}
        </Button>
      )}
    </div>
  );
}
