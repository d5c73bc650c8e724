import type { ProfileScreenData } from '@kontor/protocol';
import { type FormEvent, useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { rpc } from '../../data/rpc.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { changeBootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Labelled } from '../../ui/labelled.tsx';

type Problems = Readonly<Record<string, readonly string[]>>;

/** What people may change of themselves. */
export function AboutMe({ data, onSaved }: { readonly data: ProfileScreenData; readonly onSaved: () => void }) {
  const { id, name, email, lang, tz } = data.user;
  const [values, setValues] = useState({ name, email: email ?? '', lang, tz });
  const [problems, setProblems] = useState<Problems>({});
  const zones = useId();
  const set = (part: Partial<typeof values>) => setValues((now) => ({ ...now, ...part }));
  const isChanged = values.name !== name || values.email !== (email ?? '') || values.lang !== lang || values.tz !== tz;

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setProblems({});
    try {
      await rpc({ model: 'core.user', method: 'write', args: [[id], { ...values, email: values.email || null }] });
      showToast({ kind: 'success', title: t('Saved') });
      if (values.lang !== lang) return location.reload();
      changeBootstrap((now) => ({ ...now, user: { ...now.user, name: values.name, tz: values.tz } }));
      onSaved();
    } catch (error) {
      const { fields, message } = toClientError(error);
      setProblems(Object.keys(fields).length > 0 ? fields : { all: [message] });
    }
  }

  return (
    <form className="profile-form" onSubmit={(event) => void save(event)}>
      <Labelled label={t('Name')} problem={problems.name?.join(' ')}>
        {(props) => (
          <input
            {...props}
            className="input"
            required
            maxLength={200}
            value={values.name}
            autoComplete="name"
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label={t('E-mail')} problem={problems.email?.join(' ')}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="email"
            value={values.email}
            autoComplete="email"
            onChange={(event) => set({ email: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label={t('Language')} problem={problems.lang?.join(' ')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={values.lang}
            onChange={(event) => set({ lang: event.target.value })}
          >
            {data.languages.map(({ code, name: label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={t('Time zone')} problem={problems.tz?.join(' ')}>
        {(props) => (
          <input
            {...props}
            className="input"
            required
            list={zones}
            value={values.tz}
            onChange={(event) => set({ tz: event.target.value })}
          />
        )}
      </Labelled>
      <datalist id={zones}>
        {['UTC', ...data.timeZones].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {problems.all && (
        <p className="field-problem" role="alert">
          {problems.all.join(' ')}
        </p>
      )}
      <div className="profile-do">
        <Button kind="primary" type="submit" disabled={!isChanged}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}
