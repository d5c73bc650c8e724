import { useEffect, useState } from 'react';
import {
  type ArchField,
  Avatar,
  Button,
  bareText,
  type ChatterFile,
  type ChatterMail,
  type ChatterMessage,
  type ChatterPage,
  type ChatterProps,
  fileHref,
  formatDateTime,
  formatRelative,
  Icon,
  latestOnly,
  loadChatter,
  locale,
  MailBody,
  type Outgoing,
  onCatchUp,
  onEvent,
  outgoing,
  removeOutgoing,
  resendComment,
  Skeleton,
  sanitiseHtml,
  showError,
  startOutgoing,
  type TrackedChange,
  t,
  toClientError,
  useBootstrap,
  useStore,
} from '../../../door/index.ts';
import { rescheduleMessage, undoMessage } from './outside-message.ts';
import { isPicture } from './picture-type.ts';
import { SendLater } from './send-later.tsx';

interface FeedProps extends ChatterProps {
  readonly feed: FeedState;
  /** Fields of the record, which format tracked changes. */
  readonly fields?: readonly ArchField[];
  /** As in a mail program: the newest message is last. */
  readonly isOldestFirst?: boolean;
}

/** Newest first; unsent comments are on top until the server confirms them. */
export function Feed({ feed, model, recordId, fields = [], isOldestFirst = false }: FeedProps) {
  const { page } = feed;
  useEffect(startOutgoing, []);
  const waiting = useStore(outgoing).filter((comment) => comment.model === model && comment.id === recordId);
  const isEmpty = page?.messages.length === 0 && waiting.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <div className="fill scroll pad-4 chatter-feed" tabIndex={0} role="region" aria-label={t('Messages')}>
      {page === null && <Skeleton width="70%" />}
      {isEmpty && <p className="dim">{t('No messages yet.')}</p>}
      {!isEmpty && (
        <ol className={`column gap-4 ${isOldestFirst ? 'chatter-upwards' : ''}`}>
          {waiting.toReversed().map((comment) => (
            <OutgoingMessage key={comment.key} comment={comment} />
          ))}
          {page?.messages.map((message) => (
            <Message key={message.id} {...{ message, fields, where: { model, recordId } }} />
          ))}
        </ol>
      )}
      {page?.more && (
        <Button kind="bare" onClick={() => void feed.loadOlder().catch(showError)}>
          {t('Show older')}
        </Button>
      )}
    </div>
  );
}

interface MessageProps {
  readonly message: ChatterMessage;
  readonly fields: readonly ArchField[];
  /** The record. */
  readonly where: ChatterProps;
}

function Message({ message, fields, where }: MessageProps) {
  const { author, agent, date, kind, mail, body, tracking, files = [] } = message;
  return (
    <li className="stack break gap-2h chatter-message">
      <Avatar name={author.name} />
      <div>
        <b className="semi">{agent ? t('{agent} for {name}', { agent, name: author.name }) : author.name}</b>
        <time className="tiny dim before-1h" dateTime={date} title={formatDateTime(date)}>
          {formatRelative(date)}
        </time>
        {kind === 'comment' && (
          <span className="dim before-1h" role="img" aria-label={t('Internal note')} title={t('Internal note')}>
            <Icon name="lock" size={12} />
          </span>
        )}
        {mail && (mail.outgoing ? <SentHead {...{ mail, message }} {...where} /> : <MailHead mail={mail} />)}
        {mail ? (
          <MailBody
            {...mail}
            className={bodyClass.email}
            html={body}
            href={`/web/mail/message/${message.id}.html`}
            place={{ message: message.id }}
          />
        ) : (
          body && <Html className={bodyClass[kind]} html={body} />
        )}
        {files.length > 0 && <Files files={files} />}
        {tracking.map((change) => (
          <Change key={change.field} change={change} field={fields.find((field) => field.name === change.field)} />
        ))}
      </div>
    </li>
  );
}

/** Notes stay inside: another colour than what leaves. */
const bodyClass: Readonly<Record<ChatterMessage['kind'], string>> = {
  comment: 'framed round-m warned above-1 pad-y-2 pad-x-2h chatter-bubble',
  email: 'panel above-1 pad-y-2 pad-x-2h chatter-bubble chatter-mail',
  system: 'line wrap small mut chatter-track',
  tracking: 'line wrap small mut chatter-track',
};

interface SentHeadProps extends ChatterProps {
  readonly mail: ChatterMail;
  readonly message: ChatterMessage;
}

/** Who gets a message of ours and whether it has left; its author may still take it back. */
function SentHead({ mail, message, model, recordId }: SentHeadProps) {
  const { to, state, at, mayChange, failedTo = [] } = mail.outgoing as NonNullable<ChatterMail['outgoing']>;
  const words = {
    waiting: t('Sent on {time}', { time: formatDateTime(at) }),
    sent: t('Sent'),
    unclear: t('Possibly sent'),
    failed: t('Not sent'),
  };
  return (
    <>
      <p className="line wrap gap-1h small mut">
        <Icon name="mail" size={14} />
        <span>{t('to {names}', { names: to.join(', ') })}</span>
        <Copies mail={mail} />
        {failedTo.length > 0 ? (
          <b className="row gap-half semi bad">
            <Icon name="triangle-alert" size={12} />
            {failedTo.length < to.length
              ? t('Not delivered to {names}', { names: failedTo.join(', ') })
              : t('Not delivered')}
          </b>
        ) : (
          <b className={`semi ${state === 'failed' ? 'bad' : state === 'sent' ? 'ok' : 'warn'}`}>{words[state]}</b>
        )}
        {mayChange && (
          <>
            <Button kind="bare" onClick={() => void undoMessage({ model, recordId }, message.id)}>
              {t('Take back')}
            </Button>
            <SendLater
              label={t('Change the time')}
              onChoose={(next) => void rescheduleMessage(message.id, next).catch(showError)}
            />
          </>
        )}
      </p>
      {mail.subject && <p className="semi">{mail.subject}</p>}
    </>
  );
}

/** Who else has an e-mail. */
function Copies({ mail }: { readonly mail: ChatterMail }) {
  const { cc = [] } = mail;
  if (cc.length === 0) return null;
  const names = cc.map(({ name, address }) => name || address).join(', ');
  return <span title={cc.map(({ address }) => address).join(', ')}>{t('cc {names}', { names })}</span>;
}

/** Where an e-mail from outside came from, so that it is not taken for a comment of a colleague. */
function MailHead({ mail }: { readonly mail: ChatterMail }) {
  const { address, contactId, mark, subject } = mail;
  const contact = new URLSearchParams({ model: 'core.partner', view_type: 'form', id: String(contactId) });
  return (
    <>
      <p className="line wrap gap-1h small mut">
        <Icon name="mail" size={14} />
        {contactId ? <a href={`/web?${contact}`}>{address}</a> : <span>{address || t('Unknown sender')}</span>}
        <Copies mail={mail} />
        {mark !== 'message' && (
          <b className={mark === 'bounce' ? 'semi bad' : 'semi'}>
            {mark === 'bounce' ? t('Not delivered') : t('Automatic reply')}
          </b>
        )}
      </p>
      {subject && <p className="semi">{subject}</p>}
    </>
  );
}

function Html({ className, html }: { readonly className: string; readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned here and on the server.
  return <div className={className} dangerouslySetInnerHTML={{ __html: sanitiseHtml(html) }} />;
}

function Change({ change, field }: { readonly change: TrackedChange; readonly field: ArchField | undefined }) {
  const said = (value: TrackedChange['old']) => (value === null || value === '' ? t('empty') : shown(value, field));
  return (
    <p className="line wrap small mut chatter-track">
      {field?.label ?? change.label}
      <s>
        <span className="sr-only">{t('was')} </span>
        {said(change.old)}
      </s>
      <span aria-hidden="true">→</span>
      <b className="semi ink">
        <span className="sr-only">{t('is now')} </span>
        {said(change.new)}
      </b>
    </p>
  );
}

/** Formatted as in the field itself; selections and relations already come as text. */
function shown(value: string | number | boolean, field: ArchField | undefined): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  return bareText(field, value);
}

function Files({ files }: { readonly files: readonly ChatterFile[] }) {
  return (
    <ul className="line wrap gap-1h above-1h">
      {files.map(({ id, name, type, size }) => (
        <li key={id}>
          {isPicture(type) ? (
            <a className="inline-block least-24 chatter-picture" href={fileHref(id)} target="_blank" rel="noreferrer">
              <img className="within block framed round-m" src={fileHref(id)} alt={name} loading="lazy" />
            </a>
          ) : (
            <a
              className="inline-row gap-1h surface round-m ink within outlined chatter-file"
              href={fileHref(id)}
              download={name}
            >
              <Icon name="paperclip" size={14} />
              <span>{name}</span>
              <small className="dim nowrap">{kilobytesText(size)}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function kilobytesText(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'kilobyte' }).format(kilobytes);
}

/** A comment that is being sent. */
function OutgoingMessage({ comment }: { readonly comment: Outgoing }) {
  const { user } = useBootstrap();
  const { key, text, files, problem, isWaiting } = comment;
  return (
    <li className="stack break gap-2h chatter-message">
      <Avatar name={user.name} image={user.image} />
      <div>
        <b className="semi">{user.name}</b>
        <span className="tiny dim before-1h">{problem ? '' : t('sending …')}</span>
        <div className={`panel above-1 pad-y-2 pad-x-2h pre-wrap ${problem ? '' : 'mut'} chatter-bubble chatter-plain`}>
          {text}
          {files.map((file) => (
            <span
              key={file.name}
              className="above-1h inline-row gap-1h surface round-m ink within outlined chatter-file"
            >
              <Icon name="paperclip" size={14} /> {file.name}
            </span>
          ))}
        </div>
        {problem && (
          <p className="row wrap small bad gap-1 rows-0 above-half" role="alert">
            {isWaiting ? t('Not sent yet. It will be sent when the server is back.') : t(problem)}
            <Button kind="bare" onClick={() => resendComment(key)}>
              {t('Try again')}
            </Button>
            <Button kind="bare" onClick={() => removeOutgoing(key)}>
              {t('Discard')}
            </Button>
          </p>
        )}
      </div>
    </li>
  );
}

interface FeedState {
  /** Null until loaded. */
  readonly page: ChatterPage | null;
  /** The record has no chatter, or was deleted. */
  readonly isAbsent: boolean;
  loadOlder(): Promise<void>;
}

/** The messages of a record, newest first; loaded again whenever something is posted or changed, here or elsewhere. */
export function useFeed(model: string, recordId: number): FeedState {
  const [page, setPage] = useState<ChatterPage | null>(null);
  const [isAbsent, setAbsent] = useState(false);
  useEffect(() => {
    const load = latestOnly(
      () => loadChatter(model, recordId),
      (newest) => setPage((now) => merged(newest, now)),
    );
    const refresh = () =>
      load().catch((error: unknown) => {
        const { status, code } = toClientError(error);
        if (status === 404 || status === 403) setAbsent(true);
        else if (code !== 'network') showError(error);
      });
    void refresh();
    const mine = (payload: Readonly<Record<string, unknown>>) =>
      payload.model === model && payload.id === recordId && void refresh();
    // Without a bus, reload once the user's own comment has been sent.
    let waiting = outgoing.get().length;
    const sent = outgoing.subscribe(() => {
      const now = outgoing.get().length;
      if (now < waiting) void refresh();
      waiting = now;
    });
    const stops = [onEvent('chatter.posted', mine), onCatchUp(() => void refresh()), sent];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId]);
  const loadOlder = async () => {
    const last = page?.messages.at(-1);
    if (!last || !page) return;
    const next = await loadChatter(model, recordId, last.id);
    setPage({ ...next, messages: [...page.messages, ...next.messages] });
  };
  return { page, isAbsent, loadOlder };
}

/** Keeps older messages that were loaded before. */
function merged(newest: ChatterPage, now: ChatterPage | null): ChatterPage {
  if (now === null) return newest;
  const ids = new Set(newest.messages.map((message) => message.id));
  const oldest = newest.messages.at(-1)?.id ?? 0;
  const older = now.messages.filter((message) => !ids.has(message.id) && message.id < oldest);
  return { ...newest, messages: [...newest.messages, ...older], more: older.length > 0 ? now.more : newest.more };
}
