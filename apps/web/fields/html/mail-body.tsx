import type { ChatterMail, InvitationAnswer, MailInvitation } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { dateFormat, timeZone } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NoMail } from '../../ui/no-mail.tsx';
import { sanitiseHtml } from './sanitise-html.ts';

/** What the text of an e-mail needs, as the chatter has it. */
export interface MailBodyProps extends Pick<ChatterMail, 'pictures' | 'invitation' | 'answer'> {
  readonly className?: string | undefined;
  /** Cleaned HTML, in which links take the place of pictures from elsewhere. */
  readonly html: string;
  /** Signature and quoted history; empty if there is none. */
  readonly folded: string;
  /** The page with the pictures. */
  readonly href: string;
  /** How the server knows the e-mail when its invitation is answered. */
  readonly place: { readonly message: number } | { readonly incoming: number };
}

/** The text of an e-mail, with its pictures on demand, and the invitation that it is. */
export function MailBody({ className, html, folded, pictures = 0, href, place, invitation, answer }: MailBodyProps) {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      {invitation && <Invitation {...{ invitation, place }} {...(answer ? { answer } : {})} />}
      {isLoaded ? <Pictured href={href} /> : html && <Html className={className} html={html} />}
      {pictures > 0 && !isLoaded && (
        <p className="row wrap gap-1h small mut">
          <Icon name="image" size={14} />
          {tn(
            '{n} picture from another server is not loaded.',
            '{n} pictures from other servers are not loaded.',
            pictures,
          )}
          <Button kind="bare" title={t('The sender may learn that you read this.')} onClick={() => setLoaded(true)}>
            {t('Load pictures')}
          </Button>
        </p>
      )}
      {folded && !isLoaded && (
        <details className="small mut chatter-history">
          <summary
            className="fit pad-x-2 pointer"
            title={t('Signature and earlier messages')}
            aria-label={t('Signature and earlier messages')}
          >
            …
          </summary>
          <Html className="chatter-bubble" html={folded} />
        </details>
      )}
    </>
  );
}

function Html({ className, html }: { readonly className: string | undefined; readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned here and on the server.
  return <div className={className} dangerouslySetInnerHTML={{ __html: sanitiseHtml(html) }} />;
}

/** In a sandbox: pictures load, and nothing runs. It is as high as its page. */
function Pictured({ href }: { readonly href: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
  const follow = () => {
    const page = frame.current?.contentDocument?.body;
    if (!page) return;
    const measure = () => setHeight(Math.ceil(page.scrollHeight));
    new ResizeObserver(measure).observe(page);
    measure();
  };
  return (
    <iframe
      ref={frame}
      className="block full round-m no-border"
      title={t('E-mail with pictures')}
      src={href}
      height={height}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={follow}
    />
  );
}

interface InvitationProps extends Pick<MailBodyProps, 'place' | 'answer'> {
  readonly invitation: MailInvitation;
}

function Invitation({ invitation, place, answer }: InvitationProps) {
  const { kind, title, organiser } = invitation;
  const [said, setSaid] = useState(answer);
  const [isBusy, setBusy] = useState(false);
  const shown = said ?? answer;
  const give = async (is: InvitationAnswer) => {
    setBusy(true);
    try {
      await request('/web/mail/invitation', { json: { ...place, answer: is } });
      setSaid({ is, by: '' });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="stack gap-1 framed round-m pad-3" aria-label={t('Invitation')}>
      <p className="row wrap gap-1h">
        <Icon name="calendar" size={16} />
        <b className="semi">
          <bdi>{title || t('Meeting')}</bdi>
        </b>
        {kind === 'cancel' && <span className="bad">{t('The organiser cancelled this meeting.')}</span>}
      </p>
      <Details invitation={invitation} />
      {kind === 'request' && organiser && <NoMail />}
      {kind === 'request' && organiser && (
        <div className="row wrap gap-1h" role="group" aria-label={t('Answer')}>
          {(['yes', 'maybe', 'no'] as const).map((each) => (
            <Button
              key={each}
              kind={shown?.is === each ? 'primary' : 'default'}
              aria-pressed={shown?.is === each}
              disabled={isBusy || !hasFeature('mail')}
              onClick={() => void give(each)}
            >
              {answerWords()[each]}
            </Button>
          ))}
          {shown?.by && <span className="small mut">{t('Answered by {name}', { name: shown.by })}</span>}
        </div>
      )}
    </section>
  );
}

/** When and where it is; of an answer, what the attendee says. */
function Details({ invitation }: { readonly invitation: MailInvitation }) {
  const { kind, place, repeats, organiser, attendees } = invitation;
  if (kind === 'reply') {
    return attendees.map(({ name, address, answer }) => (
      <p key={address} className="small">
        <bdi>{name}</bdi>: {answer ? answerWords()[answer] : t('No answer yet')}
      </p>
    ));
  }
  return (
    <>
      <p className="small">
        {whenText(invitation)}
        {repeats && ` · ${t('Repeats')}`}
      </p>
      {place && (
        <p className="small mut break">
          <bdi>{place}</bdi>
        </p>
      )}
      {organiser && (
        <p className="small mut">
          {t('Organised by {name}', { name: organiser.name })}
          {attendees.length > 1 && ` · ${tn('{n} attendee', '{n} attendees', attendees.length)}`}
        </p>
      )}
    </>
  );
}

function answerWords(): Readonly<Record<InvitationAnswer, string>> {
  return { yes: t('Accept'), maybe: t('Tentative'), no: t('Decline') };
}

const dayMs = 86_400_000;

/** In the reader's time zone; the last of whole days is the one before the end. */
function whenText({ start, stop, allDay }: MailInvitation): string {
  const [from, to] = [new Date(start), new Date(stop)];
  if (allDay) {
    const days = dateFormat({ dateStyle: 'full', timeZone: 'UTC' });
    return days.formatRange(from, new Date(Math.max(from.getTime(), to.getTime() - dayMs)));
  }
  const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const;
  return dateFormat({ ...day, hour: '2-digit', minute: '2-digit', timeZone: timeZone() }).formatRange(from, to);
}
