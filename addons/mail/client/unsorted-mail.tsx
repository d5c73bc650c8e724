import {
  formatDateTime,
  Icon,
  type RecordValues,
  read,
  Skeleton,
  sanitiseHtml,
  showError,
  t,
  whileBusy,
} from '@kontor/client';
import { useEffect, useState } from 'react';

const fields = ['sender_name', 'sender_email', 'received_at', 'body', 'folded', 'file_names', 'problem', 'last_error'];

/** An e-mail that fits no record, with the rights of the reader. */
export function UnsortedMail({ id }: { readonly id: number }) {
  const [mail, setMail] = useState<RecordValues | null>(null);
  useEffect(() => {
    let isOver = false;
    void whileBusy(read('mail.incoming', [id], fields)).then(([row]) => isOver || setMail(row ?? null), showError);
    return () => {
      isOver = true;
    };
  }, [id]);
  if (!mail) {
    return (
      <div className="pad-4">
        <Skeleton width="70%" />
      </div>
    );
  }
  const problem = mail.problem ?? mail.last_error;
  const files = String(mail.file_names ?? '')
    .split('\n')
    .filter(Boolean);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <article className="fill scroll pad-4 stack gap-3 inbox-mail" tabIndex={0}>
      <p className="row wrap gap-1h">
        <b className="semi">
          <bdi>{String(mail.sender_name ?? mail.sender_email ?? t('Unknown sender'))}</bdi>
        </b>
        <span className="small mut">{String(mail.sender_email ?? '')}</span>
        <time className="small dim push">{formatDateTime(String(mail.received_at))}</time>
      </p>
      {problem != null && <p className="warned pad-2-3 round-m">{String(problem)}</p>}
      <Html html={String(mail.body ?? '')} />
      {mail.folded != null && (
        <details className="small mut">
          <summary aria-label={t('Signature and earlier messages')}>…</summary>
          <Html html={String(mail.folded)} />
        </details>
      )}
      {files.length > 0 && (
        <ul className="line wrap gap-1h" aria-label={t('Files')}>
          {files.map((name) => (
            <li key={name} className="row gap-1 framed round-s small inbox-record">
              <Icon name="paperclip" size={13} /> {name}
            </li>
          ))}
        </ul>
      )}
      <p className="small">
        <a href={`/web/mail/incoming/${id}.eml`}>{t('Original')}</a>
      </p>
    </article>
  );
}

function Html({ html }: { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned here and on the server.
  return <div className="break" dangerouslySetInnerHTML={{ __html: sanitiseHtml(html) }} />;
}
