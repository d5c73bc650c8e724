import type { ChatterMessage } from '../../../data/form/chatter.ts';
import { sanitiseHtml } from '../../../fields/html/sanitise-html.ts';
import { formatDateTime, formatRelative } from '../../../i18n/dates.ts';
import { t } from '../../../i18n/messages.ts';
import { Avatar } from '../../../ui/parts.tsx';

export function Message({ message }: { readonly message: ChatterMessage }) {
  const { author, date, kind, body, tracking } = message;
  const name = author?.name ?? 'Kontor';
  return (
    <li className="chatter-message">
      <Avatar name={name} />
      <div>
        <b>{name}</b>
        <time dateTime={date} title={formatDateTime(date)}>
          {formatRelative(date)}
        </time>
        {body && (
          <div
            className={kind === 'comment' ? 'chatter-bubble' : 'chatter-track'}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned here and on the server.
            dangerouslySetInnerHTML={{ __html: sanitiseHtml(body) }}
          />
        )}
        {tracking.map((change) => (
          <p key={change.field} className="chatter-track">
            {change.label} <s>{said(change.old)}</s> <span aria-hidden="true">→</span> <b>{said(change.new)}</b>
          </p>
        ))}
      </div>
    </li>
  );
}

function said(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
