import { useState } from 'react';
import {
  addDays,
  Button,
  type ChatterProps,
  formatBucket,
  formatDate,
  formatDateTime,
  formatInteger,
  formatMoney,
  formatTime,
  NamedIcon,
  Skeleton,
  showError,
  type TimelineItem,
  type TimelineKind,
  t,
  today,
  whileBusy,
} from '../../../door/index.ts';
import { type TimelineState, useTimeline } from './use-timeline.ts';
import './timeline.css';

/** Everything that belongs to a record, in all apps, latest first. */
export function Timeline({ model, recordId }: ChatterProps) {
  const [kind, setKind] = useState('');
  const timeline = useTimeline(model, recordId, kind);
  const { kinds, upcoming, past } = timeline;
  const isEmpty = upcoming?.items.length === 0 && past?.items.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <div className="fill scroll pad-4 timeline" tabIndex={0} role="region" aria-label={t('Timeline')}>
      {kinds && kinds.length > 0 && <Kinds kinds={kinds} chosen={kind} onChoose={setKind} />}
      {past === null && <Skeleton width="70%" />}
      {isEmpty && <p className="dim">{t('Calls, e-mails, meetings and documents appear here.')}</p>}
      {upcoming && upcoming.items.length > 0 && (
        <section aria-label={t('Upcoming')}>
          {upcoming.next && <More timeline={timeline} part="upcoming" label={t('Show later')} />}
          <Heading>{t('Upcoming')}</Heading>
          <Items items={upcoming.items.toReversed()} />
        </section>
      )}
      {past && past.items.length > 0 && (
        <section aria-label={t('Until today')}>
          {byPeriod(past.items).map(({ heading, items }) => (
            <div key={heading}>
              <Heading>{heading}</Heading>
              <Items items={items} />
            </div>
          ))}
          {past.next && <More timeline={timeline} part="past" label={t('Show older')} />}
        </section>
      )}
    </div>
  );
}

interface KindsProps {
  readonly kinds: readonly TimelineKind[];
  readonly chosen: string;
  onChoose(kind: string): void;
}

function Kinds({ kinds, chosen, onChoose }: KindsProps) {
  const all = { kind: '', label: t('All'), icon: '', count: kinds.reduce((sum, { count }) => sum + count, 0) };
  return (
    <div className="line wrap gap-1 below-3" role="group" aria-label={t('Show only')}>
      {[all, ...kinds].map(({ kind, label, icon, count }) => (
        <button
          key={kind}
          type="button"
          className="row gap-1 small medium mut nowrap round-m target pad-y-1 pad-x-2 presses timeline-kind"
          aria-pressed={kind === chosen}
          onClick={() => onChoose(kind === chosen ? '' : kind)}
        >
          {icon && <NamedIcon name={icon} size={14} />}
          {label} <span className="digits regular">{formatInteger(count)}</span>
        </button>
      ))}
    </div>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <h3 className="tiny strong mut timeline-heading">{children}</h3>;
}

function Items({ items }: { readonly items: readonly TimelineItem[] }) {
  return (
    <ol className="column">
      {items.map((item) => (
        <Item key={`${item.kind} ${item.model} ${item.id}`} item={item} />
      ))}
    </ol>
  );
}

function Item({ item }: { readonly item: TimelineItem }) {
  const money = item.amount ? formatMoney(item.amount.value, item.amount.currency) : '';
  const about = [money, ...item.about].filter((part) => part !== '').join(' · ');
  const isToday = item.date === today();
  return (
    <li className="stack anchor gap-2h timeline-item">
      <span className="middle round mut surface framed square-28">
        <NamedIcon name={item.icon} size={14} />
      </span>
      <div className="shrink timeline-text">
        <a className="semi ink break timeline-link" href={item.href} dir="auto">
          {item.title}
        </a>
        {about && (
          <p className="small mut break clip timeline-about" dir="auto">
            {about}
          </p>
        )}
      </div>
      <time
        className="tiny dim digits nowrap"
        dateTime={item.at ?? item.date}
        title={item.at ? formatDateTime(item.at) : formatDate(item.date)}
      >
        {isToday && item.at ? formatTime(item.at) : formatDate(item.date)}
      </time>
    </li>
  );
}

interface MoreProps {
  readonly timeline: TimelineState;
  readonly part: 'upcoming' | 'past';
  readonly label: string;
}

function More({ timeline, part, label }: MoreProps) {
  return (
    <Button kind="bare" onClick={() => void whileBusy(timeline.loadMore(part)).catch(showError)}>
      {label}
    </Button>
  );
}

interface Period {
  readonly heading: string;
  readonly items: TimelineItem[];
}

/** Today, yesterday, the rest of this month, and then by month. */
function byPeriod(items: readonly TimelineItem[]): readonly Period[] {
  const periods: Period[] = [];
  for (const item of items) {
    const heading = periodOf(item.date);
    const last = periods.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else periods.push({ heading, items: [item] });
  }
  return periods;
}

function periodOf(date: string): string {
  const day = today();
  // The date of a whole day in another time zone may be tomorrow.
  if (date >= day) return t('Today');
  if (date === addDays(day, -1)) return t('Yesterday');
  return date.slice(0, 7) === day.slice(0, 7) ? t('Earlier this month') : formatBucket(date.slice(0, 7));
}
