import { t } from '../i18n/messages.ts';
import { bootstrap, hasFeature } from '../state/bootstrap.ts';

/** Said where something would be mailed, before anybody writes it, with the way to set mail up for who may. Nothing where mail can be sent. */
export function NoMail() {
  if (hasFeature('mail')) return null;
  return (
    <p className="small warn pad-x-2" role="note">
      {t('No mail server is set up, so nothing is sent by e-mail.')}{' '}
      {bootstrap().user.isAdmin ? (
        <a href="/web?action=base.mail_servers&view_type=form">{t('Set up a mail server')}</a>
      ) : (
        t('Ask an administrator.')
      )}
    </p>
  );
}
