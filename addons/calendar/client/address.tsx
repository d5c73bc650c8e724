import {
  Button,
  defineView,
  formatDateTime,
  rpc,
  searchRead,
  showError,
  showToast,
  t,
  type ViewProps,
  WorkspaceBar,
} from '@kontor/client';
import { useState } from 'react';
import './calendar.css';

const model = 'calendar.feed';

/** The address of the user's own calendar: created, shown once, renewed and revoked. */
export const addressView = defineView({ type: 'calendar_address', View: Address });

interface Feed {
  readonly id: number;
  readonly since: string;
}

function Address({ workspace, search }: ViewProps) {
  const [known] = workspace.records;
  const [feed, setFeed] = useState<Feed | null>(known ? { id: known.id, since: String(known.renewed_at ?? '') } : null);
  const [address, setAddress] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    await work().catch(showError);
    setBusy(false);
  };
  const renew = async () => {
    const id = feed?.id ?? (await rpc<number>({ model, method: 'create', args: [{}] }));
    const made = await rpc<{ redirect: string }>({ model, method: 'call', args: [id, 'action_renew'] });
    const [row] = await searchRead(model, [['id', '=', id]], ['renewed_at']);
    setFeed({ id, since: String(row?.renewed_at ?? '') });
    setAddress(`${location.origin}${made.redirect}`);
  };
  const revoke = async () => {
    if (feed) await rpc({ model, method: 'unlink', args: [[feed.id]] });
    setFeed(null);
    setAddress(null);
    showToast({ kind: 'success', title: t('The address is revoked and no longer gives access to your calendar.') });
  };
  return (
    <>
      <WorkspaceBar workspace={workspace} search={search} />
      <section className="stack gap-3 calendar-address" aria-live="polite">
        <h2>{t('Use your meetings in another calendar')}</h2>
        <p>
          {t(
            'Subscribe to your meetings from your phone or another calendar with a private address. Anyone who has the address can see them, so keep it secret.',
          )}
        </p>
        {address && <Shown address={address} />}
        {!address && feed && (
          <p className="mut">
            {t('An address has existed since {date}. It was shown when it was created.', {
              date: formatDateTime(feed.since),
            })}
          </p>
        )}
        <div className="line wrap gap-2">
          <Button kind={feed ? 'default' : 'primary'} disabled={isBusy} onClick={() => void run(renew)}>
            {feed ? t('Create a new address') : t('Create an address')}
          </Button>
          {feed && (
            <Button kind="danger" disabled={isBusy} onClick={() => void run(revoke)}>
              {t('Revoke')}
            </Button>
          )}
        </div>
      </section>
    </>
  );
}

function Shown({ address }: { readonly address: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    showToast({ kind: 'success', title: t('Copied') });
  };
  return (
    <div className="line wrap gap-2 at-end calendar-address-shown">
      <label className="stack gap-1">
        <span>{t('The address (shown only once)')}</span>
        <input className="input" readOnly value={address} onFocus={(event) => event.target.select()} />
      </label>
      <Button icon="copy" onClick={() => void copy().catch(showError)}>
        {t('Copy')}
      </Button>
    </div>
  );
}
