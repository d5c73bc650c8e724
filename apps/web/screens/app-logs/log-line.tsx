import type { LogRecord } from '@kontor/protocol';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/dates.ts';
import { mark, t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/parts.tsx';

interface LogLineProps {
  readonly entry: LogRecord;
  readonly onRequest: (id: string) => void;
}

const levels: Readonly<Record<string, string>> = {
  warning: mark('warning'),
  error: mark('error'),
  fatal: mark('fatal'),
};

/** One entry; opened, it tells all there is. */
export function LogLine({ entry, onRequest }: LogLineProps) {
  const [isOpen, setOpen] = useState(false);
  const { request_id: requestId } = entry;
  return (
    <li className={`logs-line logs-${entry.level} ${isOpen ? 'is-open' : ''}`}>
      <button
        type="button"
        className="logs-toggle"
        aria-expanded={isOpen}
        aria-label={t('Details of entry {id}', { id: entry.id })}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      </button>
      <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
      <Badge look={entry.level === 'warning' ? 'warn' : 'bad'}>{t(levels[entry.level] ?? entry.level)}</Badge>
      <span className="logs-text">{isOpen ? entry.message : firstLine(entry.message)}</span>
      {requestId && (
        <button
          type="button"
          className="logs-request"
          aria-label={t('Only request {id}', { id: requestId })}
          title={requestId}
          onClick={() => onRequest(requestId)}
        >
          {requestId.slice(0, 8)}
        </button>
      )}
      {isOpen && (
        <dl className="logs-facts">
          <Fact name={t('Source')} value={entry.source} />
          <Fact name={t('Request id')} value={requestId} />
          <Fact name={t('User id')} value={entry.user_id} />
          <Fact name={t('Process')} value={entry.process} />
        </dl>
      )}
    </li>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | number | null | undefined }) {
  if (value === null || value === undefined || value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line;
}
