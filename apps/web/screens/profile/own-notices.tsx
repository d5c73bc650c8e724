import type { NoticeWay, OwnNotice } from '@kontor/protocol';
import { useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Labelled } from '../../ui/labelled.tsx';

/** Each choice is saved at once. Email is offered only if the server can send it. */
export function OwnNotices({ notices }: { readonly notices: readonly OwnNotice[] }) {
  const [ways, setWays] = useState<Readonly<Record<string, NoticeWay>>>(() =>
    Object.fromEntries(notices.map(({ name, way }) => [name, way])),
  );
  const choose = (name: string, way: NoticeWay) => {
    const next = { ...ways, [name]: way };
    setWays(next);
    saveSetting('notices', next);
  };
  const choices: readonly (readonly [NoticeWay, string])[] = [
    ['both', t('Both')],
    ['client', t('In the app')],
    ['mail', t('By e-mail')],
    ['none', t('Never')],
  ];
  const offered = choices.filter(([way]) => hasFeature('mail') || way === 'client' || way === 'none');
  return (
    <div className="stack gap-4 profile-form">
      {notices.map(({ name, label }) => (
        <Labelled key={name} label={label}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={shown(ways[name] ?? 'none')}
              onChange={(event) => choose(name, event.target.value as NoticeWay)}
            >
              {offered.map(([way, words]) => (
                <option key={way} value={way}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      ))}
    </div>
  );
}

/** The choice without email, if the server cannot send it. */
function shown(way: NoticeWay): NoticeWay {
  if (hasFeature('mail')) return way;
  if (way === 'both') return 'client';
  return way === 'mail' ? 'none' : way;
}
