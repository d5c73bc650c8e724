import { type FormEvent, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { rpc } from '../../data/rpc.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import type { ProfileData } from './profile-data.ts';

/** What people may change of themselves. */
export function AboutMe({ data, onSaved }: { readonly data: ProfileData; readonly onSaved: () => void }) {
  const { id, name, email, lang, tz } = data.user;
  const [values, setValues] = useState({ name, email: email ?? '', lang, tz });
  const set = (part: Partial<typeof values>) => setValues((now) => ({ ...now, ...part }));

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      await rpc({ model: 'core.user', method: 'write', args: [[id], values] });
      showToast({ kind: 'success', title: t('Saved') });
      if (values.lang !== lang) location.reload();
      else onSaved();
    } catch (error) {
      showError(error);
    }
  }

  return (
    <form className="profile-form" onSubmit={(event) => void save(event)}>
      <label>
        {t('Name')}
        <input
          required
          value={values.name}
          autoComplete="name"
          onChange={(event) => set({ name: event.target.value })}
        />
      </label>
      <label>
        {t('E-mail')}
        <input
          type="email"
          value={values.email}
          autoComplete="email"
          onChange={(event) => set({ email: event.target.value })}
        />
      </label>
      <label>
        {t('Language')}
        <select value={values.lang} onChange={(event) => set({ lang: event.target.value })}>
          {data.languages.map(({ code, name: label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Time zone')}
        <select value={values.tz} onChange={(event) => set({ tz: event.target.value })}>
          {[...new Set([values.tz, 'UTC', ...data.timeZones])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </label>
      <Button kind="primary" type="submit">
        {t('Save')}
      </Button>
    </form>
  );
}
