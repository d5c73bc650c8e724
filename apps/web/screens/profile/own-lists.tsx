import type { OwnKey, OwnSession } from '@kontor/protocol';
import { runCommand } from '../../commands/command.ts';
import { showError } from '../../data/changes.ts';
import { rpc } from '../../data/rpc.ts';
import { showToast } from '../../data/toasts.ts';
import { formatDate, formatRelative } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, NamedIcon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/parts.tsx';

interface Removal {
  readonly model: string;
  readonly ids: readonly number[];
  readonly done: string;
  readonly onDone: () => void;
}

/** Removes the user's own rows, then reloads. */
async function remove({ model, ids, done, onDone }: Removal): Promise<void> {
  try {
    await rpc({ model, method: 'unlink', args: [ids] });
    showToast({ kind: 'success', title: done });
    onDone();
  } catch (error) {
    showError(error);
  }
}

interface OwnKeysProps {
  readonly keys: readonly OwnKey[];
  readonly isAdmin: boolean;
  readonly onChanged: () => void;
}

export function OwnKeys({ keys, isAdmin, onChanged }: OwnKeysProps) {
  if (keys.length === 0) {
    return (
      <p className="mut">
        {isAdmin ? t('You have no API keys.') : t('You have no API keys. An administrator can create one for you.')}
      </p>
    );
  }
  return (
    <ul className="profile-rows">
      {keys.map((key) => (
        <KeyRow key={key.id} of={key} onChanged={onChanged} />
      ))}
    </ul>
  );
}

function KeyRow({ of: key, onChanged }: { readonly of: OwnKey; readonly onChanged: () => void }) {
  const revoke = () =>
    remove({
      model: 'core.user.apikey',
      ids: [key.id],
      done: t('{name} is revoked', { name: key.name }),
      onDone: onChanged,
    });
  return (
    <li className="row gap-3 pad-y-2 lined last-bare">
      <Icon name="key" className="dim" />
      <div className="grow">
        <p>
          <b className="semi">{key.name}</b> <code className="dim">{key.prefix}…</code>{' '}
          {key.agent && <Badge look="info">{t('Agent {name}', { name: key.agent })}</Badge>} <KeyState state={key} />
        </p>
        <p className="small mut">
          {[
            key.last_used_at ? t('last used {when}', { when: formatRelative(key.last_used_at) }) : t('never used'),
            ...(key.expires_at ? [t('expires {when}', { when: formatDate(key.expires_at) })] : []),
            ...(key.rate === null ? [] : [tn('{n} call per minute', '{n} calls per minute', key.rate)]),
          ].join(' · ')}
        </p>
        <OldSecret of={key} onChanged={onChanged} />
      </div>
      {stateOf(key) === 'good' && key.agent && (
        <a
          className="btn btn-bare"
          href={`/web?model=core.user.apikey&view_type=form&id=${key.id}`}
          aria-label={t('Approval of {name}', { name: key.name })}
        >
          {t('Approval')}
        </a>
      )}
      {stateOf(key) === 'good' && (
        <Button
          kind="bare"
          aria-label={t('Rotate {name}', { name: key.name })}
          onClick={() => runCommand('rotate_api_key', { model: 'core.user.apikey', id: key.id, name: key.name })}
        >
          {t('Rotate')}
        </Button>
      )}
      <Button kind="bare" aria-label={t('Revoke {name}', { name: key.name })} onClick={() => void revoke()}>
        {t('Revoke')}
      </Button>
    </li>
  );
}

/** The previous secret of a rotated key, while it is still valid; it can be revoked early. */
function OldSecret({ of: key, onChanged }: { readonly of: OwnKey; readonly onChanged: () => void }) {
  const { id, old_prefix: prefix, old_expires_at: ends, old_last_used_at: used } = key;
  if (stateOf(key) !== 'good' || prefix === null || ends === null || isPast(ends)) return null;
  const end = async (): Promise<void> => {
    try {
      await rpc({ model: 'core.user.apikey', method: 'call', args: [id, 'action_end_old_secret'] });
      showToast({ kind: 'success', title: t('The old secret no longer works') });
      onChanged();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <>
      <p className="small mut">
        {t('Old secret')} <code className="dim">{prefix}…</code>{' '}
        {[
          t('ends {when}', { when: formatRelative(ends) }),
          used ? t('last used {when}', { when: formatRelative(used) }) : t('never used'),
        ].join(' · ')}
      </p>
      <Button aria-label={t('Revoke the old secret of {name}', { name: key.name })} onClick={() => void end()}>
        {t('Revoke now')}
      </Button>
    </>
  );
}

type StateOfKey = 'good' | 'inactive' | 'expired';

function stateOf({ active, expires_at: ends }: OwnKey): StateOfKey {
  if (!active) return 'inactive';
  return ends !== null && isPast(ends) ? 'expired' : 'good';
}

function isPast(moment: string): boolean {
  return new Date(moment) < new Date();
}

function KeyState({ state }: { readonly state: OwnKey }) {
  const is = stateOf(state);
  if (is === 'inactive') return <Badge look="warn">{t('Inactive')}</Badge>;
  return is === 'expired' ? <Badge look="bad">{t('Expired')}</Badge> : null;
}

interface OwnSessionsProps {
  readonly sessions: readonly OwnSession[];
  readonly onChanged: () => void;
}

export function OwnSessions({ sessions, onChanged }: OwnSessionsProps) {
  const others = sessions.filter((session) => !session.isCurrent).map((session) => session.id);
  const end = (ids: readonly number[]) =>
    remove({ model: 'sys.session', ids, done: t('Device signed out'), onDone: onChanged });
  return (
    <>
      <ul className="profile-rows">
        {sessions.map((session) => (
          <li className="row gap-3 pad-y-2 lined last-bare" key={session.id}>
            <NamedIcon name={/Android|iPhone|iPad/.test(session.device) ? 'smartphone' : 'monitor'} className="dim" />
            <div className="grow">
              <p>
                <b className="semi">{session.device}</b> {session.isCurrent && <Badge look="ok">{t('This one')}</Badge>}
              </p>
              <p className="small mut">
                {session.address} · {t('last seen {when}', { when: formatRelative(session.last_seen_at) })}
              </p>
            </div>
            {!session.isCurrent && (
              <Button
                kind="bare"
                aria-label={t('Sign out {device}', { device: session.device })}
                onClick={() => void end([session.id])}
              >
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div>
          <Button icon="log-out" onClick={() => void end(others)}>
            {t('Sign out everywhere else')}
          </Button>
        </div>
      )}
    </>
  );
}
