import { showError } from '../../data/changes.ts';
import { rpc } from '../../data/rpc.ts';
import { formatDate, formatDateTime } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/parts.tsx';
import type { OwnKey, OwnSession } from './profile-data.ts';

/** Removes rows of one's own, then shows what is left. */
async function remove(model: string, ids: readonly number[], onDone: () => void): Promise<void> {
  try {
    await rpc({ model, method: 'unlink', args: [ids] });
    onDone();
  } catch (error) {
    showError(error);
  }
}

export function OwnKeys({ keys, onChanged }: { readonly keys: readonly OwnKey[]; readonly onChanged: () => void }) {
  if (keys.length === 0) return <p className="mut">{t('You have no API keys. An administrator makes them.')}</p>;
  return (
    <ul className="profile-rows">
      {keys.map((key) => (
        <li key={key.id}>
          <div>
            <b>{key.name}</b> <code>{key.prefix}…</code> {!key.active && <Badge look="warn">{t('Inactive')}</Badge>}
            <p className="mut">
              {key.last_used_at ? t('Last used {when}', { when: formatDateTime(key.last_used_at) }) : t('Never used')}
              {key.expires_at && ` · ${t('expires {when}', { when: formatDate(key.expires_at) })}`}
            </p>
          </div>
          <Button kind="bare" onClick={() => void remove('core.user.apikey', [key.id], onChanged)}>
            {t('Revoke')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface OwnSessionsProps {
  readonly sessions: readonly OwnSession[];
  readonly onChanged: () => void;
}

export function OwnSessions({ sessions, onChanged }: OwnSessionsProps) {
  const others = sessions.filter((session) => !session.isCurrent).map((session) => session.id);
  return (
    <>
      <ul className="profile-rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <b>{session.device}</b> {session.isCurrent && <Badge look="ok">{t('This one')}</Badge>}
              <p className="mut">
                {session.address} · {t('last seen {when}', { when: formatDateTime(session.last_seen_at) })}
              </p>
            </div>
            {!session.isCurrent && (
              <Button kind="bare" onClick={() => void remove('sys.session', [session.id], onChanged)}>
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button onClick={() => void remove('sys.session', others, onChanged)}>{t('Sign out everywhere else')}</Button>
      )}
    </>
  );
}
