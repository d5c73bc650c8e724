import {
  formatDateTime,
  Icon,
  MailBody,
  type MailBodyProps,
  type RecordValues,
  read,
  Skeleton,
  showError,
  t,
  whileBusy,
} from '@kontor/client';
import { useEffect, useState } from 'react';

const fields = [
  ...['sender_name', 'sender_email', 'received_at', 'body', 'folded', 'file_names', 'problem', 'last_error'],
  ...['pictures', 'invitation', 'invitation_answer'],
];

type MailInvitation = NonNullable<MailBodyProps['invitation']>;

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
    <article className="fill scroll pad-4 stack gap-3 packed" tabIndex={0}>
      <p className="row wrap gap-1h">
        <b className="semi">
          <bdi>{String(mail.sender_name ?? mail.sender_email ?? t('Unknown sender'))}</bdi>
        </b>
        <span className="small mut">{String(mail.sender_email ?? '')}</span>
        <time className="small dim push">{formatDateTime(String(mail.received_at))}</time>
      </p>
      {problem != null && <p className="warned pad-2-3 round-m">{String(problem)}</p>}
      <MailBody
        className="break"
        html={String(mail.body ?? '')}
        folded={String(mail.folded ?? '')}
        pictures={
          String(mail.pictures ?? '')
            .split('\n')
            .filter(Boolean).length
        }
        {...(mail.invitation == null ? {} : { invitation: mail.invitation as unknown as MailInvitation })}
        {...(mail.invitation_answer == null ? {} : { answer: { is: mail.invitation_answer as 'yes', by: '' } })}
        href={`/web/mail/incoming/${id}.html`}
        place={{ incoming: id }}
      />
      {files.length > 0 && (
        <ul className="line wrap gap-1h" aria-label={t('Files')}>
          {files.map((name) => (
            <li key={name} className="row gap-1 framed round-s small ink inbox-record">
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
