import { Avatar, Badge, formatDate, formatTime, Icon, t, today, toLocalInput } from '@kontor/client';
import { type Conversation, isUnsorted, subjectOf } from './inbox-data.ts';

interface RowProps {
  readonly conversation: Conversation;
  readonly isCurrent: boolean;
  onOpen(): void;
}

export function ConversationRow({ conversation, isCurrent, onOpen }: RowProps) {
  const { sender, preview, count, isUnread, isOurs, recordName, modelLabel, assignee, files, mark } = conversation;
  return (
    <button
      type="button"
      className={`start full stack gap-1 lined hovers focus-in pad-2-4 pointer pane-row inbox-row ${isUnread ? 'is-unread' : ''}`}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className="row gap-1h">
        <b className="cut strong">
          <bdi>{sender || t('Unknown sender')}</bdi>
        </b>
        {count > 1 && <span className="tiny mut muted round-4 inbox-count">{count}</span>}
        {isUnread && <span className="sr-only">{t('unread')}</span>}
        <time className="small dim push nowrap" dateTime={conversation.at}>
          {whenOf(conversation.at)}
        </time>
      </span>
      <span className="cut inbox-subject">
        <bdi>{subjectOf(conversation)}</bdi>
      </span>
      <span className="cut mut small">
        {isOurs && `${t('You:')} `}
        <bdi>{preview}</bdi>
      </span>
      <span className="row gap-1h small">
        <span className="row gap-1 framed round-s shrink ink inbox-record">
          <Icon name={isUnsorted(conversation) ? 'inbox' : 'file-text'} size={13} />
          <span className="cut">{isUnsorted(conversation) ? t('Unsorted') : recordName || modelLabel}</span>
        </span>
        {files > 0 && (
          <span className="row gap-half dim" title={t('Files')}>
            <Icon name="paperclip" size={13} /> {files}
          </span>
        )}
        {mark === 'bounce' && <Badge look="bad">{t('Not delivered')}</Badge>}
        {conversation.answering && (
          <span className="ok cut">{t('{name} is replying', { name: conversation.answering })}</span>
        )}
        {assignee && (
          <span className="push" title={t('Assigned to {name}', { name: assignee.name })}>
            <Avatar name={assignee.name} size="s" />
            <span className="sr-only">{t('Assigned to {name}', { name: assignee.name })}</span>
          </span>
        )}
      </span>
    </button>
  );
}

/** The time of today's messages, the day of others. */
function whenOf(at: string): string {
  const day = toLocalInput(at).slice(0, 10);
  return day === today() ? formatTime(at) : formatDate(day);
}

/** The heading of a day; empty for no time. */
export function dayOf(at: string): string {
  if (at === '') return '';
  const day = toLocalInput(at).slice(0, 10);
  return day === today() ? t('Today') : formatDate(day);
}
