import { useState } from 'react';
import { formatDateTime } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, EmptyState } from '../../ui/parts.tsx';
import type { ScreenProps } from '../define-screen.ts';
import './styles.css';
import { type LogEntry, type LogFilter, type LogsData, useLog } from './use-log.ts';

/** What the server complained about: by level, text and request, with a live tail. */
export function AppLogsScreen({ data: first }: ScreenProps<LogsData>) {
  const [filter, setFilter] = useState<LogFilter>(first.filter);
  const [isLive, setLive] = useState(false);
  const { data, loadOlder } = useLog(first, filter, isLive);
  const refine = (part: Partial<LogFilter>) => setFilter((now) => ({ ...now, ...part }));
  return (
    <div className="logs">
      <header className="logs-head">
        <h1>{t('Application log')}</h1>
        <select
          aria-label={t('Level')}
          value={filter.level}
          onChange={(event) => refine({ level: event.target.value })}
        >
          <option value="">{t('Every level')}</option>
          {data.levels.map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </select>
        <input
          type="search"
          placeholder={t('Text')}
          aria-label={t('Text')}
          value={filter.q}
          onChange={(event) => refine({ q: event.target.value })}
        />
        <input
          type="search"
          placeholder={t('Request id')}
          aria-label={t('Request id')}
          value={filter.requestId}
          onChange={(event) => refine({ requestId: event.target.value.trim() })}
        />
        <label className="logs-live">
          <input type="checkbox" checked={isLive} onChange={(event) => setLive(event.target.checked)} />
          {t('Live')}
        </label>
      </header>
      {data.entries.length === 0 ? (
        <EmptyState icon="circle-check" title={t('Nothing to complain about')}>
          <p>{t('Warnings and errors of the server appear here.')}</p>
        </EmptyState>
      ) : (
        <ol className="logs-list" aria-live={isLive ? 'polite' : 'off'}>
          {data.entries.map((entry) => (
            <LogLine key={entry.id} entry={entry} onRequest={(requestId) => refine({ requestId })} />
          ))}
        </ol>
      )}
      {data.more && <Button onClick={loadOlder}>{t('Older entries')}</Button>}
    </div>
  );
}

function LogLine({ entry, onRequest }: { readonly entry: LogEntry; readonly onRequest: (id: string) => void }) {
  const { request_id: requestId } = entry;
  return (
    <li className="logs-line">
      <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
      <Badge look={entry.level === 'warning' ? 'warn' : 'bad'}>{t(entry.level)}</Badge>
      <span className="logs-text">{entry.message}</span>
      {requestId && (
        <button
          type="button"
          className="logs-request"
          aria-label={t('Only request {id}', { id: requestId })}
          onClick={() => onRequest(requestId)}
        >
          {requestId.slice(0, 8)}
        </button>
      )}
    </li>
  );
}
