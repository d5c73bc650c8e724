import type { FollowedChange, RecentRecord } from '@kontor/protocol';
import { useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { formatDate, formatDateTime, formatRelative } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { formatDecimal } from '../../i18n/numbers.ts';
import { useBootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { Avatar, Badge } from '../../ui/parts.tsx';
import './side-cards.css';

/** The user's recent records. */
export function RecentCard({ records }: { readonly records: readonly RecentRecord[] }) {
  const { apps } = useBootstrap();
  const iconOf = (module: string) => apps.find((app) => app.module === module)?.icon ?? 'file-text';
  return (
    <section className="shrink surface framed round-l shade day" aria-labelledby="recent-title">
      <header className="row lined least-44 pad-s-4 pad-e-2 day-head">
        <h2 className="rigid normal" id="recent-title">
          {t('Recent')}
        </h2>
      </header>
      {records.length === 0 && <p className="small mut pad-3-4">{t('Recently opened records appear here.')}</p>}
      <ul className="pad-y-1 side-list">
        {records.map(({ model, id, href, name, kind, module, at }) => (
          <li key={`${model},${id}`}>
            <a className="stack hovers gap-2h level pad-x-4 side-line" href={href}>
              <NamedIcon name={iconOf(module)} size={18} className="dim" />
              <span className="cut cut-wide side-words">
                <b className="semi">{name}</b> <span className="mut">{kind}</span>
              </span>
              <When at={at} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FollowedCardProps {
  readonly changes: readonly FollowedChange[];
  readonly seenAt: string;
}

/** Changes by others on records the user follows; unseen ones are highlighted. */
export function FollowedCard({ changes, seenAt }: FollowedCardProps) {
  const [seen, setSeen] = useState(seenAt);
  const isNew = ({ at }: FollowedChange) => at > (seen > seenAt ? seen : seenAt);
  const fresh = changes.filter(isNew).length;
  const markAll = () => {
    const newest = changes[0]?.at ?? '';
    setSeen(newest);
    saveSetting('home.seen', newest, { delay: 0 });
  };
  return (
    <section className="shrink surface framed round-l shade day" aria-labelledby="followed-title">
      <header className="row lined least-44 pad-s-4 pad-e-2 day-head">
        <h2 className="rigid normal" id="followed-title">
          {t('Followed')}
        </h2>
        {fresh > 0 && <Badge look="info">{tn('{n} new', '{n} new', fresh)}</Badge>}
        {fresh > 0 && (
          <Button kind="bare" className="push small day-all" onClick={markAll}>
            {t('Mark all as read')}
          </Button>
        )}
      </header>
      {changes.length === 0 && (
        <p className="small mut pad-3-4">{t('Changes to records that you own or commented on appear here.')}</p>
      )}
      <ul className="pad-y-1 side-list">
        {changes.map((change) => (
          <li key={change.key} className={isNew(change) ? 'is-new' : ''}>
            <a className="stack hovers gap-2h level pad-x-4 side-line" href={change.href}>
              <Avatar name={change.by} size="s" />
              <span className="cut cut-wide side-words side-seen">
                <Sentence change={change} />
                {isNew(change) && <span className="sr-only"> {t('(new)')}</span>}
              </span>
              <When at={change.at} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who did what to which record; names are emphasised wherever the language puts them. */
function Sentence({ change }: { readonly change: FollowedChange }) {
  const [who = change.by] = change.by.split(' ');
  const names: Readonly<Record<string, string>> = { who, name: change.name };
  const parts = sentenceOf(change).split(/\{(\w+)\}/);
  const more = detailOf(change);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <b key={part} className="semi">
            {names[part]}
          </b>
        ) : (
          part
        ),
      )}
      {more && <span className="mut"> · {more}</span>}
    </>
  );
}

function sentenceOf({ kind }: FollowedChange): string {
  if (kind === 'mention') return t('{who} mentioned you in {name}');
  if (kind === 'comment') return t('{who} wrote about {name}');
  return kind === 'change' ? t('{who} changed {name}') : t('{who} on {name}');
}

function detailOf({ text, changes }: FollowedChange): string {
  if (changes.length === 0) return text;
  return changes.map(({ label, value }) => `${label}: ${valueWords(value)}`).join(', ');
}

function valueWords(value: FollowedChange['changes'][number]['value']): string {
  if (value === null || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return formatDecimal(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatDateTime(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : value;
}

function When({ at }: { readonly at: string }) {
  return (
    <time className="small digits dim" dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, Date.now(), 'narrow')}
    </time>
  );
}
