import type { ArchField, ChatterFile, ChatterMessage, TrackedChange } from '@kontor/protocol';
import { fileHref } from '../../../data/form/chatter.ts';
import { sanitiseHtml } from '../../../fields/html/sanitise-html.ts';
import { formatDate, formatDateTime, formatRelative } from '../../../i18n/dates.ts';
import { locale, t } from '../../../i18n/messages.ts';
import { formatDecimal } from '../../../i18n/numbers.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Avatar } from '../../../ui/parts.tsx';
import { useOpenForm } from '../form-context.ts';

export function Message({ message }: { readonly message: ChatterMessage }) {
  const { workspace } = useOpenForm();
  const { author, date, kind, body, tracking, files = [] } = message;
  return (
    <li className="chatter-message">
      <Avatar name={author.name} />
      <div>
        <b>{author.name}</b>
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
        {files.length > 0 && <Files files={files} />}
        {tracking.map((change) => (
          <Change
            key={change.field}
            change={change}
            field={workspace.arch.fields.find((field) => field.name === change.field)}
          />
        ))}
      </div>
    </li>
  );
}

function Change({ change, field }: { readonly change: TrackedChange; readonly field: ArchField | undefined }) {
  const said = (value: TrackedChange['old']) => (value === null || value === '' ? t('empty') : shown(value, field));
  return (
    <p className="chatter-track">
      {field?.label ?? change.label}
      <s>
        <span className="sr-only">{t('was')} </span>
        {said(change.old)}
      </s>
      <span aria-hidden="true">→</span>
      <b>
        <span className="sr-only">{t('is now')} </span>
        {said(change.new)}
      </b>
    </p>
  );
}

/** As the field itself would show it; selections and names come in words already. */
function shown(value: string | number | boolean, field: ArchField | undefined): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (field?.type === 'date') return formatDate(String(value));
  if (field?.type === 'datetime') return formatDateTime(String(value));
  return typeof value === 'number' ? formatDecimal(value) : value;
}

function Files({ files }: { readonly files: readonly ChatterFile[] }) {
  return (
    <ul className="chatter-files">
      {files.map(({ id, name, type, size }) => (
        <li key={id}>
          {isPicture(type) ? (
            <a className="chatter-picture" href={fileHref(id)} target="_blank" rel="noreferrer">
              <img src={fileHref(id)} alt={name} loading="lazy" />
            </a>
          ) : (
            <a className="chatter-file" href={fileHref(id)} download={name}>
              <Icon name="paperclip" size={14} />
              <span>{name}</span>
              <small>{inKilobytes(size)}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function isPicture(type: string): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(type);
}

function inKilobytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'kilobyte' }).format(kilobytes);
}
