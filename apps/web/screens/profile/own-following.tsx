import { useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Labelled } from '../../ui/labelled.tsx';

interface Following {
  readonly hears: string;
  /** The hour of the daily digest; null: e-mails at once. */
  readonly digest: number | null;
}

interface Quiet {
  readonly from: string;
  readonly to: string;
  /** Mentions may pass. */
  readonly urgent: boolean;
}

const usualQuiet: Quiet = { from: '20:00', to: '07:00', urgent: true };

/** What is heard of records that the user follows, and when e-mails come. Each choice is saved at once. */
export function OwnFollowing(given: { readonly following: unknown; readonly quiet: unknown }) {
  const [following, setFollowing] = useState<Following>({ hears: 'all', digest: null, ...objectIn(given.following) });
  const [quiet, setQuiet] = useState<Quiet | null>(
    given.quiet === null ? null : { ...usualQuiet, ...objectIn(given.quiet) },
  );
  const follow = (values: Partial<Following>) => {
    const next = { ...following, ...values };
    setFollowing(next);
    saveSetting('following', next);
  };
  const keepQuiet = (next: Quiet | null) => {
    setQuiet(next);
    saveSetting('quiet', next);
  };
  return (
    <div className="stack gap-4 profile-form">
      <Labelled label={t('What you hear of records that you follow')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={following.hears}
            onChange={(event) => follow({ hears: event.target.value })}
          >
            <option value="all">{t('Everything')}</option>
            <option value="states">{t('Changes of state and mentions')}</option>
            <option value="mentions">{t('Mentions only')}</option>
            <option value="none">{t('Nothing')}</option>
          </select>
        )}
      </Labelled>
      {hasFeature('mail') && (
        <>
          <Labelled label={t('E-mails about them')}>
            {(props) => (
              <select
                {...props}
                className="input"
                value={following.digest ?? ''}
                onChange={(event) => follow({ digest: event.target.value === '' ? null : Number(event.target.value) })}
              >
                <option value="">{t('At once')}</option>
                {Array.from({ length: 24 }, (_, hour) => hour).map((hour) => (
                  <option key={hour} value={hour}>
                    {t('Once a day at {time}', { time: `${String(hour).padStart(2, '0')}:00` })}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
          <QuietHours quiet={quiet} onChange={keepQuiet} />
        </>
      )}
    </div>
  );
}

interface QuietHoursProps {
  readonly quiet: Quiet | null;
  onChange(quiet: Quiet | null): void;
}

function QuietHours({ quiet, onChange }: QuietHoursProps) {
  return (
    <fieldset className="stack gap-2">
      <label className="row gap-2">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={(event) => onChange(event.target.checked ? usualQuiet : null)}
        />
        {t('Quiet hours: e-mails wait until they end')}
      </label>
      {quiet && (
        <>
          <div className="row gap-2">
            <input
              type="time"
              className="input"
              aria-label={t('From')}
              value={quiet.from}
              onChange={(event) => event.target.value && onChange({ ...quiet, from: event.target.value })}
            />
            –
            <input
              type="time"
              className="input"
              aria-label={t('Until')}
              value={quiet.to}
              onChange={(event) => event.target.value && onChange({ ...quiet, to: event.target.value })}
            />
          </div>
          <label className="row gap-2">
            <input
              type="checkbox"
              checked={quiet.urgent}
              onChange={(event) => onChange({ ...quiet, urgent: event.target.checked })}
            />
            {t('Mentions may pass')}
          </label>
        </>
      )}
    </fieldset>
  );
}

function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
