import type { OwnFactor } from '@kontor/protocol';
import { useState } from 'react';
import { formatRelative } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { NewCodesDialog, PasskeyDialog, RemoveFactorDialog, TotpDialog } from './factor-dialogs.tsx';

interface OwnFactorsProps {
  readonly factors: readonly OwnFactor[];
  readonly recoveryCodes: number;
  readonly onChanged: () => void;
}

type Open =
  | { readonly kind: 'totp' | 'passkey' | 'codes' }
  | { readonly kind: 'remove'; readonly factor: OwnFactor }
  | null;

/** The user's second factors; each change asks for the password. */
export function OwnFactors({ factors, recoveryCodes, onChanged }: OwnFactorsProps) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => {
    setOpen(null);
    onChanged();
  };
  return (
    <>
      {factors.length === 0 && <p className="mut">{t('You sign in with your password alone.')}</p>}
      <ul className="profile-rows" hidden={factors.length === 0}>
        {factors.map((factor) => (
          <li className="row gap-3 pad-y-2 lined last-bare" key={factor.id}>
            <NamedIcon name={factor.kind === 'totp' ? 'smartphone' : 'key-round'} className="dim" />
            <div className="grow">
              <p>
                <b className="semi">{factor.name}</b>
              </p>
              <p className="small mut">
                {factor.last_used_at
                  ? t('last used {when}', { when: formatRelative(factor.last_used_at) })
                  : t('added {when}', { when: formatRelative(factor.create_date) })}
              </p>
            </div>
            <Button
              kind="bare"
              aria-label={t('Remove {name}', { name: factor.name })}
              onClick={() => setOpen({ kind: 'remove', factor })}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="line wrap gap-2">
        <Button icon="plus" onClick={() => setOpen({ kind: 'totp' })}>
          {t('Authenticator app')}
        </Button>
        <Button icon="plus" onClick={() => setOpen({ kind: 'passkey' })}>
          {t('Passkey')}
        </Button>
        {factors.length > 0 && (
          <Button onClick={() => setOpen({ kind: 'codes' })}>
            {t('New recovery codes ({count} left)', { count: recoveryCodes })}
          </Button>
        )}
      </div>
      {open?.kind === 'totp' && <TotpDialog onClose={close} />}
      {open?.kind === 'passkey' && <PasskeyDialog onClose={close} />}
      {open?.kind === 'codes' && <NewCodesDialog onClose={close} />}
      {open?.kind === 'remove' && <RemoveFactorDialog factor={open.factor} onClose={close} />}
    </>
  );
}
