import type { LogFilter, LogRecord, LogsScreenData } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { formatDateTime } from '../../i18n/dates.ts';
import { mark, t, tn } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge, EmptyState } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { useLog } from './use-log.ts';
import './styles.css';

/** The application log, filtered by level, text and request, with a live tail. */
export function AppLogsScreen({ data: first }: ScreenProps<LogsScreenData>) {
  const [filter, setFilter] = useState<LogFilter>(first.filter);
  const [isLive, setLive] = useState(false);
  const { data, loadOlder } = useLog(first, filter, isLive);
  const refine = (part: Partial<LogFilter>) => setFilter((now) => ({ ...now, ...part }));
  const isFiltered = filter.level !== '' || filter.q !== '' || filter.requestId !== '';
  useAddress(filter);
  return (
    <Page
      title={t('Application log')}
      about={
        data.more
          ? tn('The last {n} warning or error', 'The last {n} warnings and errors', data.entries.length)
          : tn('{n} warning or error', '{n} warnings and errors', data.entries.length)
      }
      tools={<Filters {...{ data, filter, isLive }} onFilter={refine} onLive={setLive} />}
      className="logs"
    >
      {data.entries.length > 0 ? (
        <ol className="surface clip framed round-l shade" aria-live={isLive ? 'polite' : 'off'}>
          {data.entries.map((entry) => (
            <LogLine key={entry.id} entry={entry} onRequest={(requestId) => refine({ requestId })} />
          ))}
        </ol>
      ) : isFiltered ? (
        <EmptyState
          icon="search"
          title={t('Nothing found')}
          next={<Button onClick={() => setFilter({ level: '', q: '', requestId: '' })}>{t('Show everything')}</Button>}
        >
          <p>{t('No entries match.')}</p>
        </EmptyState>
      ) : (
        <EmptyState icon="circle-check" title={t('No warnings or errors')}>
          <p>{t('Warnings and errors of the server appear here.')}</p>
        </EmptyState>
      )}
      {data.more && (
        <div className="stack gap-0 items-centre">
          <Button onClick={loadOlder}>{t('Older entries')}</Button>
        </div>
      )}
    </Page>
  );
}

interface FiltersProps {
  readonly data: LogsScreenData;
  readonly filter: LogFilter;
  readonly isLive: boolean;
  readonly onFilter: (part: Partial<LogFilter>) => void;
  readonly onLive: (isLive: boolean) => void;
}

function Filters({ data, filter, isLive, onFilter, onLive }: FiltersProps) {
  return (
    <>
      <select
        className="input"
        aria-label={t('Level')}
        value={filter.level}
        onChange={(event) => onFilter({ level: event.target.value })}
      >
        <option value="">{t('All levels')}</option>
        {data.levels.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        type="search"
        className="input"
        placeholder={t('Text')}
        aria-label={t('Text')}
        value={filter.q}
        onChange={(event) => onFilter({ q: event.target.value })}
      />
      <input
        type="search"
        className="input"
        placeholder={t('Request id')}
        aria-label={t('Request id')}
        value={filter.requestId}
        onChange={(event) => onFilter({ requestId: event.target.value.trim() })}
      />
      <label className="row target pad-x-1">
        <input type="checkbox" className="box" checked={isLive} onChange={(event) => onLive(event.target.checked)} />
        {t('Live')}
        {isLive && <span className="circle square-8 logs-pulse" aria-hidden="true" />}
      </label>
    </>
  );
}

/** The filter is in the URL, so that it can be shared. */
function useAddress({ level, q, requestId }: LogFilter): void {
  useEffect(() => {
    const query = new URLSearchParams(Object.entries({ level, q, request_id: requestId }).filter(([, value]) => value));
    const href = query.size > 0 ? `/web/settings/app-logs?${query}` : '/web/settings/app-logs';
    if (href !== location.pathname + location.search) void navigate(href, { isReplace: true, keepTrail: true });
  }, [level, q, requestId]);
}

interface LogLineProps {
  readonly entry: LogRecord;
  readonly onRequest: (id: string) => void;
}

const levels: Readonly<Record<string, string>> = {
  warn: mark('warning'),
  error: mark('error'),
  fatal: mark('fatal'),
};

/** One log entry; it expands to show all of its fields. */
function LogLine({ entry, onRequest }: LogLineProps) {
  const [isOpen, setOpen] = useState(false);
  const { request_id: requestId } = entry;
  return (
    <li
      className={`stack lined last-bare gap-3 rows-0 level pad-y-1 logs-line logs-${entry.level} ${isOpen ? 'is-open' : ''}`}
    >
      <button
        type="button"
        className="middle dim round-s wide-24 high-24 logs-toggle"
        aria-expanded={isOpen}
        aria-label={t('Details of entry {id}', { id: entry.id })}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      </button>
      <time className="mut digits" dateTime={entry.at}>
        {formatDateTime(entry.at)}
      </time>
      <Badge look={entry.level === 'warn' ? 'warn' : 'bad'}>{t(levels[entry.level] ?? entry.level)}</Badge>
      <span className="cut small mono logs-text">{isOpen ? entry.message : firstLine(entry.message)}</span>
      {requestId && (
        <button
          type="button"
          className="small wide-only accent mono least-24 round-3 underlines logs-request"
          aria-label={t('Only request {id}', { id: requestId })}
          title={requestId}
          onClick={() => onRequest(requestId)}
        >
          {requestId.slice(0, 8)}
        </button>
      )}
      {isOpen && (
        <dl className="line wrap small gap-5 rows-1 logs-facts">
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
    <div className="line gap-2">
      <dt className="mut">{name}</dt>
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
